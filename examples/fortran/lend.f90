! Columns of a climate model: those by day cost five times those by night. For the costly part of a
! step they are lent; then all are home again, with their results.
program lend
    use mpi_f08
    use equipoise
    implicit none
    integer, parameter :: levels = 30
    double precision, allocatable :: columns(:, :)  ! temperatures, and whether the sun shines
    double precision, allocatable :: costs(:)
    type(equipoise_loan) :: loan
    integer :: rank, step

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    allocate (columns(levels + 1, 100), source=0d0)
    if (rank == 0) columns(levels + 1, :) = 1  ! on the columns of rank 0
    costs = 1 + 4 * columns(levels + 1, :)

    call equipoise_make_loan(MPI_COMM_WORLD, size(columns, 2), loan, costs)
    do step = 1, 3
        call loan%lend(columns)
        columns(1, :) = columns(1, :) + columns(levels + 1, :)  ! own ones and borrowed ones
        call loan%give_back(columns)
    end do
    print '(2(a, i0), a, f3.1)', 'rank ', rank, ': ', size(columns, 2), &
        ' columns, degrees warmer: ', sum(columns(1, :)) / size(columns, 2)
    call loan%free()
    call MPI_Finalize()
end program
