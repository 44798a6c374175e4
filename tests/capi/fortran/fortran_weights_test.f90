! Weights of every kind that calls take, beside items of every kind.
module weighed
    implicit none
    type :: stone
        integer :: number = 0
        real :: size = 0
    end type
end module

module stone_balancer
    use weighed, only: own_type => stone
    include 'equipoise_own_type.inc'
end module

module weight_checks
    use mpi_f08
    use equipoise
    use weighed
    use stone_balancer
    use counted
    implicit none

contains

    ! What an item costs.
    elemental integer function cost(number)
        integer, intent(in) :: number
        cost = 1 + mod(number, 7)
    end function

    function numbers() result(own)
        integer, allocatable :: own(:)
        integer :: i
        own = [(i, i=1, pile())]
    end function

    ! The items that this rank gets by weights of real64.
    function expected(policy) result(items)
        character(*), intent(in) :: policy
        integer, allocatable :: items(:)
        real(real64), allocatable :: weights(:)
        items = numbers()
        weights = cost(items)
        call equipoise_rebalance(MPI_COMM_WORLD, items, weights, policy=policy)
        call check(all(nint(weights) == cost(items)), 'weights of real64')
    end function

    subroutine every_kind_levels_as_real64_does(policy)
        character(*), intent(in) :: policy
        integer, allocatable :: right(:), items(:)
        integer(int64), allocatable :: wide(:), weights_i8(:)
        integer(int32), allocatable :: weights_i4(:)
        real(real32), allocatable :: weights_r4(:), reals(:), rows(:, :)
        complex(real64), allocatable :: points(:)
        logical, allocatable :: flags(:)
        character(5), allocatable :: words(:)
        right = expected(policy)

        items = numbers()
        weights_r4 = cost(items)
        call equipoise_rebalance(MPI_COMM_WORLD, items, weights_r4, policy=policy)
        call check(size(items) == size(right), 'as many items by real32')
        call check(all(items == right), 'items by real32')
        call check(all(nint(weights_r4) == cost(right)), 'weights of real32')

        items = numbers()
        weights_i4 = cost(items)
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, items, weights_i4, policy=policy)
        call check(all(items == right), 'items of int32 by int32')
        call check(all(weights_i4 == cost(right)), 'weights of int32')

        wide = numbers()
        weights_i8 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD, wide, weights_i8, policy=policy)
        call check(all(wide == right), 'items of int64 by int64')
        call check(all(weights_i8 == cost(right)), 'weights of int64')

        wide = numbers()
        weights_i4 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD, wide, weights_i4, policy=policy)
        call check(all(wide == right) .and. all(weights_i4 == cost(right)), 'int64 by int32')

        reals = numbers()
        weights_r4 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, reals, weights=weights_r4, policy=policy)
        call check(all(nint(reals) == right) .and. all(nint(weights_r4) == cost(right)), &
                   'real32 by real32')

        allocate (rows, source=spread(real(numbers()), 1, 3))
        weights_i8 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD, rows, weights_i8, policy=policy)
        call check(size(rows, 2) == size(right), 'as many columns by int64')
        call check(all(nint(rows(3, :)) == right) .and. all(weights_i8 == cost(right)), &
                   'columns by int64')

        points = cmplx(numbers(), 0, real64)
        weights_r4 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD, points, weights_r4, policy=policy)
        call check(all(nint(real(points)) == right), 'complex by real32')

        flags = mod(numbers(), 2) == 0
        weights_i4 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD, flags, weights_i4, policy=policy)
        call check(all(flags .eqv. mod(right, 2) == 0), 'logicals by int32')

        allocate (words(pile()))
        words = 'hello'
        weights_i8 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD, words, weights_i8, policy=policy)
        call check(size(words) == size(right) .and. all(words == 'hello'), 'texts by int64')
    end subroutine

    subroutine own_types_and_texts_of_deferred_length()
        type(stone), allocatable :: stones(:), pairs(:, :)
        character(:), allocatable :: texts(:)
        real(real32), allocatable :: r4(:)
        integer(int32), allocatable :: i4(:)
        integer(int64), allocatable :: i8(:)
        integer, allocatable :: right(:)
        integer :: i
        right = expected('keep-order')
        allocate (stones(pile()), pairs(2, pile()))
        stones%number = numbers()
        pairs(1, :) = stones
        pairs(2, :) = stones
        r4 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD, stones, r4, policy='keep-order')
        call check(all(stones%number == right) .and. all(nint(r4) == cost(right)), 'own type')
        i8 = cost(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, pairs, i8, policy='keep-order')
        call check(all(pairs(2, :)%number == right) .and. all(i8 == cost(right)), 'own pairs')
        allocate (character(4) :: texts(pile()))
        do i = 1, pile()
            write (texts(i), '(i0.4)') i
        end do
        i4 = cost(numbers())
        call equipoise_rebalance_texts(MPI_COMM_WORLD, texts, i4, policy='keep-order')
        call check(size(texts) == size(right) .and. len(texts) == 4, 'texts of deferred length')
        do i = 1, size(texts)
            read (texts(i), *) right(i)
        end do
        call check(all(i4 == cost(right)), 'weights of texts')
    end subroutine

    ! Several an item stand together.
    subroutine phases_of_integers()
        integer, allocatable :: items(:), pairs(:)
        type(equipoise_report) :: report
        integer :: i
        items = numbers()
        pairs = [(merge(1, 0, mod(i, 2) == 0), merge(0, 1, mod(i, 2) == 0), i=1, pile())]
        call equipoise_rebalance(MPI_COMM_WORLD, items, pairs, weights_per_item=2, report=report)
        call check(size(pairs) == 2 * size(items), 'two weights an item')
        call check(all(pairs(1::2) == merge(1, 0, mod(items, 2) == 0)), 'the first weight')
        call check(report%weights_per_item == 2 .and. report%largest < 1.01d0, 'level phases')
    end subroutine

    subroutine plans_and_loans_by_every_kind()
        type(equipoise_plan) :: right, plan
        type(equipoise_loan) :: loan
        real(real64), allocatable :: r8(:)
        real(real32), allocatable :: r4(:)
        integer(int32), allocatable :: i4(:)
        integer(int64), allocatable :: i8(:)
        r8 = cost(numbers())
        r4 = cost(numbers())
        i4 = cost(numbers())
        i8 = cost(numbers())
        call equipoise_make_plan(MPI_COMM_WORLD, pile(), right, weights=r8)
        call equipoise_make_plan(MPI_COMM_WORLD, pile(), plan, weights=r4)
        call check(all(plan%destinations() == right%destinations()), 'plan by real32')
        call equipoise_make_plan(MPI_COMM_WORLD%MPI_VAL, int(pile(), int64), plan, i4)
        call check(all(plan%destinations() == right%destinations()), 'plan by int32')
        call equipoise_make_plan(MPI_COMM_WORLD, int(pile(), int64), plan, i8)
        call check(all(plan%destinations() == right%destinations()), 'plan by int64')
        call equipoise_make_loan(MPI_COMM_WORLD, pile(), loan, weights=r4)
        call check(all(loan%there%destinations() == right%destinations()), 'loan by real32')
        call equipoise_make_loan(MPI_COMM_WORLD%MPI_VAL, pile(), loan, i4)
        call check(all(loan%there%destinations() == right%destinations()), 'loan by int32')
        call equipoise_make_loan(MPI_COMM_WORLD, int(pile(), int64), loan, weights=i8)
        call check(all(loan%there%destinations() == right%destinations()), 'loan by int64')
        call loan%free()
        call plan%free()
        call right%free()
    end subroutine

    ! Columns of several weights are those that stand together in an array of rank 1.
    subroutine columns_of_weights()
        type(equipoise_plan) :: plan, right
        type(equipoise_loan) :: loan
        integer, allocatable :: items(:)
        real(real64), allocatable :: columns(:, :)
        integer :: stat
        character(200) :: errmsg
        items = numbers()
        allocate (columns(2, size(items)))
        columns(1, :) = cost(items)
        columns(2, :) = cost(3 * items)
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), right, &
                                 reshape(columns, [size(columns)]), weights_per_item=2)
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan, columns)
        call check_same()
        call equipoise_make_plan(MPI_COMM_WORLD%MPI_VAL, size(items, kind=int64), plan, &
                                 real(columns, real32), weights_per_item=2)
        call check_same()
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan, nint(columns))
        call check_same()
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan, int(columns, int64))
        call check_same()
        call equipoise_make_loan(MPI_COMM_WORLD, size(items), loan, nint(columns))
        call check(all(loan%there%destinations() == right%destinations()), 'a loan by columns')
        call right%replace(items)
        call right%replace(columns)
        call check(all(nint(columns(2, :)) == cost(3 * items)), 'columns move with their items')
        call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan, columns, weights_per_item=3, &
                                 stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, &
                         'columns of weights_per_item weights, found 2')
        call loan%free()
        call right%free()
    contains
        subroutine check_same()
            type(equipoise_report) :: report
            report = plan%report()
            call check(report%weights_per_item == 2, 'two weights an item')
            call check(all(plan%destinations() == right%destinations()), 'the same plan')
            call plan%free()
        end subroutine
    end subroutine

    ! One call takes columns of weights of every kind, and they move with their items.
    subroutine columns_level_as_weights_that_stand_together(policy)
        character(*), intent(in) :: policy
        integer, allocatable :: right(:), items(:), together(:)
        real(real64), allocatable :: r8(:, :)
        real(real32), allocatable :: r4(:, :), rows(:, :)
        integer(int32), allocatable :: i4(:, :)
        integer(int64), allocatable :: i8(:, :)
        type(stone), allocatable :: stones(:)
        character(:), allocatable :: texts(:)
        type(equipoise_report) :: report
        right = numbers()
        together = reshape(two_costs(right), [2 * size(right)])
        call equipoise_rebalance(MPI_COMM_WORLD, right, together, policy=policy, &
                                 weights_per_item=2)

        items = numbers()
        r8 = two_costs(items)
        call equipoise_rebalance(MPI_COMM_WORLD, items, r8, policy=policy, report=report)
        call check(report%weights_per_item == 2, 'two weights an item')
        call check(size(r8, 1) == 2 .and. size(r8, 2) == size(items), 'as many columns as items')
        call check(all(items == right) .and. all(nint(r8) == two_costs(right)), 'columns of real64')

        allocate (rows, source=spread(real(numbers()), 1, 3))
        r4 = two_costs(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD%MPI_VAL, rows, r4, policy=policy)
        call check(all(nint(rows(3, :)) == right), 'items of rank 2 by columns')
        call check(all(nint(r4) == two_costs(right)), 'columns of real32')

        allocate (stones(pile()))
        stones%number = numbers()
        i4 = two_costs(numbers())
        call equipoise_rebalance(MPI_COMM_WORLD, stones, weights=i4, policy=policy, &
                                 weights_per_item=2)
        call check(all(stones%number == right) .and. all(i4 == two_costs(right)), 'an own type')

        allocate (character(3) :: texts(pile()))
        texts = 'abc'
        i8 = two_costs(numbers())
        call equipoise_rebalance_texts(MPI_COMM_WORLD, texts, i8, policy=policy)
        call check(size(texts) == size(right) .and. all(i8 == two_costs(right)), 'texts by columns')
    end subroutine

    ! What two phases of an item cost.
    function two_costs(items) result(costs)
        integer, intent(in) :: items(:)
        integer, allocatable :: costs(:, :)
        allocate (costs(2, size(items)))
        costs(1, :) = cost(items)
        costs(2, :) = cost(3 * items)
    end function

    subroutine bounds_and_errors_of_columns()
        integer, allocatable :: items(:)
        real(real64), allocatable :: columns(:, :)
        character(300) :: errmsg
        integer :: stat
        items = [1, 2, 3]
        allocate (columns(0:1, 5:7), source=1d0)
        call equipoise_rebalance(MPI_COMM_WORLD, items, columns, weights_per_item=3, stat=stat, &
                                 errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, &
                         'columns of weights_per_item weights, found 2')
        call check(all(lbound(columns) == [0, 5]), 'bounds of columns after an error')
        call equipoise_rebalance(MPI_COMM_WORLD, items, columns, stat=stat)
        call check(stat == EQUIPOISE_OK .and. all(lbound(columns) == 1), 'bounds of columns')
        call check(all(shape(columns) == [2, 3]) .and. all(nint(columns) == 1), 'columns that stay')
        if (rank == ranks - 1) then
            deallocate (columns)
            allocate (columns(2, 2), source=1d0)
        end if
        call equipoise_rebalance(MPI_COMM_WORLD, items, columns, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'found 4 weights, items: 3')
        deallocate (columns)
        call equipoise_rebalance(MPI_COMM_WORLD, items, columns, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'one that is not allocated')
        call check(.not. allocated(columns), 'columns are as they were')
        allocate (columns(0, 3))
        call equipoise_rebalance(MPI_COMM_WORLD, items, columns, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'at least one row, found none')
    end subroutine

    ! Arrays are as they were after an error, and have lower bounds of 1 where nothing moves.
    subroutine bounds_and_errors()
        integer, allocatable :: items(:)
        real(real32), allocatable :: r4(:)
        integer(int32), allocatable :: i4(:)
        integer(int64), allocatable :: i8(:)
        character(300) :: errmsg
        integer :: stat
        allocate (items(0:3), r4(-2:1), i4(5:8), i8(7:10))
        items = 1
        r4 = 1.5
        i4 = 2
        i8 = 3
        i8(10) = merge(2_int64**53 + 1, 3_int64, rank == 0)
        call equipoise_rebalance(MPI_COMM_WORLD, items, i8, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'that a double can equal')
        call check(lbound(i8, 1) == 7 .and. lbound(items, 1) == 0, 'bounds after an error')
        call check(all(i8(7:9) == 3), 'weights after an error')
        i4(5) = merge(-4, 2, rank == ranks - 1)
        call equipoise_rebalance(MPI_COMM_WORLD, items, i4, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'finite and at least 0, found -4')
        call equipoise_rebalance(MPI_COMM_WORLD, items, r4, stat=stat)
        call check(stat == EQUIPOISE_OK, 'level weights')
        call check(lbound(r4, 1) == 1 .and. lbound(items, 1) == 1, 'lower bounds of 1')
        call check(size(r4) == 4 .and. all(nint(2 * r4) == 3), 'weights that stay')
        deallocate (r4)
        call equipoise_rebalance(MPI_COMM_WORLD, items, r4, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'found 0 weights')
        call check(allocated(r4), 'no weights are an array of none')
        if (ranks == 1) return
        i8 = 3
        deallocate (i4)
        allocate (i4(4), source=2)
        if (rank == 0) then
            call equipoise_rebalance(MPI_COMM_WORLD, items, i8, stat=stat, errmsg=errmsg)
        else
            call equipoise_rebalance(MPI_COMM_WORLD, items, i4, stat=stat, errmsg=errmsg)
        end if
        call check_error(EQUIPOISE_DIFFERENT_CALLS, stat, errmsg, 'weights of int')
        deallocate (items, i8)
        allocate (items(pile()), source=1)
        allocate (i8(pile()), source=3_int64)
        if (rank == 0) then
            call equipoise_rebalance(MPI_COMM_WORLD, items, i8, stat=stat, errmsg=errmsg)
        else
            call equipoise_rebalance(MPI_COMM_WORLD, items, policy='weighted', stat=stat, &
                                     errmsg=errmsg)
        end if
        call check_error(EQUIPOISE_DIFFERENT_CALLS, stat, errmsg, 'and weights of int64')
        call check(size(items) == pile(), 'items after an error')
    end subroutine

end module

program fortran_weights_test
    use weight_checks
    implicit none
    call begin_checks()
    call every_kind_levels_as_real64_does('weighted')
    call every_kind_levels_as_real64_does('keep-order')
    call own_types_and_texts_of_deferred_length()
    call phases_of_integers()
    call plans_and_loans_by_every_kind()
    call columns_of_weights()
    call columns_level_as_weights_that_stand_together('weighted')
    call columns_level_as_weights_that_stand_together('keep-order')
    call bounds_and_errors_of_columns()
    call bounds_and_errors()
    call end_checks()
end program
