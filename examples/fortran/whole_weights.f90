! Levels whole weights: the points of cells, as the program counts them.
program whole_weights
    use mpi_f08
    use equipoise
    implicit none
    integer, allocatable :: cells(:), points(:)
    type(equipoise_report) :: report
    integer :: i, rank

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    allocate (cells, source=[(60 * rank + i, i=1, 60)])
    allocate (points(60), source=merge(100, 10, rank == 0))  ! the cells of rank 0 have most

    call equipoise_rebalance(MPI_COMM_WORLD, cells, points, report=report)
    if (rank == 0) print '(a, f4.1, a)', 'at most ', &
        report%weight_after%most - report%weight_after%average, ' points above the average'
    call MPI_Finalize()
end program
