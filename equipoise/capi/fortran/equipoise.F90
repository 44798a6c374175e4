! The balancer for MPI programs in Fortran: after one call every rank holds its fair share of the
! items.
!
!     use mpi_f08
!     use equipoise
!     call equipoise_rebalance(MPI_COMM_WORLD, particles)
!
! Communicators are those of mpi_f08 or the integers of mpi. Subroutines that take a communicator
! or a plan are collective unless they say otherwise. An error on one rank is reported on all, with
! the same stat and errmsg, and all items are where they were; without stat, as with Fortran's own
! statements, the program stops. docs/balancer-c-fortran.md has examples.
#include "option_names.inc"

module equipoise
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use mpi_f08, only: MPI_Comm
    use equipoise_calls
    use equipoise_errors
    use equipoise_packing
    use equipoise_plans
    implicit none
    private

    public :: EQUIPOISE_OK, EQUIPOISE_BAD_INPUT, EQUIPOISE_DIFFERENT_CALLS, EQUIPOISE_NO_MEMORY
    public :: EQUIPOISE_CALLBACK_FAILED, EQUIPOISE_MPI_FAILED
    public :: equipoise_rebalance, equipoise_use_neighbours
    public :: equipoise_report, equipoise_spread, equipoise_weight_spread
    public :: equipoise_plan, equipoise_make_plan, equipoise_make_plan_to, equipoise_transfer
    public :: equipoise_array, equipoise_moving
    public :: equipoise_items, equipoise_writer, equipoise_reader
    public :: equipoise_loan, equipoise_make_loan
    public :: equipoise_advisor, equipoise_make_advisor, equipoise_advice

    ! Items that are lent for a step: ranks that have too much to do lend some to others, all
    ! compute, and every item returns to its place with its results. The same loan serves for many
    ! steps, as long as every rank has as many items as when it was made and loads stay alike.
    type :: equipoise_loan
        type(equipoise_plan) :: there  ! the plans of both ways, for several arrays at once
        type(equipoise_plan) :: back
    contains
        ! lend(items, report, stat, errmsg) gives an allocatable array of this rank's items those
        ! that the rank is to work on. give_back brings every item home: to an array of what this
        ! rank has worked on, or of its results, one for each, it gives what belongs to its own
        ! items, in their order.
        procedure, private :: lend_real32_1, lend_real64_1, lend_int32_1, lend_int64_1
        procedure, private :: lend_real32_2, lend_real64_2, lend_int32_2, lend_int64_2
        generic :: lend => lend_real32_1, lend_real64_1, lend_int32_1, lend_int64_1, &
            lend_real32_2, lend_real64_2, lend_int32_2, lend_int64_2
        procedure, private :: give_back_real32_1, give_back_real64_1
        procedure, private :: give_back_int32_1, give_back_int64_1
        procedure, private :: give_back_real32_2, give_back_real64_2
        procedure, private :: give_back_int32_2, give_back_int64_2
        generic :: give_back => give_back_real32_1, give_back_real64_1, give_back_int32_1, &
            give_back_int64_1, give_back_real32_2, give_back_real64_2, give_back_int32_2, &
            give_back_int64_2
        procedure :: free => loan_free  ! not collective
    end type

    ! Plans a loan as equipoise_make_plan plans a move: equipoise_make_loan(comm, count, loan,
    ! weights, options, stat, errmsg).
    interface equipoise_make_loan
        module procedure make_loan_f08_int32, make_loan_f08_int64, make_loan_int32, make_loan_int64
    end interface

    ! Learns from the seconds of steps and balances when a balance is worth it.
    type :: equipoise_advisor
        private
        type(c_ptr) :: handle = c_null_ptr
    contains
        procedure :: step => advisor_step  ! collective
        procedure, private :: balanced_after, balanced_by
        generic :: balanced => balanced_after, balanced_by
        procedure :: worth_it => advisor_worth_it
        procedure :: advice => advisor_advice
        procedure :: free => advisor_free
    end type

    ! equipoise_make_advisor(comm, advisor, stat, errmsg).
    interface equipoise_make_advisor
        module procedure make_advisor_f08, make_advisor
    end interface

    ! Levels allocatable arrays: equipoise_rebalance(comm, items, weights, options, report, stat,
    ! errmsg). items has rank 1, or rank 2 with the items as columns, which must then be allocated
    ! with the same number of rows everywhere. Where weights, one for each item, are given, they are
    ! levelled, and move with the items.
    interface equipoise_rebalance
        module procedure rebalance_f08_real32_1, rebalance_f08_real64_1
        module procedure rebalance_f08_int32_1, rebalance_f08_int64_1
        module procedure rebalance_f08_real32_2, rebalance_f08_real64_2
        module procedure rebalance_f08_int32_2, rebalance_f08_int64_2
        module procedure rebalance_real32_1, rebalance_real64_1
        module procedure rebalance_int32_1, rebalance_int64_1
        module procedure rebalance_real32_2, rebalance_real64_2
        module procedure rebalance_int32_2, rebalance_int64_2
    end interface

