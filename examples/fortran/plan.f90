! A plan: looked at first, then executed on two arrays that belong together, one of them of a type
! of its own.
program plan_first
    use, intrinsic :: iso_c_binding, only: c_float, c_loc
    use mpi_f08
    use equipoise
    implicit none
    type, bind(c) :: particle
        real(c_float) :: position(3) = 0, velocity(3) = 0
    end type
    type(particle), allocatable, target :: particles(:), new_particles(:)
    integer, allocatable, target :: cells(:), new_cells(:)
    type(equipoise_plan) :: plan
    integer :: rank, ranks, count
    logical :: pays

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    count = merge(50 * ranks, 0, rank == 0)
    allocate (particles(count), cells(count))
    cells = 1

    call equipoise_make_plan(MPI_COMM_WORLD, count, plan)
    if (rank == 0) write (*, '(a)', advance='no') plan%describe()
    call plan%worth_it(pays, seconds_per_item=2d-6, steps=100d0, seconds_per_item_moved=1d-7)
    if (pays) then
        allocate (new_particles(plan%size_after()), new_cells(plan%size_after()))
        call plan%execute([equipoise_array(c_loc(particles), c_loc(new_particles), &
                                           storage_size(particles) / 8), &
                           equipoise_array(cells, new_cells)])
        call move_alloc(new_particles, particles)
        call move_alloc(new_cells, cells)
    end if
    print '(3(a, i0))', 'rank ', rank, ': ', size(particles), ' particles in cells ', sum(cells)
    call plan%free()
    call MPI_Finalize()
end program
