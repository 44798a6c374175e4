! Items that are more than their bytes: what packs and unpacks them.
module equipoise_packing
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use equipoise_calls
    implicit none
    private
    public :: equipoise_items, equipoise_writer, equipoise_reader, items_holder, placed

    ! The bytes of an item on its way.
    type :: equipoise_writer
        private
        type(c_ptr) :: handle = c_null_ptr
    contains
        procedure, private :: put_real32, put_real64, put_int32, put_int64, put_text
        procedure, private :: put_real32_1, put_real64_1, put_int32_1, put_int64_1
        generic :: put => put_real32, put_real64, put_int32, put_int64, put_text, &
            put_real32_1, put_real64_1, put_int32_1, put_int64_1
    end type
    type :: equipoise_reader
        private
        type(c_ptr) :: handle = c_null_ptr
    contains
        procedure, private :: get_real32, get_real64, get_int32, get_int64, get_text
        procedure, private :: get_real32_1, get_real64_1, get_int32_1, get_int64_1
        generic :: get => get_real32, get_real64, get_int32, get_int64, get_text, &
            get_real32_1, get_real64_1, get_int32_1, get_int64_1
    end type

    ! Items that are more than their bytes, such as those with allocatable components. They are
    ! known by their places, from 1, in an old list and in a new one, which must have room for all
    ! its items before the call. Where pack or unpack set stat to anything but 0, the call fails on
    ! all ranks; the old list is then as it was, and the new one is to be thrown away.
    type, abstract :: equipoise_items
    contains
        procedure(pack_item), deferred :: pack      ! puts an item of the old list
        procedure(unpack_item), deferred :: unpack  ! gets an item of the new list
        procedure(keep_item), deferred :: keep      ! brings an item that stays to the new list
    end type
    abstract interface
        subroutine pack_item(self, place, out, stat)
            import :: equipoise_items, equipoise_writer, int64
            class(equipoise_items), intent(inout) :: self
            integer(int64), intent(in) :: place
            type(equipoise_writer), intent(inout) :: out
            integer, intent(inout) :: stat
        end subroutine
        subroutine unpack_item(self, place, in, stat)
            import :: equipoise_items, equipoise_reader, int64
            class(equipoise_items), intent(inout) :: self
            integer(int64), intent(in) :: place
            type(equipoise_reader), intent(inout) :: in
            integer, intent(inout) :: stat
        end subroutine
        subroutine keep_item(self, from, to)
            import :: equipoise_items, int64
            class(equipoise_items), intent(inout) :: self
            integer(int64), intent(in) :: from, to
        end subroutine
    end interface
    type :: items_holder
        class(equipoise_items), pointer :: items => null()
    end type

contains

    function placed(holder) result(items)
        type(items_holder), target, intent(in) :: holder
        type(placed_c) :: items
        items%pack = c_funloc(pack_placed)
        items%unpack = c_funloc(unpack_placed)
        items%keep = c_funloc(keep_placed)
        items%context = c_loc(holder)
    end function

    function pack_placed(place, out, context) result(code) bind(c)
        integer(c_int64_t), value :: place
        type(c_ptr), value :: out, context
        integer(c_int) :: code
        type(items_holder), pointer :: holder
        type(equipoise_writer) :: writer
        integer :: stat
        call c_f_pointer(context, holder)
        writer%handle = out
        stat = 0
        call holder%items%pack(place + 1, writer, stat)
        code = int(stat, c_int)
    end function

    function unpack_placed(place, in, context) result(code) bind(c)
        integer(c_int64_t), value :: place
        type(c_ptr), value :: in, context
        integer(c_int) :: code
        type(items_holder), pointer :: holder
        type(equipoise_reader) :: reader
        integer :: stat
        call c_f_pointer(context, holder)
        reader%handle = in
        stat = 0
        call holder%items%unpack(place + 1, reader, stat)
        code = int(stat, c_int)
    end function

    subroutine keep_placed(from, to, context) bind(c)
        integer(c_int64_t), value :: from, to
        type(c_ptr), value :: context
        type(items_holder), pointer :: holder
        call c_f_pointer(context, holder)
        call holder%items%keep(from + 1, to + 1)
    end subroutine

#define ITEM real(real32)
#define PUT put_real32
#define PUT_1 put_real32_1
#define GET get_real32
#define GET_1 get_real32_1
#include "bytes.inc"
#define ITEM real(real64)
#define PUT put_real64
#define PUT_1 put_real64_1
#define GET get_real64
#define GET_1 get_real64_1
#include "bytes.inc"
#define ITEM integer(int32)
#define PUT put_int32
#define PUT_1 put_int32_1
#define GET get_int32
#define GET_1 get_int32_1
#include "bytes.inc"
#define ITEM integer(int64)
#define PUT put_int64
#define PUT_1 put_int64_1
#define GET get_int64
#define GET_1 get_int64_1
#include "bytes.inc"

    subroutine put_text(self, value)
        class(equipoise_writer), intent(inout) :: self
        character(*), intent(in), target :: value
        integer(c_int) :: ignored
        if (len(value) > 0) ignored = equipoise_write(self%handle, c_loc(value), &
                                                      len(value, kind=c_size_t))
    end subroutine

    ! A text as long as its variable: put its length first where it differs from item to item.
    subroutine get_text(self, value)
        class(equipoise_reader), intent(inout) :: self
        character(*), intent(inout), target :: value
        integer(c_int) :: ignored
        if (len(value) > 0) ignored = equipoise_read(self%handle, c_loc(value), &
                                                     len(value, kind=c_size_t))
    end subroutine

end module
