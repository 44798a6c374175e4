! Types beside numbers: logicals, texts of deferred length and types of the program's own; and what
! a relabelling says of its prices.
module sacks
    use, intrinsic :: iso_fortran_env
    implicit none
    type :: sack
        integer :: number = 0
        real(real64) :: weight = 0
        logical :: open = .false.
        character(3) :: label = ''
    end type
    type :: pebble
        integer(int8) :: grains(3) = 0
    end type
end module

module sack_balancer
    use sacks, only: own_type => sack
    include 'equipoise_own_type.inc'
end module

module pebble_balancer
    use sacks, only: own_type => pebble
    include 'equipoise_own_type.inc'
end module

module type_checks
    use mpi_f08
    use equipoise
    use sacks
    use sack_balancer
    use pebble_balancer
    use counted
    implicit none

    character(*), parameter :: in_order = 'keep-order'

contains

    ! Item i of all ranks is here after a plan that keeps their order.
    function own_numbers() result(numbers)
        integer :: numbers(12), i
        numbers = [(12 * rank + i, i=1, 12)]
    end function

    subroutine logicals()
        logical(int8), allocatable :: l1(:)
        logical(int16), allocatable :: l2(:)
        logical, allocatable, target :: l4(:), fresh(:)
        logical(int64), allocatable :: l8(:, :)
        logical, allocatable :: copies(:)
        type(equipoise_plan) :: plan
        type(equipoise_loan) :: loan
        logical :: expected(12)
        integer :: i
        allocate (l4, source=[(mod(i, 3) == 0, i=1, pile())])
        allocate (l1, source=logical(l4, int8))
        allocate (l2, source=logical(l4, int16))
        allocate (l8, source=spread(logical(l4, int64), 1, 2))
        expected = mod(own_numbers(), 3) == 0
        call equipoise_rebalance(MPI_COMM_WORLD, l1, policy=in_order)
        call check(all(l1 .eqv. expected), 'logical of 1 byte')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, l2, policy=in_order)
        call check(all(l2 .eqv. expected), 'logical of 2 bytes')
        call equipoise_rebalance(MPI_COMM_WORLD, l8, policy=in_order)
        call check(all(logical(l8) .eqv. spread(expected, 1, 2)), 'logical of 8 bytes')
        call equipoise_make_plan(MPI_COMM_WORLD, pile(), plan, policy=in_order)
        allocate (fresh(plan%size_after()))
        call plan%execute(equipoise_array(l4, fresh))
        call check(all(fresh .eqv. expected), 'execute of logicals')
        call plan%free()
        call equipoise_make_loan(MPI_COMM_WORLD, pile(), loan, policy=in_order)
        call loan%lend_copies(l4, copies)
        call check(all(copies .eqv. expected), 'copies of logicals')
        call loan%give_back(copies)
        call check(size(copies) == pile() .and. all(copies .eqv. l4), 'logicals come home')
        call loan%free()
        call equipoise_rebalance(MPI_COMM_WORLD, l4, policy=in_order)
        call check(all(l4 .eqv. expected), 'logicals')
    end subroutine

    ! Texts that are numbered from the one behind `before`.
    subroutine number(texts, before)
        character(*), intent(out) :: texts(:)
        integer, intent(in) :: before
        integer :: i
        do i = 1, size(texts)
            write (texts(i), '(a, i0.3)') 'no ', before + i
        end do
    end subroutine

    subroutine texts_of_deferred_length()
        character(:), allocatable, target :: texts(:), fresh(:)
        character(:), allocatable :: expected(:), pairs(:, :), unset(:)
        real(real64), allocatable :: weights(:)
        type(equipoise_plan) :: plan
        type(equipoise_loan) :: loan
        type(equipoise_report) :: report
        character(300) :: errmsg
        integer :: length, stat
        do length = 6, 9, 3
            if (allocated(texts)) deallocate (texts)
            allocate (character(length) :: texts(pile()), expected(12), pairs(2, pile()))
            call number(texts, 0)
            call number(expected, 12 * rank)
            pairs(1, :) = texts
            pairs(2, :) = texts
            call equipoise_make_plan(MPI_COMM_WORLD, pile(), plan, policy=in_order)
            allocate (character(length) :: fresh(plan%size_after()))
            call plan%execute(equipoise_array(texts, fresh))
            call check(all(fresh == expected), 'execute of texts')
            call equipoise_replace(plan, pairs, report=report)
            call check(size(pairs, 2) == 12 .and. len(pairs) == length, 'replaced pairs')
            call check(all(pairs(1, :) == fresh .and. pairs(2, :) == fresh), 'pairs of texts')
            call check(report%after%most == 12, 'report of texts')
            call plan%free()
            call equipoise_make_loan(MPI_COMM_WORLD, pile(), loan, policy=in_order)
            call equipoise_replace(loan%there, texts)
            call check(len(texts) == length .and. all(texts == fresh), 'lent texts')
            call equipoise_replace(loan%back, texts)
            call check(len(texts) == length .and. size(texts) == pile(), 'texts are back')
            call loan%free()
            call equipoise_rebalance_texts(MPI_COMM_WORLD, texts, policy=in_order)
            call check(len(texts) == length .and. all(texts == fresh), 'texts')
            allocate (weights(12), source=1d0)
            call equipoise_rebalance_texts(MPI_COMM_WORLD%MPI_VAL, texts, weights)
            call check(len(texts) == length .and. all(texts == fresh), 'level texts')
            call check(size(weights) == 12, 'their weights')
            call equipoise_rebalance_texts(MPI_COMM_WORLD, pairs, policy=in_order)
            call check(all(pairs(1, :) == fresh), 'level pairs')
            ! Lower bounds become 1 where nothing moves, too.
            deallocate (texts)
            allocate (character(length) :: texts(0:11))
            texts(:) = fresh
            call equipoise_rebalance_texts(MPI_COMM_WORLD, texts)
            call check(lbound(texts, 1) == 1 .and. all(texts == fresh), 'lower bounds of texts')
            call check(len(texts) == length, 'length of texts')
            deallocate (fresh, expected, pairs, weights)
        end do
        call equipoise_rebalance_texts(MPI_COMM_WORLD, unset, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected texts of one length')
        call check(.not. allocated(unset), 'an array that is not allocated stays so')
        allocate (character(0) :: unset(2))
        call equipoise_rebalance_texts(MPI_COMM_WORLD, unset, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'at least 1 byte')
        if (ranks == 1) return
        deallocate (texts)
        allocate (character(merge(4, 5, rank == 0)) :: texts(3))
        call equipoise_rebalance_texts(MPI_COMM_WORLD, texts, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_DIFFERENT_CALLS, stat, errmsg, '5 bytes a row')
        call check(size(texts) == 3, 'texts stay')
    end subroutine

    function made(number)
        integer, intent(in) :: number
        type(sack) :: made
        made = sack(number, number / 2d0, mod(number, 2) == 0, label_of(number))
    end function

    logical function is_made(item)
        type(sack), intent(in) :: item
        is_made = nint(2 * item%weight) == item%number .and. item%label == label_of(item%number)
        is_made = is_made .and. (item%open .eqv. mod(item%number, 2) == 0)
    end function

    function label_of(number) result(label)
        integer, intent(in) :: number
        character(3) :: label
        write (label, '(i0.3)') number
    end function

    subroutine types_of_ones_own()
        type(sack), allocatable, target :: items(:), fresh(:), pairs(:, :)
        type(pebble), allocatable :: pebbles(:)
        real(real64), allocatable :: weights(:)
        integer, allocatable, target :: numbers(:), new_numbers(:)
        type(equipoise_plan) :: plan
        type(equipoise_loan) :: loan
        type(equipoise_report) :: report
        character(300) :: errmsg
        integer :: i, stat
        allocate (items(pile()))
        do i = 1, pile()
            items(i) = made(i)
        end do
        numbers = items%number
        pairs = spread(items, 1, 2)
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan, policy=in_order)
        allocate (fresh(plan%size_after()), new_numbers(plan%size_after()))
        call plan%execute([equipoise_array(items, fresh), equipoise_array(numbers, new_numbers)])
        call check(all(fresh%number == own_numbers()), 'execute')
        call check(all(new_numbers == fresh%number), 'numbers beside them')
        call equipoise_replace(plan, pairs)
        call check(all(pairs(2, :)%number == own_numbers()), 'replace of pairs')
        call plan%free()
        call equipoise_make_loan(MPI_COMM_WORLD, size(items), loan, policy=in_order)
        call equipoise_replace(loan%there, items, report)
        call check(all(items%number == own_numbers()) .and. report%after%least == 12, 'lent')
        call equipoise_replace(loan%back, items)
        call check(size(items) == pile(), 'they are back')
        call loan%free()
        allocate (pebbles(pile()))
        do i = 1, pile()
            pebbles(i)%grains = int(i, int8)
        end do
        call equipoise_rebalance(MPI_COMM_WORLD, pebbles, policy=in_order)
        call check(all(pebbles%grains(3) == own_numbers()), 'another type')
        call equipoise_rebalance(MPI_COMM_WORLD, items, policy=in_order, report=report)
        call check(all(items%number == own_numbers()), 'rebalance')
        do i = 1, size(items)
            call check(is_made(items(i)), 'all components')
        end do
        call check(report%after%most == 12, 'report')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, pairs)
        call check(all(pairs(1, :)%number == own_numbers()), 'level pairs')
        weights = items%weight
        call equipoise_rebalance(MPI_COMM_WORLD, items, weights)
        call check(size(weights) == size(items), 'as many weights')
        call check(all(nint(2 * weights) == items%number), 'weights move along')
        call check(total(int(size(items), int64)) == 12 * ranks, 'none is lost')
        call equipoise_rebalance(MPI_COMM_WORLD, items, speed=merge(-1d0, 1d0, rank == 0), &
                                 stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected a speed')
        deallocate (items)
        allocate (items(0:11))
        call equipoise_rebalance(MPI_COMM_WORLD, items)
        call check(lbound(items, 1) == 1 .and. size(items) == 12, 'lower bounds')
        deallocate (items)
        call equipoise_rebalance(MPI_COMM_WORLD, items)
        call check(allocated(items), 'no items are an array of none')
        if (ranks == 1) return
        if (rank == 0) then
            call equipoise_rebalance(MPI_COMM_WORLD, items, stat=stat, errmsg=errmsg)
        else
            call equipoise_rebalance(MPI_COMM_WORLD, pebbles, stat=stat, errmsg=errmsg)
        end if
        call check_error(EQUIPOISE_DIFFERENT_CALLS, stat, errmsg, '3 bytes a row')
    end subroutine

    ! All ranks get the same arrays, whether they gave, took or did neither.
    subroutine what_is_returned()
        integer, allocatable, target :: items(:), rows(:, :)
        real(real64), allocatable :: weights(:)
        integer :: level, i
        do level = 0, 3
            do i = 1, 2
                if (allocated(items)) deallocate (items)
                if (allocated(weights)) deallocate (weights)
                allocate (items(3:2 + count_of(level)), weights(5:4 + count_of(level)))
                items = level
                weights = 1
                if (i == 1) call equipoise_rebalance(MPI_COMM_WORLD, items)
                if (i == 2) call equipoise_rebalance(MPI_COMM_WORLD, items, weights)
                call check(allocated(items) .and. lbound(items, 1) == 1, 'items from 1')
                call check(is_contiguous(items) .and. all(items == level), 'contiguous items')
                if (i == 2) call check(lbound(weights, 1) == 1 .and. &
                                       size(weights) == size(items), 'weights from 1')
            end do
            if (allocated(rows)) deallocate (rows)
            allocate (rows(0:1, -1:count_of(level) - 2), source=level)
            call equipoise_rebalance(MPI_COMM_WORLD, rows)
            call check(all(lbound(rows) == 1) .and. size(rows, 1) == 2, 'columns from 1')
            call check(size(rows, 2) == size(items), 'as many columns')
        end do
    end subroutine

    ! Level; level except for one; all on rank 0; ranks that neither give nor take.
    integer function count_of(level)
        integer, intent(in) :: level
        count_of = 6
        if (level == 1 .and. rank == 0) count_of = 7
        if (level == 2) count_of = merge(6 * ranks, 0, rank == 0)
        if (level == 3 .and. ranks > 1 .and. rank < 2) count_of = merge(12, 0, rank == 0)
    end function

    subroutine prices_of_a_relabelling()
        integer(int64), allocatable :: wide(:)
        integer, allocatable :: parts(:)
        integer(int64), allocatable :: bytes(:)
        type(equipoise_int128) :: part_prices(ranks), rank_prices(ranks)
        type(equipoise_relabelling) :: found, again
        integer(int64) :: held
        integer :: i, part, stat
        character(300) :: errmsg
        parts = [(modulo(rank + 1 + merge(1, 0, i > 6), ranks), i=1, 10)]
        wide = parts
        bytes = [(2_int64**33 + i, i=1, 10)]
        call equipoise_relabel(MPI_COMM_WORLD, parts, bytes, part_count=ranks, found=found, &
                               part_prices=part_prices, rank_prices=rank_prices)
        call check(all(part_prices%high == 0 .and. rank_prices%high == 0), 'prices of 64 bits')
        call check(found%bytes - found%moved == sum(part_prices%low) + sum(rank_prices%low), &
                   'prices certify the bytes that stay')
        do part = 0, ranks - 1
            held = sum(bytes, mask=wide == part)
            call check(held <= part_prices(part + 1)%low + rank_prices(rank + 1)%low, &
                       'no rank holds more than prices allow')
        end do
        call equipoise_relabel(MPI_COMM_WORLD%MPI_VAL, wide, bytes, part_count=ranks, found=again)
        call check(all(wide == parts) .and. again%moved == found%moved, 'parts of 64 bits')
        call equipoise_relabel(MPI_COMM_WORLD, parts, part_prices=part_prices(:0), &
                               rank_prices=rank_prices(merge(2, 1, rank == ranks - 1):), &
                               stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected room for the prices of all')
        wide = parts
        if (rank == 0) wide(10) = 2_int64**32
        call equipoise_relabel(MPI_COMM_WORLD, wide, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, '4,294,967,297 parts')
    end subroutine

end module

program fortran_types_test
    use type_checks
    implicit none
    call begin_checks()
    call logicals()
    call texts_of_deferred_length()
    call types_of_ones_own()
    call what_is_returned()
    call prices_of_a_relabelling()
    call end_checks()
end program