contains

! ---- One call ------------------------------------------------------------------------------------

    ! Whether a plan was made by which something moves, the same on all ranks.
    function must_move(plan, code) result(must)
        type(equipoise_plan), intent(in) :: plan
        integer(c_int), intent(in) :: code
        logical :: must
        type(equipoise_report) :: report
        must = .false.
        if (code /= EQUIPOISE_OK) return
        report = plan%report()
        must = report%moved > 0
    end function

#define ITEM real(real32)
#define REBALANCE_F08_1 rebalance_f08_real32_1
#define REBALANCE_F08_2 rebalance_f08_real32_2
#define REBALANCE_1 rebalance_real32_1
#define REBALANCE_2 rebalance_real32_2
#include "rebalance.inc"
#define ITEM real(real64)
#define REBALANCE_F08_1 rebalance_f08_real64_1
#define REBALANCE_F08_2 rebalance_f08_real64_2
#define REBALANCE_1 rebalance_real64_1
#define REBALANCE_2 rebalance_real64_2
#include "rebalance.inc"
#define ITEM integer(int32)
#define REBALANCE_F08_1 rebalance_f08_int32_1
#define REBALANCE_F08_2 rebalance_f08_int32_2
#define REBALANCE_1 rebalance_int32_1
#define REBALANCE_2 rebalance_int32_2
#include "rebalance.inc"
#define ITEM integer(int64)
#define REBALANCE_F08_1 rebalance_f08_int64_1
#define REBALANCE_F08_2 rebalance_f08_int64_2
#define REBALANCE_1 rebalance_int64_1
#define REBALANCE_2 rebalance_int64_2
#include "rebalance.inc"

! ---- Lend and return -----------------------------------------------------------------------------

    subroutine make_loan_of(comm, count, loan, code, OPTION_NAMES, weights)
        integer, intent(in) :: comm
        integer(int64), intent(in) :: count
        type(equipoise_loan), intent(inout) :: loan
        integer(c_int), intent(out) :: code
        real(real64), intent(in), target, contiguous, optional :: weights(:)
        include 'options.inc'
        call loan%free()
        call make_plan_of(comm, count, loan%there, code, '', OPTION_NAMES, weights)
        if (code == EQUIPOISE_OK) code = inverse_of(loan%there, loan%back)
        if (code /= EQUIPOISE_OK) call loan%free()
    end subroutine

    subroutine make_loan_f08_int32(comm, count, loan, weights, OPTION_NAMES, stat, errmsg)
        type(MPI_Comm), intent(in) :: comm
        integer(int32), intent(in) :: count
        include 'make_loan.inc'
        call make_loan_of(comm%MPI_VAL, int(count, int64), loan, code, OPTION_NAMES, weights)
        call finish(code, stat, errmsg)
    end subroutine

    subroutine make_loan_f08_int64(comm, count, loan, weights, OPTION_NAMES, stat, errmsg)
        type(MPI_Comm), intent(in) :: comm
        integer(int64), intent(in) :: count
        include 'make_loan.inc'
        call make_loan_of(comm%MPI_VAL, count, loan, code, OPTION_NAMES, weights)
        call finish(code, stat, errmsg)
    end subroutine

    subroutine make_loan_int32(comm, count, loan, weights, OPTION_NAMES, stat, errmsg)
        integer, intent(in) :: comm
        integer(int32), intent(in) :: count
        include 'make_loan.inc'
        call make_loan_of(comm, int(count, int64), loan, code, OPTION_NAMES, weights)
        call finish(code, stat, errmsg)
    end subroutine

    subroutine make_loan_int64(comm, count, loan, weights, OPTION_NAMES, stat, errmsg)
        integer, intent(in) :: comm
        integer(int64), intent(in) :: count
        include 'make_loan.inc'
        call make_loan_of(comm, count, loan, code, OPTION_NAMES, weights)
        call finish(code, stat, errmsg)
    end subroutine

    subroutine loan_free(self)
        class(equipoise_loan), intent(inout) :: self
        call self%there%free()
        call self%back%free()
    end subroutine

