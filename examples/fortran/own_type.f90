! Levels items of a type of one's own in one call.
module bodies
    implicit none
    type :: body
        real :: position(3) = 0, velocity(3) = 0
        logical :: fixed = .false.
    end type
end module

module body_balancer  ! has nothing else
    use bodies, only: own_type => body
    include 'equipoise_own_type.inc'
end module

program level_bodies
    use mpi_f08
    use equipoise
    use bodies
    use body_balancer
    implicit none
    type(body), allocatable :: all(:)
    type(equipoise_report) :: report
    integer :: rank, ranks

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (all(merge(100 * ranks, 0, rank == 0)))  ! all of them on rank 0

    call equipoise_rebalance(MPI_COMM_WORLD, all, report=report)
    print '(3(a, i0))', 'rank ', rank, ': ', size(all), ' bodies, moved: ', report%moved
    call MPI_Finalize()
end program
