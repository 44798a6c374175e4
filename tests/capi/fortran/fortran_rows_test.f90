! Rows that move within memory of a program in Fortran, on the host and on a device that is not
! there: the host cannot touch its memory, its "kernels" can.
module fake_device
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env
    implicit none

    integer(c_size_t), parameter :: device_bytes = 65536
    integer(c_intptr_t) :: at_device = 0, at_alias = 0  ! the same pages: no access, and all
    integer, target :: stream = 0                       ! how often it was waited for
    integer :: buffers = 0
    character(11) :: fails_in = ''

    interface
        function memfd_create(name, flags) result(file) bind(c)
            import :: c_char, c_int
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int), value :: flags
            integer(c_int) :: file
        end function
        function ftruncate(file, bytes) result(code) bind(c)
            import :: c_int, c_long
            integer(c_int), value :: file
            integer(c_long), value :: bytes
            integer(c_int) :: code
        end function
        function mmap(address, bytes, protection, flags, file, offset) result(at) bind(c)
            import :: c_int, c_intptr_t, c_long, c_ptr, c_size_t
            type(c_ptr), value :: address
            integer(c_size_t), value :: bytes
            integer(c_int), value :: protection, flags, file
            integer(c_long), value :: offset
            integer(c_intptr_t) :: at
        end function
        function pipe(ends) result(code) bind(c)
            import :: c_int
            integer(c_int), intent(out) :: ends(2)
            integer(c_int) :: code
        end function
        function write_bytes(file, from, bytes) result(written) bind(c, name='write')
            import :: c_int, c_intptr_t, c_size_t
            integer(c_int), value :: file
            integer(c_intptr_t), value :: from
            integer(c_size_t), value :: bytes
            integer(c_size_t) :: written
        end function
        function malloc(bytes) result(buffer) bind(c)
            import :: c_ptr, c_size_t
            integer(c_size_t), value :: bytes
            type(c_ptr) :: buffer
        end function
        subroutine free(buffer) bind(c)
            import :: c_ptr
            type(c_ptr), value :: buffer
        end subroutine
        subroutine copy_bytes(to, from, bytes) bind(c, name='memcpy')
            import :: c_intptr_t, c_size_t
            integer(c_intptr_t), value :: to, from
            integer(c_size_t), value :: bytes
        end subroutine
    end interface