#define ITEM real(real32)
#define LEND_1 lend_real32_1
#define LEND_2 lend_real32_2
#define GIVE_BACK_1 give_back_real32_1
#define GIVE_BACK_2 give_back_real32_2
#include "lend.inc"
#define ITEM real(real64)
#define LEND_1 lend_real64_1
#define LEND_2 lend_real64_2
#define GIVE_BACK_1 give_back_real64_1
#define GIVE_BACK_2 give_back_real64_2
#include "lend.inc"
#define ITEM integer(int32)
#define LEND_1 lend_int32_1
#define LEND_2 lend_int32_2
#define GIVE_BACK_1 give_back_int32_1
#define GIVE_BACK_2 give_back_int32_2
#include "lend.inc"
#define ITEM integer(int64)
#define LEND_1 lend_int64_1
#define LEND_2 lend_int64_2
#define GIVE_BACK_1 give_back_int64_1
#define GIVE_BACK_2 give_back_int64_2
#include "lend.inc"

! ---- When to balance -----------------------------------------------------------------------------

    subroutine make_advisor_f08(comm, advisor, stat, errmsg)
        type(MPI_Comm), intent(in) :: comm
        type(equipoise_advisor), intent(inout) :: advisor
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call make_advisor(comm%MPI_VAL, advisor, stat, errmsg)
    end subroutine

    subroutine make_advisor(comm, advisor, stat, errmsg)
        integer, intent(in) :: comm
        type(equipoise_advisor), intent(inout) :: advisor
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call advisor%free()
        call finish(equipoise_fortran_make_advisor(int(comm, c_int), advisor%handle), stat, errmsg)
    end subroutine

    ! The seconds that this rank's work took in a step, without what it waited for others.
    subroutine advisor_step(self, seconds, stat, errmsg)
        class(equipoise_advisor), intent(inout) :: self
        real(real64), intent(in) :: seconds
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(equipoise_advisor_step(self%handle, seconds), stat, errmsg)
    end subroutine

    ! Items were moved after the last step: what planning and moving took. Not collective, but every
    ! rank must tell of every balance.
    subroutine balanced_after(self, seconds, stat, errmsg)
        class(equipoise_advisor), intent(inout) :: self
        real(real64), intent(in) :: seconds
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(equipoise_advisor_balanced(self%handle, seconds), stat, errmsg)
    end subroutine
    subroutine balanced_by(self, report, stat, errmsg)
        class(equipoise_advisor), intent(inout) :: self
        type(equipoise_report), intent(in) :: report
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call self%balanced_after(report%seconds_planning + report%seconds_moving, stat, errmsg)
    end subroutine

    ! Whether to balance now. Not collective, with the same answer on all ranks.
    function advisor_worth_it(self) result(worth)
        class(equipoise_advisor), intent(in) :: self
        logical :: worth
        type(equipoise_advice) :: advice
        worth = equipoise_advisor_worth_it(self%handle, advice) /= 0
    end function
    function advisor_advice(self) result(advice)
        class(equipoise_advisor), intent(in) :: self
        type(equipoise_advice) :: advice
        integer(c_int) :: worth
        worth = equipoise_advisor_worth_it(self%handle, advice)
    end function

    subroutine advisor_free(self)
        class(equipoise_advisor), intent(inout) :: self
        call equipoise_advisor_free(self%handle)
    end subroutine

end module
