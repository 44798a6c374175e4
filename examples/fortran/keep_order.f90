! Levels a field that is distributed in blocks: rank after rank, its values keep their order.
program keep_order
    use mpi_f08
    use equipoise
    implicit none
    integer, allocatable :: field(:)
    integer :: rank, ranks, i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    field = [(i, i=0, merge(100 * ranks, 0, rank == ranks - 1) - 1)]  ! all on the last rank

    call equipoise_rebalance(MPI_COMM_WORLD, field, policy='keep-order')
    print '(3(a, i0))', 'rank ', rank, ': values ', field(1), ' to ', field(size(field))
    call MPI_Finalize()
end program
