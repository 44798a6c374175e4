! Computes while items travel: the boundary of this rank's domain, which no item belongs to.
program begin
    use mpi_f08
    use equipoise
    implicit none
    double precision, allocatable, target :: items(:), arrived(:)
    double precision :: boundary
    type(equipoise_plan) :: plan
    type(equipoise_moving) :: moving
    integer :: rank, ranks, i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (items(merge(50 * ranks, 0, rank == 0)), source=1d0)  ! all of them on rank 0

    call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan)
    allocate (arrived(plan%size_after()))
    call plan%begin(equipoise_array(items, arrived), moving)
    boundary = sum([(1d0 / (i * (i + 1d0)), i=1, 1000)])  ! anything but what uses the two arrays
    call moving%end()
    print '(2(a, i0), a, f4.2)', 'rank ', rank, ': ', nint(sum(arrived)), ' items, boundary ', &
        boundary
    call plan%free()
    call MPI_Finalize()
end program
