! Levels what items cost rather than their number; the costs move with the items.
program weighted
    use mpi  ! communicators are integers here
    use equipoise
    implicit none
    integer, allocatable :: tasks(:)
    double precision, allocatable :: seconds(:)
    type(equipoise_report) :: report
    integer :: rank, ranks, i, error

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    tasks = [(60 * rank + i, i=1, 60)]
    allocate (seconds(60), source=merge(1d0, 0.25d0, rank == 0))  ! those of rank 0 cost most

    call equipoise_rebalance(MPI_COMM_WORLD, tasks, seconds, report=report)
    if (rank == 0) print '(2(a, f0.4))', 'seconds on average: ', report%weight_after%average, &
        ', at most above it: ', report%weight_after%most - report%weight_after%average
    call MPI_Finalize(error)
end program
