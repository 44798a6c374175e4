! What the module equipoise promises, on any number of ranks. With the argument `stop`, an error
! without stat, which must end the program.
module checks
    use, intrinsic :: iso_fortran_env
    use mpi_f08
    use equipoise
    use counted
    implicit none

    ! Texts of different lengths.
    type :: name
        character(:), allocatable :: text
    end type
    type, extends(equipoise_items) :: names
        type(name), allocatable :: old(:), new(:)
        integer :: pack_fails = 0, unpack_fails = 0
        logical :: reads_too_much = .false.
    contains
        procedure :: pack, unpack, keep
    end type

contains

    subroutine every_kind_and_rank()
        real(real32), allocatable :: r4(:), r42(:, :)
        real(real64), allocatable :: r8(:), r82(:, :)
        integer(int32), allocatable :: i4(:), i42(:, :)
        integer(int64), allocatable :: i8(:), i82(:, :)
        type(equipoise_report) :: report
        integer :: i
        i4 = [(i, i=1, pile())]
        i8 = i4
        r4 = i4
        r8 = i4
        r42 = spread(r4, 1, 3)
        r82 = spread(r8, 1, 3)
        i42 = spread(i4, 1, 3)
        i82 = spread(i8, 1, 3)
        call equipoise_rebalance(MPI_COMM_WORLD, i4, policy='keep-order', report=report)
        call check(all(i4 == [(12 * rank + i, i=1, 12)]), 'order of int32')
        call check(report%after%least == 12 .and. report%after%most == 12, 'report%after')
        call check(report%policy == 'keep-order' .and. report%ranks == ranks, 'report')
        call check(report%moved == 12 * (ranks - 1), 'moved')
        call check(nint(report%before%average) == 12, 'report%before')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, i8, policy='keep-order')
        call equipoise_rebalance(MPI_COMM_WORLD, r4, policy='keep-order')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, r8, policy='keep-order')
        call equipoise_rebalance(MPI_COMM_WORLD, r42, policy='keep-order')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, r82, policy='keep-order')
        call equipoise_rebalance(MPI_COMM_WORLD, i42, policy='keep-order')
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, i82, policy='keep-order')
        call check(all(i8 == i4), 'int64')
        call check(all(nint(r4) == i4), 'real32')
        call check(all(nint(r8) == i4), 'real64')
        call check(all(nint(r42) == spread(i4, 1, 3)), 'real32 of rank 2')
        call check(all(nint(r82) == spread(i4, 1, 3)), 'real64 of rank 2')
        call check(all(i42 == spread(i4, 1, 3)), 'int32 of rank 2')
        call check(all(i82 == spread(i4, 1, 3)), 'int64 of rank 2')
    end subroutine

    subroutine options_reach_the_plan()
        integer, allocatable :: items(:)
        type(equipoise_plan) :: plan
        type(equipoise_report) :: report
        type(equipoise_transfer), allocatable :: transfers(:)
        integer :: i
        items = [(i, i=1, 12)]
        call equipoise_rebalance(MPI_COMM_WORLD, items, &
                                 speed=merge(0d0, 1d0, rank == 0 .and. ranks > 1))
        call check(ranks == 1 .or. (size(items) == 0 .eqv. rank == 0), 'speed')
        items = [(i, i=1, pile())]
        call equipoise_rebalance(MPI_COMM_WORLD, items, pinned=merge(11 * ranks, 0, rank == 0), &
                                 message_bytes_max=8)
        if (rank == 0) call check(size(items) == max(11 * ranks, 12), 'pinned')
        call equipoise_make_plan(MPI_COMM_WORLD, 12_int64 * rank, plan, policy='hierarchical', &
                                 machine=rank / 4, socket=rank / 2)
        report = plan%report()
        call check(report%policy == 'hierarchical', 'policy')
        call check(plan%size_before() == 12 * rank, 'size_before')
        call check(total(plan%size_after()) == 6 * ranks * (ranks - 1), 'size_after')
        transfers = plan%transfers()
        call check(sum(transfers%items) == report%moved, 'transfers')
        call check(index(plan%describe(), 'hierarchical on ') == 1, 'describe')
        call plan%free()
        call check(plan%size_before() == 0, 'a plan that was freed')
        ! Arrays that are not allocated hold no items.
        deallocate (items)
        call equipoise_rebalance(MPI_COMM_WORLD, items)
        call check(size(items) == 0, 'an array that was not allocated')
    end subroutine

    subroutine weights_move_along()
        integer, allocatable :: items(:)
        real(real64), allocatable :: weights(:), sizes(:)
        type(equipoise_plan) :: plan
        type(equipoise_report) :: report
        integer :: i
        items = [(i, i=1, pile())]
        weights = real(1 + mod(items, 5), real64)
        call equipoise_rebalance(MPI_COMM_WORLD, items, weights, report=report)
        call check(size(items) == size(weights), 'as many weights as items')
        call check(all(nint(weights) == 1 + mod(items, 5)), 'weights of their items')
        call check(report%weight_after%most <= report%weight_after%average + 5, 'weighted')
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan, weights)
        report = plan%report()
        call check(report%policy == 'weighted' .and. report%minimum == -1, 'plan by weights')
        call plan%free()
        ! Two phases, bytes, a tolerance and machines.
        items = [(i, i=1, pile())]
        weights = [(1d0, real(mod(i, 3), real64), i=1, pile())]
        sizes = real(8 * items, real64)
        call equipoise_rebalance(MPI_COMM_WORLD, items, weights, weights_per_item=2, &
                                 tolerance=0.05d0, sizes=sizes, machines_first=.true., &
                                 machine=rank / 2, report=report)
        call check(size(weights) == 2 * size(items), 'two weights an item')
        call check(all(nint(weights(1::2)) == 1), 'first weights')
        call check(all(nint(weights(2::2)) == mod(items, 3)), 'second weights')
        call check(report%largest >= report%largest_at_least, 'largest_at_least')
        call check(report%moved >= report%moved_at_least, 'moved_at_least')
        call check(report%bytes_moved >= report%bytes_at_least, 'bytes_at_least')
        call check(report%bytes_moved > 0 .eqv. ranks > 1, 'bytes_moved')
        call check(report%weights_per_item == 2, 'weights_per_item')
        call check(report%by_bytes .and. report%machines_first, 'what was asked for')
    end subroutine

    subroutine several_arrays_begin_and_end()
        integer, allocatable, target, asynchronous :: a(:), a_new(:)
        real(real64), allocatable, target, asynchronous :: b(:, :), b_new(:, :)
        type(equipoise_plan) :: plan
        type(equipoise_moving) :: moving
        type(equipoise_report) :: report
        character(300) :: errmsg
        logical :: worth
        integer :: i, stat
        a = [(i, i=1, pile())]
        b = spread(real(a, real64), 1, 2)
        call equipoise_make_plan(MPI_COMM_WORLD, size(a), plan, stat=stat)
        call check(stat == EQUIPOISE_OK, 'stat of a plan')
        call plan%worth_it(worth, 1d0, 1d0, seconds_per_item_moved=1d-9)
        call check(worth .eqv. ranks > 1, 'worth_it')
        call plan%worth_it(worth, steps=1d0, seconds_by_kind=[1d0])
        call check(worth .eqv. ranks > 1, 'worth_it by kind')
        call plan%worth_it(worth, steps=1d0, seconds_by_kind=[1d0, 0d0], stat=stat)
        call check(stat == EQUIPOISE_BAD_INPUT, 'worth_it by too many kinds')
        allocate (a_new(plan%size_after()), b_new(2, plan%size_after()))
        call plan%begin([equipoise_array(a, a_new), equipoise_array(b, b_new)], moving)
        call moving%end(report)
        call check(report%moved == 12 * (ranks - 1), 'moved by begin and end')
        call check(size(a_new) == 12 .and. all(nint(b_new(2, :)) == a_new), 'arrays together')
        call check(total(sum(int(a_new, int64))) == 6_int64 * ranks * (12 * ranks + 1), 'no loss')
        deallocate (a_new)
        allocate (a_new(plan%size_after() + merge(1, 0, rank == ranks - 1)))
        call plan%execute(equipoise_array(a, a_new), stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected arrays of the planned sizes')
        call plan%free()
    end subroutine

    subroutine errors_are_the_same_everywhere()
        integer, allocatable :: items(:), rows(:, :)
        real(real64), allocatable :: weights(:)
        type(equipoise_plan) :: plan
        character(300) :: errmsg
        integer :: failing, i, stat
        do failing = 0, ranks - 1
            items = [(i, i=1, pile())]
            call equipoise_rebalance(MPI_COMM_WORLD, items, stat=stat, errmsg=errmsg, &
                                     speed=merge(-2.5d0, 1d0, rank == failing))
            call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'found -2.5')
            call equipoise_rebalance(MPI_COMM_WORLD, items, stat=stat, errmsg=errmsg, &
                                     policy=trim(merge('minimal      ', 'minimum-moves', &
                                                       rank == failing)))
            call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'keep-order')
            allocate (weights(size(items) + merge(1, 0, rank == failing)), source=1d0)
            call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan, weights, stat=stat, &
                                     errmsg=errmsg)
            call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'one weight for each item')
            deallocate (weights)
            if (rank /= failing) allocate (rows(3, 0))
            call equipoise_rebalance(MPI_COMM_WORLD, rows, stat=stat, errmsg=errmsg)
            call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'allocated')
            if (allocated(rows)) deallocate (rows)
            call check(size(items) == pile() .and. all(items == [(i, i=1, pile())]), 'items stay')
            if (failing == 0) cycle
            rows = reshape([(0, i=1, merge(4, 3, rank == failing) * pile())], &
                           [merge(4, 3, rank == failing), pile()])
            call equipoise_rebalance(MPI_COMM_WORLD, rows, stat=stat, errmsg=errmsg)
            call check_error(EQUIPOISE_DIFFERENT_CALLS, stat, errmsg, '12 bytes a row')
            deallocate (rows)
        end do
        errmsg = 'untouched'
        call equipoise_rebalance(MPI_COMM_WORLD, items, stat=stat, errmsg=errmsg)
        call check(stat == EQUIPOISE_OK .and. errmsg == 'untouched', 'the call after an error')
        call equipoise_rebalance(MPI_COMM_NULL, items, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'MPI_COMM_NULL')
    end subroutine

    ! What is wrong is refused also where loads are level and nothing has to move.
    subroutine level_loads_hide_nothing()
        integer, allocatable :: items(:), rows(:, :)
        character(300) :: errmsg
        integer :: more, stat
        do more = 0, 1
            ! One item more on rank 0, or as many on every rank.
            allocate (items(4 + merge(more, 0, rank == 0)), source=1)
            if (ranks > 1) then
                allocate (rows(merge(4, 3, rank == ranks - 1), size(items)), source=1)
                call equipoise_rebalance(MPI_COMM_WORLD, rows, stat=stat, errmsg=errmsg)
                call check_error(EQUIPOISE_DIFFERENT_CALLS, stat, errmsg, &
                                 '16 bytes a row, policy minimum-moves, but')
                deallocate (rows)
            end if
            allocate (rows(merge(0, 3, rank == ranks - 1), size(items)), source=1)
            call equipoise_rebalance(MPI_COMM_WORLD, rows, stat=stat, errmsg=errmsg)
            call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'at least one row')
            deallocate (rows)
            call equipoise_rebalance(MPI_COMM_WORLD, items, policy='neighbours-only', stat=stat, &
                                     errmsg=errmsg)
            call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'with a topology')
            deallocate (items)
        end do
    end subroutine

    ! Whether anything moves or not.
    subroutine lower_bounds_become_1()
        integer, allocatable :: items(:), rows(:, :)
        real(real64), allocatable :: weights(:)
        character(300) :: errmsg
        integer :: count, i, stat, way
        do way = 1, 3
            ! Nothing moves; all are on rank 0; all are on the last rank.
            count = 10
            if (way > 1) count = merge(10 * ranks, 0, rank == merge(0, ranks - 1, way == 2))
            allocate (items(0:count - 1), source=[(i, i=1, count)])
            allocate (rows(-1:1, 5:count + 4), source=spread([(i, i=1, count)], 1, 3))
            allocate (weights(-7:count - 8), source=real([(i, i=1, count)], real64))
            call equipoise_rebalance(MPI_COMM_WORLD, rows)
            call check(all(lbound(rows) == 1) .and. all(shape(rows) == [3, 10]), 'bounds of rows')
            call equipoise_rebalance(MPI_COMM_WORLD, items, policy='keep-order', speed=-1d0, &
                                     stat=stat, errmsg=errmsg)
            if (count > 0) call check(lbound(items, 1) == 0, 'bounds after an error')
            call equipoise_rebalance(MPI_COMM_WORLD, items, weights, tolerance=10d0 * ranks)
            call check(lbound(items, 1) == 1 .and. lbound(weights, 1) == 1, 'bounds of weights')
            call check(size(items) == size(weights), 'as many weights as items')
            call check(all(nint(weights) == items), 'weights of items from 0')
            call equipoise_rebalance(MPI_COMM_WORLD, items, policy='keep-order')
            call check(lbound(items, 1) == 1 .and. size(items) == 10, 'bounds of items')
            call check(items(1) == 1 .or. way > 1 .and. rank > 0, 'the first item')
            deallocate (items, rows, weights)
        end do
    end subroutine

    ! Copies of a handle are one plan, loan, advisor or move: what was freed is freed once, and
    ! copies of it are refused, on all ranks alike.
    subroutine copies_of_handles_are_one_thing()
        type :: keeper
            type(equipoise_plan) :: plan
        end type
        type(equipoise_plan) :: plan, copy
        type(equipoise_plan), allocatable :: plans(:)
        type(equipoise_loan) :: loan, other_loan
        type(equipoise_advisor) :: advisor, other_advisor
        type(equipoise_moving) :: moving, other_moving
        type(keeper) :: one, two
        type(names), target :: list
        integer, allocatable, target, asynchronous :: items(:), moved(:)
        character(300) :: errmsg
        integer :: i, stat
        items = [(i, i=1, pile())]
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan)
        copy = plan
        plans = [plan, copy, copy]
        one%plan = plan
        two = one
        call check(copy%size_after() == 12, 'a copy of a plan')
        call check(two%plan%size_after() == 12, 'a copy of what has a plan')
        moved = items
        call plans(2)%replace(moved)
        call check(size(moved) == 12, 'moving by a copy')
        call plan%free()
        call copy%free()
        call copy%free()
        do i = 1, 3
            call plans(i)%free()
        end do
        call check(two%plan%size_after() == 0, 'a copy of a plan that was freed')
        call two%plan%replace(items, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected a plan, found none')
        call one%plan%free()
        ! A plan that is made later is another one.
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan)
        call two%plan%free()
        call check(plan%size_after() == 12, 'a plan after another was freed')
        ! The inverse of a plan may take its place.
        call plan%make_inverse(plan)
        call check(plan%size_after() == pile(), 'an inverse')
        call plan%make_inverse(plan)

        call equipoise_make_loan(MPI_COMM_WORLD, size(items), loan)
        other_loan = loan
        call loan%free()
        call other_loan%free()
        call equipoise_make_advisor(MPI_COMM_WORLD, advisor)
        other_advisor = advisor
        call other_advisor%step(1d0)
        call advisor%free()
        call other_advisor%free()
        call other_advisor%step(1d0, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected an advisor, found none')

        deallocate (moved)
        allocate (moved(12))
        call plan%begin(equipoise_array(items, moved), moving)
        other_moving = moving
        call moving%end()
        call other_moving%end(stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected a move that was begun')
        allocate (list%old(pile()), list%new(12))
        do i = 1, size(list%old)
            list%old(i)%text = repeat('y', i)
        end do
        call plan%begin(list, moving)
        other_moving = moving
        call other_moving%end()
        call moving%end(stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected a move that was begun')
        call plan%free()
    end subroutine

    subroutine pack(self, place, out, stat)
        class(names), intent(inout) :: self
        integer(int64), intent(in) :: place
        type(equipoise_writer), intent(inout) :: out
        integer, intent(inout) :: stat
        stat = self%pack_fails
        call out%put(len(self%old(place)%text))
        call out%put(self%old(place)%text)
        call out%put([1_int64, place])
    end subroutine
    subroutine unpack(self, place, in, stat)
        class(names), intent(inout) :: self
        integer(int64), intent(in) :: place
        type(equipoise_reader), intent(inout) :: in
        integer, intent(inout) :: stat
        integer(int64) :: marks(2)
        integer :: length
        length = 0
        marks = 0
        stat = self%unpack_fails
        call in%get(length)
        allocate (character(length) :: self%new(place)%text)
        call in%get(self%new(place)%text)
        call in%get(marks)
        call check(marks(1) == 1, 'marks')
        if (self%reads_too_much) call in%get(length)
    end subroutine
    subroutine keep(self, from, to)
        class(names), intent(inout) :: self
        integer(int64), intent(in) :: from, to
        self%new(to) = self%old(from)
    end subroutine

    subroutine items_with_allocatable_components()
        type(names), target :: list
        type(equipoise_plan) :: plan
        type(equipoise_moving) :: moving
        character(300) :: errmsg
        integer :: i, way, stat
        allocate (list%old(pile()))
        do i = 1, size(list%old)
            list%old(i)%text = repeat('x', i)
        end do
        call equipoise_make_plan(MPI_COMM_WORLD, size(list%old), plan, policy='keep-order')
        do way = 1, 5
            if (way < 4 .and. ranks == 1) cycle
            if (allocated(list%new)) deallocate (list%new)
            allocate (list%new(plan%size_after()))
            list%pack_fails = merge(7, 0, way == 1)
            list%unpack_fails = merge(8, 0, way == 2 .and. rank == 1)
            list%reads_too_much = way == 3 .and. rank == 1
            if (way < 5) then
                call plan%execute(list, stat=stat, errmsg=errmsg)
            else
                call plan%begin(list, moving, stat=stat)
                call moving%end(stat=stat, errmsg=errmsg)
            end if
            if (way == 1) call check_error(EQUIPOISE_CALLBACK_FAILED, stat, errmsg, &
                                           'pack() returned 7')
            if (way == 2) call check_error(EQUIPOISE_CALLBACK_FAILED, stat, errmsg, &
                                           'unpack() returned 8')
            if (way == 3) call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'ends before')
            do i = 1, size(list%old)
                call check(list%old(i)%text == repeat('x', i), 'old names stay')
            end do
        end do
        call check(stat == EQUIPOISE_OK, 'names move')
        do i = 1, size(list%new)
            call check(len(list%new(i)%text) == 12 * rank + i, 'length of a name')
        end do
        call plan%free()
    end subroutine

    subroutine loans_and_inverse_plans()
        type(equipoise_loan) :: loan
        type(equipoise_plan) :: there, back
        integer, allocatable :: items(:), moved(:), to(:)
        real(real64), allocatable :: rows(:, :), results(:), weights(:)
        character(300) :: errmsg
        integer :: i, step, stat
        items = [(i, i=1, pile())]
        rows = spread(real(items, real64), 1, 2)
        allocate (weights(size(items)), source=1d0)
        call equipoise_make_loan(MPI_COMM_WORLD, size(items), loan, weights)
        do step = 1, 2
            moved = items
            call loan%lend(moved)
            call loan%lend(rows)
            call check(size(moved) == 12 .and. all(nint(rows(1, :)) == moved), 'lend')
            results = 2 * rows(2, :)
            call loan%give_back(rows)
            call loan%give_back(results)
            call check(size(rows, 2) == pile() .and. all(nint(rows(1, :)) == items), 'give_back')
            call check(size(results) == pile() .and. all(nint(results) == 2 * items), 'results')
        end do
        call loan%give_back(rows, stat=stat, errmsg=errmsg)
        if (ranks > 1) call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'the planned size')
        call loan%free()
        to = mod(items, ranks)
        call equipoise_make_plan_to(MPI_COMM_WORLD, to, there)
        call there%make_inverse(back)
        moved = items
        call there%replace(moved)
        call check(all(mod(moved, ranks) == rank), 'items of given ranks')
        call back%replace(moved)
        call check(size(moved) == pile() .and. all(moved == items), 'items that are back')
        call there%free()
        call back%free()
        call equipoise_make_plan_to(MPI_COMM_WORLD%MPI_VAL, [merge(-1, 0, rank == ranks - 1)], &
                                    there, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'found one for rank -1')
    end subroutine

    subroutine parts_of_a_new_partition()
        integer :: parts(10), rank_of_part(ranks), part, stat
        integer(int64) :: bytes(10)
        type(equipoise_relabelling) :: found
        character(300) :: errmsg
        parts = modulo(rank - 1, ranks)  ! part p is on rank p + 1
        bytes = 8
        call equipoise_relabel(MPI_COMM_WORLD, parts, bytes, rank_of_part=rank_of_part, found=found)
        call check(all(parts == rank), 'parts stay')
        call check(all(rank_of_part == [(modulo(part + 1, ranks), part=0, ranks - 1)]), 'ranks')
        call check(found%moved == 0 .and. found%bytes == 80 * ranks, 'relabelled bytes')
        call equipoise_relabel(MPI_COMM_WORLD%MPI_VAL, parts, bytes(1:merge(9, 10, rank == 0)), &
                               stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'one size for each item')
    end subroutine

    subroutine an_advisor()
        type(equipoise_advisor) :: advisor
        type(equipoise_advice) :: advice
        type(equipoise_report) :: report
        character(300) :: errmsg
        integer :: step, balances, stat
        call equipoise_make_advisor(MPI_COMM_WORLD, advisor)
        balances = 0
        do step = 1, 20
            call advisor%step(merge(2d0, 1d0, rank == 0))
            advice = advisor%advice()
            call check(advisor%worth_it() .eqv. advice%worth_it == 1, 'advice')
            call check(advice%cost >= 0 .eqv. balances > 0, 'cost')
            if (.not. advisor%worth_it()) cycle
            balances = balances + 1
            report%seconds_moving = 0.25d0
            call advisor%balanced(report)
        end do
        call check(balances > 0 .eqv. ranks > 1, 'a trial')
        call advisor%step(merge(-1d0, 1d0, rank == 0), stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'seconds')
        call advisor%free()
    end subroutine

    subroutine neighbours_only()
        type(MPI_Comm) :: ring
        integer, allocatable :: items(:)
        character(300) :: errmsg
        integer :: stat
        allocate (items(pile()), source=1)
        call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring)
        call equipoise_rebalance(ring, items, policy='neighbours-only', stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'equipoise_use_neighbours()')
        call equipoise_use_neighbours()
        call equipoise_rebalance(ring, items, policy='neighbours-only', algorithm='discrepancy-1')
        call check(size(items) == 12, 'neighbours-only')
        call MPI_Comm_free(ring)
    end subroutine

end module

program fortran_test
    use checks
    implicit none
    character(10) :: argument
    integer, allocatable :: items(:)
    call begin_checks()
    call get_command_argument(1, argument)
    if (argument == 'stop') call equipoise_rebalance(MPI_COMM_WORLD, items, speed=-1d0)
    call every_kind_and_rank()
    call options_reach_the_plan()
    call weights_move_along()
    call several_arrays_begin_and_end()
    call errors_are_the_same_everywhere()
    call lower_bounds_become_1()
    call copies_of_handles_are_one_thing()
    call items_with_allocatable_components()
    call loans_and_inverse_plans()
    call parts_of_a_new_partition()
    call an_advisor()
    call neighbours_only()
    call level_loads_hide_nothing()
    call end_checks()
end program
