! Weights of the kinds that calls take.
module equipoise_weights
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    implicit none

    ! The types of weights in equipoise.h, and that there are none.
    integer(c_int32_t), parameter :: of_real64 = 0, of_real32 = 1, of_int32 = 2, of_int64 = 3
    integer(c_int32_t), parameter :: no_weights = -1

    ! Where weights are.
    type :: seen_weights
        integer(c_int32_t) :: kind = no_weights
        integer(int64) :: count = 0
        integer(int64) :: each = 0  ! of an item, the columns of an array of rank 2; 0: rank 1
        type(c_ptr) :: first = c_null_ptr
    end type

    ! An array of weights of one of the kinds: a caller's, for the time of a call, or a new one.
    type :: held_weights
        integer(c_int32_t) :: kind = no_weights
        real(real64), allocatable :: r64(:)
        real(real32), allocatable :: r32(:)
        integer(int32), allocatable :: i32(:)
        integer(int64), allocatable :: i64(:)
    end type

    interface hold
        module procedure hold_real64, hold_real32, hold_int32, hold_int64
    end interface
    interface release
        module procedure release_real64, release_real32, release_int32, release_int64
    end interface
    ! Those of real64 may be absent.
    interface look_at
        module procedure look_at_real64, look_at_real32, look_at_int32, look_at_int64, look_at_held
        module procedure look_at_rows_real64, look_at_rows_real32
        module procedure look_at_rows_int32, look_at_rows_int64
    end interface

contains

#define WEIGHTS real(real64)
#define ABSENT
#define KIND_OF of_real64
#define COMPONENT r64
#define HOLD hold_real64
#define RELEASE release_real64
#define LOOK look_at_real64
#define LOOK_AT_ROWS look_at_rows_real64
#include "held_weights.inc"
#define WEIGHTS real(real32)
#define KIND_OF of_real32
#define COMPONENT r32
#define HOLD hold_real32
#define RELEASE release_real32
#define LOOK look_at_real32
#define LOOK_AT_ROWS look_at_rows_real32
#include "held_weights.inc"
#define WEIGHTS integer(int32)
#define KIND_OF of_int32
#define COMPONENT i32
#define HOLD hold_int32
#define RELEASE release_int32
#define LOOK look_at_int32
#define LOOK_AT_ROWS look_at_rows_int32
#include "held_weights.inc"
#define WEIGHTS integer(int64)
#define KIND_OF of_int64
#define COMPONENT i64
#define HOLD hold_int64
#define RELEASE release_int64
#define LOOK look_at_int64
#define LOOK_AT_ROWS look_at_rows_int64
#include "held_weights.inc"

    function look_at_held(held) result(seen)
        type(held_weights), intent(in), target :: held
        type(seen_weights) :: seen
        select case (held%kind)
        case (of_real64)
            seen = look_at(held%r64)
        case (of_real32)
            seen = look_at(held%r32)
        case (of_int32)
            seen = look_at(held%i32)
        case (of_int64)
            seen = look_at(held%i64)
        end select
    end function

    ! The bits of a weight.
    function bits_of(held) result(bits)
        type(held_weights), intent(in) :: held
        integer(int64) :: bits
        bits = merge(32, 64, held%kind == of_real32 .or. held%kind == of_int32)
    end function

    function first_index(held) result(index)
        type(held_weights), intent(in) :: held
        integer :: index
        index = 1
        select case (held%kind)
        case (of_real64)
            index = lbound(held%r64, 1)
        case (of_real32)
            index = lbound(held%r32, 1)
        case (of_int32)
            index = lbound(held%i32, 1)
        case (of_int64)
            index = lbound(held%i64, 1)
        end select
    end function

    ! Allocates so many weights of the kind of others; without memory for them `refused` is not 0,
    ! and there are none.
    subroutine allocate_like(fresh, held, count, refused)
        type(held_weights), intent(out) :: fresh
        type(held_weights), intent(in) :: held
        integer(int64), intent(in) :: count
        integer, intent(out) :: refused
        refused = 0
        fresh%kind = held%kind
        select case (held%kind)
        case (of_real64)
            allocate (fresh%r64(count), stat=refused)
            if (refused /= 0) allocate (fresh%r64(0))
        case (of_real32)
            allocate (fresh%r32(count), stat=refused)
            if (refused /= 0) allocate (fresh%r32(0))
        case (of_int32)
            allocate (fresh%i32(count), stat=refused)
            if (refused /= 0) allocate (fresh%i32(0))
        case (of_int64)
            allocate (fresh%i64(count), stat=refused)
            if (refused /= 0) allocate (fresh%i64(0))
        end select
    end subroutine

    ! Copies weights to an array of as many.
    subroutine copy_weights(fresh, held)
        type(held_weights), intent(inout) :: fresh
        type(held_weights), intent(in) :: held
        select case (held%kind)
        case (of_real64)
            fresh%r64(:) = held%r64
        case (of_real32)
            fresh%r32(:) = held%r32
        case (of_int32)
            fresh%i32(:) = held%i32
        case (of_int64)
            fresh%i64(:) = held%i64
        end select
    end subroutine

    ! Puts new weights in the place of others.
    subroutine replace_weights(held, fresh)
        type(held_weights), intent(inout) :: held, fresh
        select case (held%kind)
        case (of_real64)
            call move_alloc(fresh%r64, held%r64)
        case (of_real32)
            call move_alloc(fresh%r32, held%r32)
        case (of_int32)
            call move_alloc(fresh%i32, held%i32)
        case (of_int64)
            call move_alloc(fresh%i64, held%i64)
        end select
    end subroutine

end module
