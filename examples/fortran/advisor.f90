! Balances when that pays, as an advisor finds out from the seconds of the steps.
program advised
    use mpi_f08
    use equipoise
    implicit none
    integer, allocatable :: tasks(:)
    double precision, allocatable :: costs(:)
    type(equipoise_advisor) :: advisor
    type(equipoise_report) :: report
    integer :: rank, step, balances

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    allocate (tasks(1000), source=0)
    allocate (costs(1000), source=merge(2d0, 1d0, rank == 0))
    balances = 0

    call equipoise_make_advisor(MPI_COMM_WORLD, advisor)
    do step = 1, 50
        call advisor%step(seconds=1d-4 * sum(costs))  ! by MPI_Wtime() in a real program
        if (.not. advisor%worth_it()) cycle
        call equipoise_rebalance(MPI_COMM_WORLD, tasks, costs, report=report)
        call advisor%balanced(report)
        balances = balances + 1
    end do
    if (rank == 0) print '(a, i0, a)', 'balanced after ', balances, ' of 50 steps'
    call advisor%free()
    call MPI_Finalize()
end program