contains

    subroutine make_device()
        integer(c_int) :: file, code
        file = memfd_create('device' // c_null_char, 0_c_int)
        code = ftruncate(file, int(device_bytes, c_long))
        at_device = mmap(c_null_ptr, device_bytes, 0_c_int, 1_c_int, file, 0_c_long)
        at_alias = mmap(c_null_ptr, device_bytes, 3_c_int, 1_c_int, file, 0_c_long)
    end subroutine

    ! Whether reading at this address faults, which a system call survives.
    function faults(address) result(found)
        integer(c_intptr_t), intent(in) :: address
        logical :: found
        integer(c_int) :: ends(2), code
        code = pipe(ends)
        found = write_bytes(ends(2), address, 1_c_size_t) /= 1
    end function

    ! What lies on the device, `offset` bytes from its beginning.
    subroutine look(offset, room, values)
        integer, intent(in) :: offset, room
        integer(int64), pointer, intent(out) :: values(:)
        type(c_ptr) :: address
        address = transfer(at_alias + offset, address)
        call c_f_pointer(address, values, [room])
    end subroutine

    function address_of(offset) result(address)
        integer, intent(in) :: offset
        type(c_ptr) :: address
        address = transfer(at_device + offset, address)
    end function

    function pack_rows(on, rows, stride, row_bytes, places, count, packed) result(code) bind(c)
        type(c_ptr), value :: on
        integer(c_intptr_t), value :: rows, packed
        integer(c_size_t), value :: stride, row_bytes, count
        integer(c_int64_t), intent(in) :: places(*)
        integer(c_int) :: code
        integer(c_size_t) :: i
        code = merge(7, 0, fails_in == 'pack' .or. .not. c_associated(on, c_loc(stream)))
        if (code /= 0) return
        do i = 1, count
            call copy_bytes(packed + (i - 1) * row_bytes, &
                            rows - at_device + at_alias + places(i) * stride, row_bytes)
        end do
    end function

    function unpack_rows(on, packed, places, count, rows, stride, row_bytes) result(code) bind(c)
        type(c_ptr), value :: on
        integer(c_intptr_t), value :: rows, packed
        integer(c_size_t), value :: stride, row_bytes, count
        integer(c_int64_t), intent(in) :: places(*)
        integer(c_int) :: code
        integer(c_size_t) :: i
        code = merge(7, 0, fails_in == 'unpack' .or. .not. c_associated(on, c_loc(stream)))
        if (code /= 0) return
        do i = 1, count
            call copy_bytes(rows - at_device + at_alias + places(i) * stride, &
                            packed + (i - 1) * row_bytes, row_bytes)
        end do
    end function

    function allocate_buffer(on, bytes) result(buffer) bind(c)
        type(c_ptr), value :: on
        integer(c_size_t), value :: bytes
        type(c_ptr) :: buffer
        buffer = c_null_ptr
        if (fails_in == 'allocate' .or. .not. c_associated(on)) return
        buffer = malloc(bytes)
        buffers = buffers + 1
    end function

    subroutine release_buffer(on, buffer) bind(c)
        type(c_ptr), value :: on, buffer
        if (c_associated(on)) buffers = buffers - 1
        call free(buffer)
    end subroutine

    function wait_for_device(on) result(code) bind(c)
        type(c_ptr), value :: on
        integer(c_int) :: code
        code = merge(7, 0, fails_in == 'synchronise' .or. .not. c_associated(on))
        stream = stream + 1
    end function

end module

module rows_checks
    use, intrinsic :: iso_c_binding
    use mpi_f08
    use equipoise
    use counted
    use fake_device
    implicit none

    character(*), parameter :: in_order = 'keep-order'
    integer, parameter :: room = 100

    type :: particle
        integer(int32) :: kind = -1
        real(real64) :: x = -1
        character(3) :: name = '---'
    end type

contains

    ! Places of the rows that this rank holds before.
    function numbers() result(here)
        integer, allocatable :: here(:)
        integer :: i
        here = [(i, i=1, pile())]
    end function

    ! Rows as keep-order leaves them.
    function own() result(here)
        integer :: here(12)
        integer :: i
        here = [(12 * rank + i, i=1, 12)]
    end function

    subroutine make(plan)
        type(equipoise_plan), intent(inout) :: plan
        call equipoise_make_plan(MPI_COMM_WORLD, pile(), plan, policy=in_order)
    end subroutine

    subroutine arrays_of_all_kinds()
        integer(int8), target :: i1(room)
        integer(int16), target :: i2(room)
        integer(int32), target :: i4(2, room)
        integer(int64), target :: i8(room)
        real(real32), target :: r4(room)
        real(real64), target :: r8(3, room)
        complex(real32), target :: c4(room)
        complex(real64), target :: c8(2, room)
        logical(int8), target :: l1(room)
        logical(int64), target :: l8(2, room)
        character(5), target :: t(room), tt(2, room)
        integer, allocatable, target :: from0(:)
        type(equipoise_plan) :: plan
        type(equipoise_report) :: report
        integer :: n, i
        n = pile()
        allocate (from0(0:room - 1))
        from0 = 0
        from0(:n - 1) = numbers()
        i8 = 0
        i8(:n) = numbers()
        i1 = int(i8, int8)
        i2 = int(i8, int16)
        i4 = int(spread(i8, 1, 2), int32)
        r4 = real(i8, real32)
        r8 = real(spread(i8, 1, 3), real64)
        c4 = cmplx(i8, -i8, real32)
        c8 = spread(cmplx(i8, -i8, real64), 1, 2)
        l1 = modulo(i8, 3_int64) == 0
        l8 = spread(modulo(i8, 3_int64) == 0, 1, 2)
        do i = 1, room
            write (t(i), '(i5)') i8(i)
        end do
        tt = spread(t, 1, 2)
        call make(plan)
        call equipoise_move_rows(plan, [equipoise_rows(i1), equipoise_rows(i2), &
                                 equipoise_rows(i4), equipoise_rows(i8), equipoise_rows(r4), &
                                 equipoise_rows(r8), equipoise_rows(c4), equipoise_rows(c8), &
                                 equipoise_rows(l1), equipoise_rows(l8), equipoise_rows(t), &
                                 equipoise_rows(tt), equipoise_rows(from0)], report=report)
        call check(plan%size_after() == 12, 'size after')
        call check(report%moved == 12 * (ranks - 1), 'report')
        call check(all(i8(:12) == own()), 'int64')
        call check(all(i1(:12) == own()), 'int8')
        call check(all(i2(:12) == own()), 'int16')
        call check(all(i4(:, :12) == spread(own(), 1, 2)), 'int32 of rank 2')
        call check(all(nint(r4(:12)) == own()), 'real32')
        call check(all(nint(r8(:, :12)) == spread(own(), 1, 3)), 'real64 of rank 2')
        call check(all(nint(aimag(c4(:12))) == -own()), 'complex of real32')
        call check(all(nint(real(c8(:, :12))) == spread(own(), 1, 2)), 'complex of real64')
        call check(count(l1(:12) .eqv. modulo(own(), 3) == 0) == 12, 'logical of 1 byte')
        call check(count(l8(2, :12) .eqv. modulo(own(), 3) == 0) == 12, 'logical of 8 bytes')
        do i = 1, 12
            call check(t(i) == tt(2, i), 'texts of rank 2')
            call check(adjustl(t(i)) == text_of(own(), i), 'texts')
        end do
        call check(all(from0(:11) == own()), 'an array from 0')
        ! And back again.
        call plan%make_inverse(plan)
        call equipoise_move_rows(plan, equipoise_rows(i8))
        call check(all(i8(:n) == numbers()), 'the way back')
        call plan%free()
    end subroutine

    function text_of(values, place) result(text)
        integer, intent(in) :: values(:), place
        character(5) :: text
        write (text, '(i0)') values(place)
    end function

    subroutine what_lies_between_stays()
        type(particle), target :: particles(room)
        real(real64), target :: matrix(5, room)
        type(equipoise_plan) :: plan
        integer :: n, i
        n = pile()
        particles(:n)%x = numbers()
        do i = 1, n
            write (particles(i)%name, '(i3)') i
        end do
        matrix = -1
        matrix(2, :n) = numbers()
        matrix(4:5, :n) = spread(numbers(), 1, 2)
        call make(plan)
        i = storage_size(particles) / 8
        call equipoise_move_rows(plan, [equipoise_rows(c_loc(particles(1)%x), room, 8, i), &
                                 equipoise_rows(c_loc(particles(1)%name(1:1)), room, 3, i), &
                                 equipoise_rows(c_loc(matrix(2, 1)), room, 8, 40), &
                                 equipoise_rows(c_loc(matrix(4, 1)), room, 16, 40)])
        call check(all(nint(particles(:12)%x) == own()), 'a component')
        call check(adjustl(particles(12)%name) == text_of(own(), 12), 'a component of text')
        call check(all(particles%kind == -1), 'other components')
        call check(all(nint(matrix(2, :12)) == own()), 'a row of a matrix')
        call check(all(nint(matrix(4:5, :12)) == spread(own(), 1, 2)), 'rows of a matrix')
        call check(all(nint(matrix(1:3:2, :)) == -1), 'other rows of a matrix')
        call plan%free()
    end subroutine

    subroutine room_is_kept_to()
        real(real64), target :: positions(3, room)
        real(real32), target :: charges(room)
        type(equipoise_plan) :: plan
        integer(int64) :: held
        held = pile()
        charges = 0
        charges(:held) = real(numbers(), real32)
        positions = spread(real(charges, real64), 1, 3)
        call equipoise_make_plan(MPI_COMM_WORLD, held, plan, items_max=size(charges))
        call equipoise_move_rows(plan, [equipoise_rows(positions), equipoise_rows(charges)])
        held = plan%size_after()
        call check(held == 12, 'rows within the room')
        call check(all(nint(positions(3, :held)) == nint(charges(:held))), 'rows stay together')
        call plan%free()
    end subroutine

    subroutine rows_move_while_the_program_computes()
        integer, target, asynchronous :: values(room)
        type(particle), target, asynchronous :: particles(room)
        type(equipoise_plan) :: plan
        type(equipoise_moving) :: moving
        type(equipoise_report) :: report
        values = 0
        values(:pile()) = numbers()
        particles(:pile())%kind = numbers()
        call make(plan)
        call equipoise_begin_rows(plan, [equipoise_rows(values), &
                                  equipoise_rows(c_loc(particles(1)%kind), room, 4, &
                                                 storage_size(particles) / 8)], moving)
        call moving%end(report)
        call check(report%moved == 12 * (ranks - 1), 'report of the end')
        call check(all(values(:12) == own()), 'rows under way')
        call check(all(particles(:12)%kind == own()), 'rows by their address')
        call plan%free()
    end subroutine

    subroutine wrong_rows_are_refused_on_all_ranks()
        integer, target :: values(room)
        type(equipoise_plan) :: plan
        integer :: stat
        character(300) :: errmsg
        logical :: last
        last = rank == ranks - 1
        values = 0
        values(:pile()) = numbers()
        call make(plan)
        if (ranks > 1) then
            if (last) then
                call equipoise_move_rows(plan, equipoise_rows(values(:11)), stat=stat, &
                                         errmsg=errmsg)
            else
                call equipoise_move_rows(plan, equipoise_rows(values), stat=stat, errmsg=errmsg)
            end if
            call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, &
                             'expected room for 12 items, found room for 11')
        end if
        if (last) then
            call equipoise_move_rows(plan, equipoise_rows(c_loc(values), room, -4), stat=stat, &
                                     errmsg=errmsg)
        else
            call equipoise_move_rows(plan, equipoise_rows(values), stat=stat, errmsg=errmsg)
        end if
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected rows of at least 1 byte')
        if (last) then
            call equipoise_move_rows(plan, equipoise_rows(c_loc(values), room, 4, 3), stat=stat, &
                                     errmsg=errmsg)
        else
            call equipoise_move_rows(plan, equipoise_rows(values), stat=stat, errmsg=errmsg)
        end if
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected a stride of at least 4 bytes')
        call equipoise_move_rows(plan, equipoise_rows(address_of(0), room, 8, on_device=.true.), &
                                 stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected a device for rows')
        call equipoise_move_rows(plan, equipoise_rows(values), equipoise_device(), stat=stat, &
                                 errmsg=errmsg)
        call check_error(EQUIPOISE_OK, stat, '', '')
        call check(all(values(:12) == own()), 'a device that no row is on')
        call plan%free()
        call equipoise_move_rows(plan, equipoise_rows(values), stat=stat, errmsg=errmsg)
        call check_error(EQUIPOISE_BAD_INPUT, stat, errmsg, 'expected a plan')
    end subroutine

    function device_of(buffers_too) result(device)
        logical, intent(in) :: buffers_too
        type(equipoise_device) :: device
        device%stream = c_loc(stream)
        device%pack = c_funloc(pack_rows)
        device%unpack = c_funloc(unpack_rows)
        if (.not. buffers_too) return
        device%allocate = c_funloc(allocate_buffer)
        device%release = c_funloc(release_buffer)
        device%synchronise = c_funloc(wait_for_device)
        device%places_max = 5
    end function

    subroutine rows_on_a_device()
        integer(int64), pointer :: dense(:), gapped(:)
        integer, target :: host(room)
        type(equipoise_plan) :: plan
        integer :: form, n
        n = pile()
        call look(0, room, dense)
        call look(4096, 3 * room, gapped)
        do form = 1, 2
            dense = 0
            dense(:n) = numbers()
            gapped = -1
            gapped(1:3 * n:3) = numbers()
            host = 0
            host(:n) = numbers()
            call make(plan)
            call equipoise_move_rows(plan, [equipoise_rows(address_of(0), room, 8, &
                                                           on_device=.true.), &
                                     equipoise_rows(host), &
                                     equipoise_rows(address_of(4096), room, 8, 24, .true.)], &
                                     device_of(form == 2))
            call check(all(dense(:12) == own()), 'rows on a device')
            call check(all(gapped(1:36:3) == own()), 'rows on a device with gaps')
            call check(all(gapped(2::3) == -1), 'gaps on a device')
            call check(all(host(:12) == own()), 'rows of the host beside them')
            call plan%free()
        end do
        call check(buffers == 0, 'all buffers are given back')
        call check(ranks == 1 .or. stream > 0, 'the device was waited for')
    end subroutine

    subroutine devices_that_fail()
        integer(int64), pointer :: dense(:)
        type(equipoise_plan) :: plan
        integer :: which, stat
        character(300) :: errmsg
        character(11), parameter :: functions(4) = [character(11) :: 'pack', 'allocate', &
                                                    'synchronise', 'unpack']
        integer, parameter :: codes(4) = [EQUIPOISE_CALLBACK_FAILED, EQUIPOISE_NO_MEMORY, &
                                          EQUIPOISE_CALLBACK_FAILED, EQUIPOISE_CALLBACK_FAILED]
        if (ranks == 1) return  ! nothing leaves
        call look(0, room, dense)
        call make(plan)
        do which = 1, 4
            dense = 0
            dense(:pile()) = numbers()
            ! Rank 0 sends, the last one receives.
            if (rank == merge(ranks - 1, 0, which == 4)) fails_in = functions(which)
            call equipoise_move_rows(plan, equipoise_rows(address_of(0), room, 8, &
                                                          on_device=.true.), device_of(.true.), &
                                     stat=stat, errmsg=errmsg)
            call check_error(codes(which), stat, errmsg, 'rank ')
            fails_in = ''
            call check(buffers == 0, 'buffers after an error')
            if (which < 4) call check(all(dense(:pile()) == numbers()), 'rows after an error')
        end do
        call plan%free()
    end subroutine

end module

program fortran_rows_test
    use rows_checks
    implicit none
    call begin_checks()
    call make_device()
    call check(faults(at_device), 'the host cannot touch the device')
    call check(.not. faults(at_alias), 'kernels can')
    call arrays_of_all_kinds()
    call what_lies_between_stays()
    call room_is_kept_to()
    call rows_move_while_the_program_computes()
    call wrong_rows_are_refused_on_all_ranks()
    call rows_on_a_device()
    call devices_that_fail()
    call end_checks()
end program
