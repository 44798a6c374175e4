! Moves items by an MPI_Alltoallv of one's own: the plan says which, where to and in which order.
program exchange_items
    use mpi_f08
    use equipoise
    implicit none
    integer, allocatable :: items(:), leaving(:), arrived(:), fresh(:)
    type(equipoise_plan) :: plan
    type(equipoise_exchange) :: lists
    integer :: rank, ranks, total, i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (items, source=[(i, i=1, merge(100 * ranks, 0, rank == 0))])

    call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan)
    call plan%make_exchange(lists)
    allocate (leaving, source=items(lists%send_order))
    allocate (arrived(size(lists%receive_places)), fresh(plan%size_after()))
    call MPI_Alltoallv(leaving, lists%send_counts, lists%send_offsets, MPI_INTEGER, arrived, &
                       lists%receive_counts, lists%receive_offsets, MPI_INTEGER, MPI_COMM_WORLD)
    fresh(lists%kept_to) = items(lists%kept_from)
    fresh(lists%receive_places) = arrived

    total = sum(fresh)
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    print '(3(a, i0), 2a)', 'rank ', rank, ': ', size(fresh), ' items, sent: ', size(leaving), &
        ', ', merge('none lost', 'some lost', total == 50 * ranks * (100 * ranks + 1))
    call plan%free()
    call MPI_Finalize()
end program
