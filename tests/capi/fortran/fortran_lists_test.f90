! Plans as lists in Fortran, on any number of ranks: an MPI_Alltoallv of one's own does what a plan
! does.
module list_checks
    use mpi_f08
    use equipoise
    use counted
    implicit none

contains

    ! What a program does that moves its items itself.
    function exchanged(plan, items) result(fresh)
        type(equipoise_plan), intent(in) :: plan
        integer, intent(in) :: items(:)
        integer, allocatable :: fresh(:), leaving(:), arrived(:)
        type(equipoise_exchange) :: lists
        call plan%make_exchange(lists)
        allocate (leaving, source=items(lists%send_order))
        allocate (arrived(size(lists%receive_places)))
        allocate (fresh(plan%size_after()), source=-1)
        call MPI_Alltoallv(leaving, lists%send_counts, lists%send_offsets, MPI_INTEGER, arrived, &
                           lists%receive_counts, lists%receive_offsets, MPI_INTEGER, &
                           MPI_COMM_WORLD)
        fresh(lists%kept_to) = items(lists%kept_from)
        fresh(lists%receive_places) = arrived
    end function

    subroutine check_as_executed(plan, items, what)
        type(equipoise_plan), intent(in) :: plan
        integer, intent(in) :: items(:)
        character(*), intent(in) :: what
        integer, allocatable :: executed(:)
        type(equipoise_plan) :: back
        allocate (executed, source=items)
        call plan%replace(executed)
        call check(all(executed == exchanged(plan, items)), what)
        call plan%make_inverse(back)
        call check(all(items == exchanged(back, executed)), 'the inverse of ' // what)
        call back%free()
    end subroutine

    subroutine every_policy()
        character(13), parameter :: policies(4) = &
            [character(13) :: 'minimum-moves', 'keep-order', 'hierarchical', 'random-pairs']
        integer, allocatable :: items(:)
        type(equipoise_plan) :: plan
        integer :: i, policy
        allocate (items, source=[(1000 * rank + i, i=1, merge(12 * ranks, 2 * rank, rank == 0))])
        do policy = 1, size(policies)
            call equipoise_make_plan(MPI_COMM_WORLD, size(items), plan, policy=policies(policy))
            call check_as_executed(plan, items, trim(policies(policy)))
            call check(count(plan%destinations() /= rank) == &
                       items_sent(plan), 'destinations of ' // trim(policies(policy)))
            call plan%free()
        end do
    end subroutine

    function items_sent(plan) result(items)
        type(equipoise_plan), intent(in) :: plan
        integer :: items
        type(equipoise_exchange) :: lists
        call plan%make_exchange64(lists)
        items = size(lists%send_order)
        call check(sum(lists%send_counts64) == items, 'counts of 64 bits')
        call check(sum(lists%receive_counts64) == size(lists%receive_places), 'counts of arrivals')
        call check(lists%send_counts64(rank + 1) == 0, 'what stays is not counted')
        call check(.not. allocated(lists%send_counts), 'no counts of integer')
    end function

    subroutine ranks_of_both_kinds()
        integer(int32) :: narrow(20)
        integer(int64) :: wide(20)
        type(equipoise_plan) :: plan
        character(300) :: errmsg
        integer :: i, stat
        narrow = [(mod(i * (rank + 3), ranks), i=1, 20)]
        wide = narrow
        call equipoise_make_plan_to(MPI_COMM_WORLD, narrow, plan)
        call check(all(plan%destinations() == narrow), 'ranks of int32')
        call check_as_executed(plan, [(1000 * rank + i, i=1, 20)], 'a plan to ranks')
        call equipoise_make_plan_to(MPI_COMM_WORLD%MPI_VAL, wide, plan)
        call check(all(plan%destinations() == narrow), 'ranks of int64')
        call plan%free()
        if (rank == ranks - 1) wide(7) = 2_int64**32
        call equipoise_make_plan_to(MPI_COMM_WORLD, wide, plan, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'found one for rank 4294967296')
    end subroutine

    subroutine what_cannot_be_listed()
        type(equipoise_plan) :: plan
        type(equipoise_exchange) :: lists
        character(300) :: errmsg
        integer :: stat
        call plan%make_exchange(lists, stat, errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected a plan')
        call check(size(plan%destinations()) == 0, 'destinations without a plan')
        if (ranks == 1) return
        call equipoise_make_plan(MPI_COMM_WORLD, merge(2_int64**33, 0_int64, rank == 0), plan)
        call plan%make_exchange(lists, stat, errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected at most 2147483647 items')
        call plan%free()
    end subroutine

end module

program fortran_lists_test
    use list_checks
    implicit none
    call begin_checks()
    call every_policy()
    call ranks_of_both_kinds()
    call what_cannot_be_listed()
    call end_checks()
end program
