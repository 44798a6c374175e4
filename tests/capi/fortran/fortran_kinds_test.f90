! What can travel in Fortran, on any number of ranks: arrays of all kinds, copies, and reports.
module kind_checks
    use mpi_f08
    use equipoise
    use counted
    implicit none

    character(*), parameter :: in_order = 'keep-order'

contains

    subroutine small_integers()
        integer(int8), allocatable :: i1(:), i12(:, :)
        integer(int16), allocatable :: i2(:), i22(:, :)
        integer :: i
        allocate (i1, source=[(int(i, int8), i=1, pile())])
        allocate (i2, source=int(i1, int16))
        allocate (i12, source=spread(i1, 1, 3))
        allocate (i22, source=spread(i2, 1, 3))
        call equipoise_rebalance(MPI_COMM_WORLD, i1, policy=in_order)
        call check(all(i1 == [(12 * rank + i, i=1, 12)]), 'int8')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, i2, policy=in_order)
        call check(all(i2 == i1), 'int16')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, i12, policy=in_order)
        call check(all(i12 == spread(i1, 1, 3)), 'int8 of rank 2')
        call equipoise_rebalance(MPI_COMM_WORLD, i22, policy=in_order)
        call check(all(i22 == spread(i1, 1, 3)), 'int16 of rank 2')
    end subroutine

    subroutine complex_numbers()
        complex(real32), allocatable :: c4(:)
        complex(real64), allocatable :: c8(:, :)
        integer :: i
        allocate (c4, source=[(cmplx(i, -i, real32), i=1, pile())])
        allocate (c8, source=spread(cmplx(c4, kind=real64), 1, 2))
        call equipoise_rebalance(MPI_COMM_WORLD, c4, policy=in_order)
        call check(all(nint(real(c4)) == [(12 * rank + i, i=1, 12)]), 'complex of real32')
        call check(all(nint(aimag(c4)) == -nint(real(c4))), 'imaginary parts')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, c8, policy=in_order)
        call check(all(nint(real(c8)) == spread(nint(real(c4)), 1, 2)), 'complex of real64')
    end subroutine

    function word(number)
        integer, intent(in) :: number
        character(7) :: word
        write (word, '(a, i0.4)') 'no ', number
    end function

    subroutine texts()
        character(7), allocatable, target :: words(:), pairs(:, :), fresh(:)
        character(7), allocatable :: copies(:)
        type(equipoise_plan) :: plan
        type(equipoise_loan) :: loan
        integer :: i
        allocate (words, source=[(word(i), i=1, pile())])
        allocate (pairs(2, pile()))
        pairs = spread(words, 1, 2)
        call equipoise_make_plan(MPI_COMM_WORLD, pile(), plan, policy=in_order)
        allocate (fresh(plan%size_after()))
        call plan%execute(equipoise_array(words, fresh))
        call check(all(fresh == [(word(12 * rank + i), i=1, 12)]), 'execute of texts')
        call plan%replace(pairs)
        call check(size(pairs, 2) == 12, 'replace of texts')
        call check(all(pairs(1, :) == fresh .and. pairs(2, :) == fresh), 'pairs of texts')
        call plan%free()
        call equipoise_make_loan(MPI_COMM_WORLD, pile(), loan, policy=in_order)
        call loan%lend_copies(words, copies)
        call check(all(copies == fresh), 'copies of texts')
        call loan%lend(words)
        call check(all(words == fresh), 'lent texts')
        call loan%give_back(words)
        call check(size(words) == pile(), 'texts that are given back')
        call loan%free()
        call equipoise_rebalance(MPI_COMM_WORLD, words, policy=in_order)
        call check(all(words == fresh), 'rebalance of texts')
        ! Lower bounds become 1 where nothing moves, too.
        deallocate (words)
        allocate (words(0:11))
        words = fresh
        call equipoise_rebalance(MPI_COMM_WORLD, words, policy=in_order)
        call check(lbound(words, 1) == 1 .and. all(words == fresh), 'texts where nothing moves')
    end subroutine

    subroutine copies_leave_the_items()
        real(real64), allocatable :: columns(:, :), copies(:, :), warmer(:)
        integer(int8), allocatable :: wrong_size(:), none(:)
        type(equipoise_loan) :: loan
        character(300) :: errmsg
        integer :: i, stat
        allocate (columns(3, pile()))
        columns = spread([(real(i, real64), i=1, pile())], 1, 3)
        call equipoise_make_loan(MPI_COMM_WORLD, pile(), loan)
        call loan%lend_copies(columns, copies)
        call check(size(copies, 2) == 12, 'as many copies as are due')
        call check(size(columns, 2) == pile(), 'items stay')
        allocate (warmer, source=2 * copies(1, :))
        call loan%give_back(warmer)
        call check(all(nint(warmer) == nint(2 * columns(1, :))), 'results come home')
        allocate (wrong_size(pile() + merge(1, 0, rank == ranks - 1)), source=0_int8)
        call loan%lend_copies(wrong_size, none, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected an array of the planned size')
        call check(.not. allocated(none), 'no copies after an error')
        call loan%free()
    end subroutine

    subroutine room_for_so_many()
        integer, allocatable :: items(:)
        real(real64), allocatable :: weights(:), sizes(:)
        character(256) :: errmsg
        integer :: i, stat, most
        ! Rank 0 has room for 3 items, then for the bytes of 2.
        most = merge(3, 12 * ranks, rank == 0 .and. ranks > 1)
        allocate (items, source=[(i, i=1, pile())])
        call equipoise_rebalance(MPI_COMM_WORLD, items, items_max=most)
        call check(size(items) <= most, 'items_max')
        weights = real(items, real64)
        call equipoise_rebalance(MPI_COMM_WORLD, items, weights, items_max=most)
        call check(size(items) <= most, 'items_max of items with weights')
        sizes = [(4d0, i=1, size(items))]
        call equipoise_rebalance(MPI_COMM_WORLD, items, weights, sizes=sizes, &
            bytes_max=merge(8d0, 48d0 * ranks, rank == 0 .and. ranks > 1))
        call check(rank > 0 .or. size(items) == merge(2, 12, ranks > 1), 'bytes_max')
        call check(total(int(sum(items), int64)) == 6 * ranks * (12 * ranks + 1), 'no item is lost')
        sizes = [(4d0, i=1, size(items))]
        call equipoise_rebalance(MPI_COMM_WORLD, items, weights, sizes=sizes, bytes_max=1d0, &
            stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'bytes on ranks with a speed above 0')
    end subroutine

    subroutine reports_in_words()
        integer, allocatable :: items(:)
        type(equipoise_report) :: report
        type(equipoise_plan) :: plan
        character(:), allocatable :: said
        call check(index(report%describe(), 'before: 0 to 0 items') > 0, 'an empty report')
        allocate (items(pile()), source=1)
        call equipoise_make_plan(MPI_COMM_WORLD, pile(), plan)
        report = plan%report()
        said = plan%describe()
        call check(index(report%describe(), 'minimum-moves on ') == 1, 'describe')
        call check(said(1:len(report%describe())) == report%describe(), 'words of the plan')
        call check(said(len(said):) == new_line('a'), 'the last line ends like the others')
        call plan%free()
        call equipoise_rebalance(MPI_COMM_WORLD, items, policy='hierarchical', report=report)
        call check(index(report%describe(), 'hierarchical on ') == 1, 'describe after a move')
    end subroutine

end module

program fortran_kinds_test
    use kind_checks
    implicit none
    call begin_checks()
    call small_integers()
    call complex_numbers()
    call texts()
    call copies_leave_the_items()
    call reports_in_words()
    call room_for_so_many()
    call end_checks()
end program
