! Levels items: every rank ends with its share.
program rebalance
    use mpi_f08
    use equipoise
    implicit none
    real, allocatable :: particles(:, :)  ! a column is a particle: its position and velocity
    type(equipoise_report) :: report
    integer :: rank, ranks, stat
    character(200) :: message

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (particles(6, merge(200 * ranks, 0, rank == 0)), source=0.0)  ! all of them on rank 0

    call equipoise_rebalance(MPI_COMM_WORLD, particles, report=report, stat=stat, errmsg=message)
    if (stat /= 0) then
        print '(a)', trim(message)  ! the same on every rank
    else
        print '(3(a, i0))', 'rank ', rank, ': ', size(particles, 2), ' particles, moved: ', &
            report%moved
    end if
    call MPI_Finalize()
end program
