! A program outside the project: everything on rank 0 of a ring, levelled over its links.
program ring
    use mpi_f08
    use equipoise
    implicit none
    type(MPI_Comm) :: comm
    integer, allocatable :: items(:)
    integer :: rank, ranks
    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., comm)
    call MPI_Comm_rank(comm, rank)
    allocate (items(merge(100 * ranks, 0, rank == 0)))
    call equipoise_use_neighbours()
    call equipoise_rebalance(comm, items, policy='neighbours-only', algorithm='discrepancy-1')
    if (size(items) /= 100) error stop 1
    call MPI_Finalize()
end program
