! Rows move within memory of the program's own: arrays with room to spare, which stay in place.
program rows
    use mpi_f08
    use equipoise
    implicit none
    integer, parameter :: room = 1000
    double precision, target :: positions(3, room)
    real, target :: charges(room)
    type(equipoise_plan) :: plan
    integer :: rank, ranks, held, i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    held = merge(room / ranks * ranks, 0, rank == 0)  ! all of them on rank 0
    do i = 1, held
        positions(:, i) = i
        charges(i) = -real(i)
    end do

    call equipoise_make_plan(MPI_COMM_WORLD, held, plan, items_max=room)
    call equipoise_move_rows(plan, [equipoise_rows(positions), equipoise_rows(charges)])
    held = int(plan%size_after())
    print '(2(a, i0), 2a)', 'rank ', rank, ': ', held, ' particles, ', &
        merge('with their charges  ', 'with others'' charges', &
              all(nint(positions(1, :held)) == -nint(charges(:held))))
    call plan%free()
    call MPI_Finalize()
end program
