! Rows that move within memory that the caller owns, on the host or on a device.
module equipoise_rooms
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
    use equipoise_calls
    use equipoise_errors
    use equipoise_plans
    implicit none
    private
    public :: equipoise_rows, equipoise_device, equipoise_move_rows, equipoise_begin_rows

    ! An array that holds rows and has room for more, made by equipoise_rows(array): of rank 1, or
    ! of rank 2 whose columns are the rows. Its size is the room; the first plan%size_before() rows
    ! are there. It is contiguous, has the attribute target, is allocated also where a rank has no
    ! rows, and is of integer or logical (1 to 8 bytes), real or complex (single and double), or of
    ! character.
    !
    ! For rows of other types, with gaps between them, and on a device: equipoise_rows(address,
    ! room, row_bytes, stride, on_device), with the bytes of a row, the bytes from one row to the
    ! next (by default row_bytes), and whether they can be reached by an equipoise_device only. So
    ! equipoise_rows(c_loc(particles(1)%x), size(particles), 8, storage_size(particles) / 8) is a
    ! component; what lies between the rows is left alone.
    type :: equipoise_rows
        private
        type(rows_c) :: c
        ! A pointer to the array. Without it compilers may take it that a call that is given these
        ! rows with intent(in) leaves the array as it is (gfortran does).
        integer(int8), pointer :: memory => null()
        logical :: there = .false.     ! on a device
        character(80) :: problem = ''  ! what is wrong with it
    end type
    interface equipoise_rows
        module procedure rows_real32_1, rows_real64_1, rows_complex32_1, rows_complex64_1
        module procedure rows_int8_1, rows_int16_1, rows_int32_1, rows_int64_1
        module procedure rows_logical8_1, rows_logical16_1, rows_logical32_1, rows_logical64_1
        module procedure rows_real32_2, rows_real64_2, rows_complex32_2, rows_complex64_2
        module procedure rows_int8_2, rows_int16_2, rows_int32_2, rows_int64_2
        module procedure rows_logical8_2, rows_logical16_2, rows_logical32_2, rows_logical64_2
        module procedure rows_text_1, rows_text_2
        module procedure rows_of_address_int32, rows_of_address_int64
    end interface

    ! Moves the rows of one equipoise_rows, or of several, by a plan, within their arrays:
    ! equipoise_move_rows(plan, rows, device, report, stat, errmsg). Afterwards the first
    ! plan%size_after() rows of each array are this rank's. Too little room is an error on all
    ! ranks, and nothing has moved.
    !
    ! device is for rows that only functions of the program can reach, as on a GPU: an
    ! equipoise_device, whose components are functions with bind(c), as c_funloc(pack), and a
    ! pointer, stream, that they get as it is. equipoise_rows.h says what they do and promise.
    interface equipoise_move_rows
        module procedure move_one, move_several
    end interface

    ! Begins to move, and returns while rows are under way: equipoise_begin_rows(plan, rows, moving,
    ! device, stat, errmsg). Leave the arrays alone until moving%end(), and declare them
    ! asynchronous.
    interface equipoise_begin_rows
        module procedure begin_one_of_rows, begin_several_rows
    end interface

contains

    ! Rows of which this is the first; null if there is no room.
    function rows_at(first, row_bits, room) result(rows)
        type(c_ptr), intent(in) :: first
        integer(int64), intent(in) :: row_bits, room
        type(equipoise_rows) :: rows
        rows = rows_of_address_int64(first, room, row_bits / 8)
    end function

    function rows_of_address_int64(address, room, row_bytes, stride, on_device) result(rows)
        type(c_ptr), intent(in) :: address
        integer(int64), intent(in) :: room, row_bytes
        integer(int64), intent(in), optional :: stride
        logical, intent(in), optional :: on_device
        type(equipoise_rows) :: rows
        if (row_bytes < 0) rows%problem = 'expected rows of at least 1 byte, found a number below 0'
        rows%c%data = address
        if (c_associated(address)) call c_f_pointer(address, rows%memory)
        rows%c%room = room
        rows%c%row_bytes = max(row_bytes, 0_int64)
        rows%c%stride = rows%c%row_bytes
        if (present(stride)) rows%c%stride = max(stride, 0_int64)
        if (present(on_device)) rows%there = on_device
    end function

    function rows_of_address_int32(address, room, row_bytes, stride, on_device) result(rows)
        type(c_ptr), intent(in) :: address
        integer(int32), intent(in) :: room, row_bytes
        integer(int32), intent(in), optional :: stride
        logical, intent(in), optional :: on_device
        type(equipoise_rows) :: rows
        integer(int64) :: apart
        apart = row_bytes
        if (present(stride)) apart = stride
        rows = rows_of_address_int64(address, int(room, int64), int(row_bytes, int64), apart, &
                                     on_device)
    end function

