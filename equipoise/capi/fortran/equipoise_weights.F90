! Weights of the kinds that calls take.
module equipoise_weights
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
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
        type(seen_weights) :: seen
        logical :: columns = .false.     ! it has rank 2
        logical :: missing = .false.     ! columns that are not allocated
        logical :: starts_at_1 = .true.  ! with all its lower bounds
        real(real64), allocatable :: r64(:), r64_columns(:, :)
        real(real32), allocatable :: r32(:), r32_columns(:, :)
        integer(int32), allocatable :: i32(:), i32_columns(:, :)
        integer(int64), allocatable :: i64(:), i64_columns(:, :)
    end type

    interface hold
        module procedure hold_real64, hold_real32, hold_int32, hold_int64
        module procedure hold_rows_real64, hold_rows_real32, hold_rows_int32, hold_rows_int64
    end interface
    interface release
        module procedure release_real64, release_real32, release_int32, release_int64
        module procedure release_rows_real64, release_rows_real32
        module procedure release_rows_int32, release_rows_int64
    end interface
    ! Those of real64 may be absent.
    interface look_at
        module procedure look_at_real64, look_at_real32, look_at_int32, look_at_int64
        module procedure look_at_rows_real64, look_at_rows_real32
        module procedure look_at_rows_int32, look_at_rows_int64
    end interface

contains

#define WEIGHTS real(real64)
#define ABSENT
#define KIND_OF of_real64
#define COMPONENT r64
#define COLUMNS r64_columns
#define HOLD hold_real64
#define HOLD_ROWS hold_rows_real64
#define RELEASE release_real64
#define RELEASE_ROWS release_rows_real64
#define LOOK look_at_real64
#define LOOK_AT_ROWS look_at_rows_real64
#include "held_weights.inc"
#define WEIGHTS real(real32)
#define KIND_OF of_real32
#define COMPONENT r32
#define COLUMNS r32_columns
#define HOLD hold_real32
#define HOLD_ROWS hold_rows_real32
#define RELEASE release_real32
#define RELEASE_ROWS release_rows_real32
#define LOOK look_at_real32
#define LOOK_AT_ROWS look_at_rows_real32
#include "held_weights.inc"
#define WEIGHTS integer(int32)
#define KIND_OF of_int32
#define COMPONENT i32
#define COLUMNS i32_columns
#define HOLD hold_int32
#define HOLD_ROWS hold_rows_int32
#define RELEASE release_int32
#define RELEASE_ROWS release_rows_int32
#define LOOK look_at_int32
#define LOOK_AT_ROWS look_at_rows_int32
#include "held_weights.inc"
#define WEIGHTS integer(int64)
#define KIND_OF of_int64
#define COMPONENT i64
#define COLUMNS i64_columns
#define HOLD hold_int64
#define HOLD_ROWS hold_rows_int64
#define RELEASE release_int64
#define RELEASE_ROWS release_rows_int64
#define LOOK look_at_int64
#define LOOK_AT_ROWS look_at_rows_int64
#include "held_weights.inc"

    ! The bits of a weight.
    function bits_of(held) result(bits)
        type(held_weights), intent(in) :: held
        integer(int64) :: bits
        bits = merge(32, 64, held%seen%kind == of_real32 .or. held%seen%kind == of_int32)
    end function

    ! Allocates an array like another for so many weights, which are whole columns where it has rank
    ! 2; without memory for them `refused` is not 0, and there are none.
    subroutine allocate_like(fresh, held, count, refused)
        type(held_weights), target, intent(out) :: fresh
        type(held_weights), intent(in) :: held
        integer(int64), intent(in) :: count
        integer, intent(out) :: refused
        integer(int64) :: rows
        refused = 0
        fresh%seen%kind = held%seen%kind
        rows = max(held%seen%each, 1_int64)
        if (allocated(held%r64)) allocate (fresh%r64(count), stat=refused)
        if (allocated(held%r32)) allocate (fresh%r32(count), stat=refused)
        if (allocated(held%i32)) allocate (fresh%i32(count), stat=refused)
        if (allocated(held%i64)) allocate (fresh%i64(count), stat=refused)
        if (allocated(held%r64_columns)) &
            allocate (fresh%r64_columns(rows, count / rows), stat=refused)
        if (allocated(held%r32_columns)) &
            allocate (fresh%r32_columns(rows, count / rows), stat=refused)
        if (allocated(held%i32_columns)) &
            allocate (fresh%i32_columns(rows, count / rows), stat=refused)
        if (allocated(held%i64_columns)) &
            allocate (fresh%i64_columns(rows, count / rows), stat=refused)
        if (allocated(fresh%r64)) fresh%seen = look_at(fresh%r64)
        if (allocated(fresh%r32)) fresh%seen = look_at(fresh%r32)
        if (allocated(fresh%i32)) fresh%seen = look_at(fresh%i32)
        if (allocated(fresh%i64)) fresh%seen = look_at(fresh%i64)
        if (allocated(fresh%r64_columns)) fresh%seen = look_at(fresh%r64_columns)
        if (allocated(fresh%r32_columns)) fresh%seen = look_at(fresh%r32_columns)
        if (allocated(fresh%i32_columns)) fresh%seen = look_at(fresh%i32_columns)
        if (allocated(fresh%i64_columns)) fresh%seen = look_at(fresh%i64_columns)
    end subroutine

    ! Copies weights to an array of as many.
    subroutine copy_weights(fresh, held)
        type(held_weights), intent(in) :: fresh, held
        integer(int8), pointer, contiguous :: from(:), to(:)
        integer(int64) :: bytes
        bytes = held%seen%count * (bits_of(held) / 8)
        if (bytes == 0) return
        call c_f_pointer(held%seen%first, from, [bytes])
        call c_f_pointer(fresh%seen%first, to, [bytes])
        to(:) = from
    end subroutine

    ! Puts new weights in the place of others.
    subroutine replace_weights(held, fresh)
        type(held_weights), intent(inout) :: held, fresh
        if (allocated(fresh%r64)) call move_alloc(fresh%r64, held%r64)
        if (allocated(fresh%r32)) call move_alloc(fresh%r32, held%r32)
        if (allocated(fresh%i32)) call move_alloc(fresh%i32, held%i32)
        if (allocated(fresh%i64)) call move_alloc(fresh%i64, held%i64)
        if (allocated(fresh%r64_columns)) call move_alloc(fresh%r64_columns, held%r64_columns)
        if (allocated(fresh%r32_columns)) call move_alloc(fresh%r32_columns, held%r32_columns)
        if (allocated(fresh%i32_columns)) call move_alloc(fresh%i32_columns, held%i32_columns)
        if (allocated(fresh%i64_columns)) call move_alloc(fresh%i64_columns, held%i64_columns)
    end subroutine

end module
