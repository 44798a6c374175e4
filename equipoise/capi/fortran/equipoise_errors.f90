! How subroutines of the module equipoise end, and texts on their way to C and back.
module equipoise_errors
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: error_unit
    use equipoise_calls
    implicit none

    ! Made from equipoise/balancer/faces.toml by tools/make_faces.py: errors.
    ! Values of stat.
    integer, parameter :: EQUIPOISE_OK = 0
    ! An argument or an option of a rank is wrong.
    integer, parameter :: EQUIPOISE_BAD_INPUT = 1
    ! Ranks passed different things.
    integer, parameter :: EQUIPOISE_DIFFERENT_CALLS = 2
    ! A rank could not get the memory that it needs.
    integer, parameter :: EQUIPOISE_NO_MEMORY = 3
    ! A function of the caller, such as one that packs items, failed.
    integer, parameter :: EQUIPOISE_CALLBACK_FAILED = 4
    ! An MPI call failed, on this rank: call MPI_Abort.
    integer, parameter :: EQUIPOISE_MPI_FAILED = 5
    ! End of what is made.

    interface
        function text_length(text) result(length) bind(c, name='strlen')
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: length
        end function
    end interface

contains

    ! What a subroutine ends with: stat and errmsg, or, without stat, a stop.
    subroutine finish(code, stat, errmsg)
        integer(c_int), intent(in) :: code
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        if (present(stat)) stat = int(code)
        if (code == EQUIPOISE_OK) return
        if (present(errmsg)) errmsg = text_at(equipoise_error_text())
        if (present(stat)) return
        write (error_unit, '(2a)') 'equipoise: ', text_at(equipoise_error_text())
        error stop 1
    end subroutine

    ! A text of C.
    function text_at(pointer) result(text)
        type(c_ptr), intent(in) :: pointer
        character(:), allocatable :: text
        character(kind=c_char), pointer :: characters(:)
        integer :: length, i
        length = 0
        if (c_associated(pointer)) length = int(text_length(pointer))
        allocate (character(length) :: text)
        if (length == 0) return
        call c_f_pointer(pointer, characters, [length])
        do i = 1, length
            text(i:i) = characters(i)
        end do
    end function

    function grown(text) result(with_null)
        character(*), intent(in) :: text
        character(kind=c_char), allocatable :: with_null(:)
        integer :: i
        allocate (with_null(len(text) + 1))
        do i = 1, len(text)
            with_null(i) = text(i:i)
        end do
        with_null(len(text) + 1) = c_null_char
    end function

end module