#include "rows_kinds.inc"

    function rows_text_1(array) result(rows)
        character(*), pointer, contiguous, intent(in) :: array(:)
        type(equipoise_rows) :: rows
        type(c_ptr) :: first
        first = c_null_ptr
        if (size(array, kind=int64) > 0 .and. len(array) > 0) &
            first = c_loc(array(lbound(array, 1))(1:1))
        rows = rows_at(first, storage_size(array, kind=int64), size(array, kind=int64))
    end function

    function rows_text_2(array) result(rows)
        character(*), pointer, contiguous, intent(in) :: array(:, :)
        type(equipoise_rows) :: rows
        type(c_ptr) :: first
        first = c_null_ptr
        if (size(array, kind=int64) > 0 .and. len(array) > 0) &
            first = c_loc(array(lbound(array, 1), lbound(array, 2))(1:1))
        rows = rows_at(first, storage_size(array, kind=int64) * size(array, 1, kind=int64), &
                       size(array, 2, kind=int64))
    end function

    ! What C is given: rows on a device are on `there`.
    function listed(plan, rows, there) result(list)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_rows), intent(in) :: rows(:)
        type(c_ptr), intent(in) :: there
        type(rows_c) :: list(size(rows))
        integer :: i
        do i = 1, size(rows)
            list(i) = rows(i)%c
            list(i)%held = plan%size_before()
            if (rows(i)%there) list(i)%device = there
        end do
    end function

    ! What is wrong with rows; blank: nothing.
    function wrong_rows(rows, has_device) result(problem)
        type(equipoise_rows), intent(in) :: rows(:)
        logical, intent(in) :: has_device
        character(80) :: problem
        integer :: i
        problem = ''
        do i = 1, size(rows)
            if (rows(i)%problem /= '') problem = rows(i)%problem
            if (rows(i)%there .and. .not. has_device) &
                problem = 'expected a device for rows that are on one, found none'
        end do
    end function

    subroutine move_several(plan, rows, device, report, stat, errmsg)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_rows), intent(in) :: rows(:)
        type(equipoise_device), intent(in), optional :: device
        type(equipoise_report), intent(out), optional :: report
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(equipoise_device), target :: there
        type(report_c) :: found
        character(80) :: problem
        integer(c_int) :: code
        if (present(device)) there = device
        there%struct_bytes = c_sizeof(there)
        found%struct_bytes = c_sizeof(found)
        problem = wrong_rows(rows, present(device))
        code = equipoise_fortran_move_rows(plan_at(plan), listed(plan, rows, c_loc(there)), &
                                           size(rows, kind=c_size_t), problem, &
                                           len_trim(problem, kind=c_size_t), found)
        if (present(report) .and. code == EQUIPOISE_OK) report = report_of(found)
        call finish(code, stat, errmsg)
    end subroutine

    subroutine move_one(plan, rows, device, report, stat, errmsg)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_rows), intent(in) :: rows
        type(equipoise_device), intent(in), optional :: device
        type(equipoise_report), intent(out), optional :: report
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call move_several(plan, [rows], device, report, stat, errmsg)
    end subroutine

    subroutine begin_several_rows(plan, rows, moving, device, stat, errmsg)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_rows), intent(in) :: rows(:)
        type(equipoise_moving), intent(out) :: moving
        type(equipoise_device), intent(in), optional :: device
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(equipoise_device), target :: there
        character(80) :: problem
        type(c_ptr) :: begun
        integer(c_int) :: code
        if (present(device)) there = device
        there%struct_bytes = c_sizeof(there)
        problem = wrong_rows(rows, present(device))
        code = equipoise_fortran_begin_rows(plan_at(plan), listed(plan, rows, c_loc(there)), &
                                            size(rows, kind=c_size_t), problem, &
                                            len_trim(problem, kind=c_size_t), begun)
        if (code == EQUIPOISE_OK) moving = moving_of(begun)
        call finish(code, stat, errmsg)
    end subroutine

    subroutine begin_one_of_rows(plan, rows, moving, device, stat, errmsg)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_rows), intent(in) :: rows
        type(equipoise_moving), intent(out) :: moving
        type(equipoise_device), intent(in), optional :: device
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call begin_several_rows(plan, [rows], moving, device, stat, errmsg)
    end subroutine

end module
