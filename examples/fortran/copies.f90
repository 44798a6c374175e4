! Lends copies of cells that are costly on one rank: the cells stay where they are, and only
! results, of a type of their own, come home.
program copies
    use mpi_f08
    use equipoise
    implicit none
    double precision, allocatable :: cells(:, :), lent(:, :)
    real, allocatable :: results(:)
    type(equipoise_loan) :: loan
    integer :: rank, i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    allocate (cells(20, merge(100, 10, rank == 0)))
    do i = 1, size(cells, 2)
        cells(:, i) = i
    end do

    call equipoise_make_loan(MPI_COMM_WORLD, size(cells, 2), loan)
    call loan%lend_copies(cells, lent)
    results = real(2 * lent(1, :))  ! of own ones and borrowed ones
    call loan%give_back(results)
    print '(2(a, i0), 2a)', 'rank ', rank, ': ', size(results), ' results, ', &
        merge('each its cell''s', 'mixed          ', all(nint(results) == 2 * nint(cells(1, :))))
    call loan%free()
    call MPI_Finalize()
end program
