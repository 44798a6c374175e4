! Arrays of more elements than a default integer can count, on 2 ranks. They have a byte each.
module long_checks
    use mpi_f08
    use equipoise
    use counted
    implicit none

    integer(int64), parameter :: many = 2_int64**31 + 7

contains

    ! Items of which rank 0 has all.
    function held() result(count)
        integer(int64) :: count
        count = merge(many, 0_int64, rank == 0)
    end function

    ! A byte that tells items apart which are a power of 2 from each other.
    elemental function content(i) result(byte)
        integer(int64), intent(in) :: i
        integer(int8) :: byte
        byte = int(mod(i, 251_int64) - 125, int8)
    end function

    subroutine fill(bytes)
        integer(int8), intent(out) :: bytes(:)
        integer(int64) :: i
        do i = 1, size(bytes, kind=int64)
            bytes(i) = content(i)
        end do
    end subroutine

    ! Whether rank 1 has all items and rank 0 none.
    function arrived(bytes) result(right)
        integer(int8), intent(in) :: bytes(:)
        logical :: right
        integer(int64) :: i
        right = size(bytes, kind=int64) == many - held()
        do i = 1, size(bytes, kind=int64)
            right = right .and. bytes(i) == content(i)
        end do
    end function

    subroutine arrays_move_whole()
        integer(int8), allocatable, target :: bytes(:), fresh(:)
        integer(int8), pointer, contiguous :: room(:)
        type(equipoise_plan) :: plan
        integer :: stat
        character(300) :: errmsg
        errmsg = ''
        allocate (bytes(held()))
        call fill(bytes)
        call equipoise_make_plan(MPI_COMM_WORLD, held(), plan, policy='keep-order', &
                                 speed=real(rank, real64))
        allocate (fresh(plan%size_after()))
        call plan%execute(equipoise_array(bytes, fresh), stat=stat, errmsg=errmsg)
        call check(stat == EQUIPOISE_OK, trim(errmsg))
        call check(arrived(fresh), 'an array of rank 1')
        deallocate (fresh)
        allocate (room(many))
        room(:held()) = bytes
        call equipoise_move_rows(plan, equipoise_rows(room), stat=stat, errmsg=errmsg)
        call check(stat == EQUIPOISE_OK, trim(errmsg))
        call check(arrived(room(:many - held())), 'rows in place')
        deallocate (room)
        call plan%free()
        call equipoise_rebalance(MPI_COMM_WORLD, bytes, policy='keep-order', &
                                 speed=real(rank, real64), stat=stat, errmsg=errmsg)
        call check(stat == EQUIPOISE_OK, trim(errmsg))
        call check(arrived(bytes), 'items that are levelled')
    end subroutine

    ! Columns so long that a default integer cannot count their rows.
    subroutine columns_move_whole()
        integer(int8), allocatable, target :: column(:, :), fresh(:, :)
        type(equipoise_plan) :: plan
        integer :: stat
        character(300) :: errmsg
        errmsg = ''
        allocate (column(many, merge(1, 0, rank == 0)))
        if (rank == 0) call fill(column(:, 1))
        call equipoise_make_plan(MPI_COMM_WORLD, size(column, 2), plan, speed=real(rank, real64))
        allocate (fresh(many, plan%size_after()))
        call plan%execute(equipoise_array(column, fresh), stat=stat, errmsg=errmsg)
        call check(stat == EQUIPOISE_OK, trim(errmsg))
        call check(size(fresh, 2) == rank, 'columns that arrive')
        if (rank == 1) call check(arrived(fresh(:, 1)), 'a column')
        call plan%free()
    end subroutine

    ! Their numbers differ by 2^32: the sizes, which take no memory, must not be read.
    subroutine as_many_sizes_as_items()
        integer(int64), allocatable :: bytes(:)
        character(300) :: errmsg
        integer :: parts(3), stat
        logical :: all_there
        parts = 0
        allocate (bytes(2_int64**32 + 3), stat=stat)
        all_there = allocated(bytes)
        call MPI_Allreduce(MPI_IN_PLACE, all_there, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD)
        if (.not. all_there) return
        call equipoise_relabel(MPI_COMM_WORLD, parts, bytes, stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected one size for each item, &
            &found 4294967299 sizes, items: 3')
    end subroutine
end module

program fortran_long_test
    use long_checks
    implicit none
    call begin_checks()
    call arrays_move_whole()
    call columns_move_whole()
    call as_many_sizes_as_items()
    call end_checks()
end program
