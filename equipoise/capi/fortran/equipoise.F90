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
! statements, the program stops. Threads that call at the same time need a communicator each.
! docs/how-to/balancer-c-fortran.md has examples.
#include "option_names.inc"

module equipoise
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, &
        real64
    use mpi_f08, only: MPI_Comm
    use equipoise_calls
    use equipoise_errors
    use equipoise_exchanges, only: equipoise_exchange
    use equipoise_packing
    use equipoise_plans
    use equipoise_rooms
    implicit none
    private

    ! Made from equipoise/balancer/faces.toml by tools/make_faces.py: errors.
    public :: EQUIPOISE_OK, EQUIPOISE_BAD_INPUT, EQUIPOISE_DIFFERENT_CALLS, EQUIPOISE_NO_MEMORY
    public :: EQUIPOISE_CALLBACK_FAILED, EQUIPOISE_MPI_FAILED
    ! End of what is made.
    public :: equipoise_rebalance, equipoise_rebalance_texts, equipoise_use_neighbours
    public :: equipoise_report, equipoise_spread, equipoise_weight_spread
    public :: equipoise_plan, equipoise_make_plan, equipoise_make_plan_to, equipoise_transfer
    public :: equipoise_array, equipoise_replace, equipoise_moving, equipoise_exchange
    public :: equipoise_items, equipoise_writer, equipoise_reader
    public :: equipoise_rows, equipoise_device, equipoise_move_rows, equipoise_begin_rows
    public :: equipoise_loan, equipoise_make_loan
    public :: equipoise_relabel, equipoise_relabelling, equipoise_int128
    public :: equipoise_advisor, equipoise_make_advisor, equipoise_advice

    ! Items that are lent for a step: ranks with too much work lend some to others, all compute, and
    ! every item returns to its place with its results. The same loan serves for many steps, as long
    ! as every rank has the same number of items as when it was made and loads stay similar. Copies
    ! are the same loan, as those of a plan are.
    type :: equipoise_loan
        type(equipoise_plan) :: there  ! the plans of both ways, for several arrays at once
        type(equipoise_plan) :: back
    contains
        ! lend(items, report, stat, errmsg) replaces an allocatable array of this rank's items by
        ! one of those that the rank is to work on. give_back brings every item home: it replaces an
        ! array of the items that this rank has worked on, or of their results, one for each, by one
        ! of those that belong to its own items, in their order. Lower bounds are 1 afterwards.
        ! lend_copies(items, copies, report, stat, errmsg) leaves items as they are and allocates
        ! copies: those that the rank is to work on, whose results then come home alone.
        procedure, private :: lend_real32_1, lend_real64_1, lend_complex32_1, lend_complex64_1
        procedure, private :: lend_int8_1, lend_int16_1, lend_int32_1, lend_int64_1
        procedure, private :: lend_real32_2, lend_real64_2, lend_complex32_2, lend_complex64_2
        procedure, private :: lend_int8_2, lend_int16_2, lend_int32_2, lend_int64_2
        procedure, private :: lend_logical8_1, lend_logical16_1, lend_logical32_1, lend_logical64_1
        procedure, private :: lend_logical8_2, lend_logical16_2, lend_logical32_2, lend_logical64_2
        procedure, private :: lend_text_1, lend_text_2
        generic :: lend => lend_text_1, lend_text_2, &
            lend_logical8_1, lend_logical16_1, lend_logical32_1, lend_logical64_1, &
            lend_logical8_2, lend_logical16_2, lend_logical32_2, lend_logical64_2, &
            lend_real32_1, lend_real64_1, lend_complex32_1, lend_complex64_1, &
            lend_int8_1, lend_int16_1, lend_int32_1, lend_int64_1, &
            lend_real32_2, lend_real64_2, lend_complex32_2, lend_complex64_2, &
            lend_int8_2, lend_int16_2, lend_int32_2, lend_int64_2
        procedure, private :: lend_copies_real32_1, lend_copies_real64_1
        procedure, private :: lend_copies_complex32_1, lend_copies_complex64_1
        procedure, private :: lend_copies_int8_1, lend_copies_int16_1
        procedure, private :: lend_copies_int32_1, lend_copies_int64_1
        procedure, private :: lend_copies_real32_2, lend_copies_real64_2
        procedure, private :: lend_copies_complex32_2, lend_copies_complex64_2
        procedure, private :: lend_copies_int8_2, lend_copies_int16_2
        procedure, private :: lend_copies_int32_2, lend_copies_int64_2
        procedure, private :: lend_copies_logical8_1, lend_copies_logical16_1
        procedure, private :: lend_copies_logical32_1, lend_copies_logical64_1
        procedure, private :: lend_copies_logical8_2, lend_copies_logical16_2
        procedure, private :: lend_copies_logical32_2, lend_copies_logical64_2
        procedure, private :: lend_copies_text_1, lend_copies_text_2
        generic :: lend_copies => lend_copies_text_1, lend_copies_text_2, &
            lend_copies_logical8_1, lend_copies_logical16_1, &
            lend_copies_logical32_1, lend_copies_logical64_1, &
            lend_copies_logical8_2, lend_copies_logical16_2, &
            lend_copies_logical32_2, lend_copies_logical64_2, &
            lend_copies_real32_1, lend_copies_real64_1, &
            lend_copies_complex32_1, lend_copies_complex64_1, &
            lend_copies_int8_1, lend_copies_int16_1, lend_copies_int32_1, lend_copies_int64_1, &
            lend_copies_real32_2, lend_copies_real64_2, &
            lend_copies_complex32_2, lend_copies_complex64_2, &
            lend_copies_int8_2, lend_copies_int16_2, lend_copies_int32_2, lend_copies_int64_2
        procedure, private :: give_back_real32_1, give_back_real64_1
        procedure, private :: give_back_complex32_1, give_back_complex64_1
        procedure, private :: give_back_int8_1, give_back_int16_1
        procedure, private :: give_back_int32_1, give_back_int64_1
        procedure, private :: give_back_real32_2, give_back_real64_2
        procedure, private :: give_back_complex32_2, give_back_complex64_2
        procedure, private :: give_back_int8_2, give_back_int16_2
        procedure, private :: give_back_int32_2, give_back_int64_2
        procedure, private :: give_back_logical8_1, give_back_logical16_1
        procedure, private :: give_back_logical32_1, give_back_logical64_1
        procedure, private :: give_back_logical8_2, give_back_logical16_2
        procedure, private :: give_back_logical32_2, give_back_logical64_2
        procedure, private :: give_back_text_1, give_back_text_2
        generic :: give_back => give_back_text_1, give_back_text_2, &
            give_back_logical8_1, give_back_logical16_1, &
            give_back_logical32_1, give_back_logical64_1, &
            give_back_logical8_2, give_back_logical16_2, &
            give_back_logical32_2, give_back_logical64_2, &
            give_back_real32_1, give_back_real64_1, give_back_complex32_1, give_back_complex64_1, &
            give_back_int8_1, give_back_int16_1, give_back_int32_1, give_back_int64_1, &
            give_back_real32_2, give_back_real64_2, give_back_complex32_2, give_back_complex64_2, &
            give_back_int8_2, give_back_int16_2, give_back_int32_2, give_back_int64_2
        procedure :: free => loan_free  ! not collective
    end type

    ! Plans a loan as equipoise_make_plan plans a move: equipoise_make_loan(comm, count, loan,
    ! weights, options, stat, errmsg).
    interface equipoise_make_loan
        module procedure make_loan_f08_int32, make_loan_f08_int64, make_loan_int32, make_loan_int64
        module procedure make_loan_f08_int32_by_real32, make_loan_f08_int64_by_real32
        module procedure make_loan_int32_by_real32, make_loan_int64_by_real32
        module procedure make_loan_f08_int32_by_int32, make_loan_f08_int64_by_int32
        module procedure make_loan_int32_by_int32, make_loan_int64_by_int32
        module procedure make_loan_f08_int32_by_int64, make_loan_f08_int64_by_int64
        module procedure make_loan_int32_by_int64, make_loan_int64_by_int64
        module procedure make_loan_f08_int32_by_rows_real64, make_loan_f08_int64_by_rows_real64
        module procedure make_loan_int32_by_rows_real64, make_loan_int64_by_rows_real64
        module procedure make_loan_f08_int32_by_rows_real32, make_loan_f08_int64_by_rows_real32
        module procedure make_loan_int32_by_rows_real32, make_loan_int64_by_rows_real32
        module procedure make_loan_f08_int32_by_rows_int32, make_loan_f08_int64_by_rows_int32
        module procedure make_loan_int32_by_rows_int32, make_loan_int64_by_rows_int32
        module procedure make_loan_f08_int32_by_rows_int64, make_loan_f08_int64_by_rows_int64
        module procedure make_loan_int32_by_rows_int64, make_loan_int64_by_rows_int64
    end interface

    ! Bytes, the same on all ranks; "by identity": if part p went to rank p / parts_a_rank.
    type :: equipoise_relabelling
        integer(int64) :: parts = 0             ! how many there are
        integer(int64) :: bytes = 0             ! of all items
        ! That change their rank: the fewest possible (with machines_first: among all relabellings
        ! that move equally few between machines).
        integer(int64) :: moved = 0
        integer(int64) :: moved_by_identity = 0
        integer(int64) :: between_machines = 0  ! that change their machine, if machines_first
        integer(int64) :: between_machines_by_identity = 0
    end type

    ! Gives the parts of a new partition the ranks that move the fewest bytes:
    ! equipoise_relabel(comm, parts, bytes, part_count, parts_a_rank, machines_first, machine,
    ! rank_of_part, found, part_prices, rank_prices, stat, errmsg). parts, of kind int32 or int64,
    ! has the new part of each item of this rank, from 0, and afterwards the rank that the item goes
    ! to, as equipoise_make_plan_to takes it. bytes has those of each item; where it is not given,
    ! each counts 1. rank_of_part(p + 1) becomes the rank of part p, as far as there is room for it
    ! and such a part.
    !
    ! part_prices(p + 1) and rank_prices(r + 1), which has room for all ranks, certify that no
    ! relabelling moves fewer bytes: what rank r holds of part p is never more than both prices
    ! together, and bytes - moved is the sum of the parts' prices and parts_a_rank times the sum of
    ! the ranks', which no relabelling can exceed. With machines_first a rank "holds" (bytes + 1)
    ! times what its machine holds of a part, and what it holds itself. A price is high * 2^64 +
    ! low, where low has no sign; without machines_first high is 0, and low the price.
    interface equipoise_relabel
        module procedure relabel_f08_int32, relabel_f08_int64, relabel_int32, relabel_int64
    end interface

    ! Learns from the seconds of steps and balances when a balance is worth it. Copies are the same
    ! advisor, as those of a plan are.
    type :: equipoise_advisor
        private
        integer(c_int64_t) :: handle = 0
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
    ! errmsg). items are of integer or logical (1 to 8 bytes), real or complex (single and double),
    ! or of character of a length that is not deferred. They have rank 1, or rank 2 with the items
    ! as columns, which must then be allocated with the same number of rows everywhere. Where
    ! weights, one for each item or (rank 2) a column for each, are given, they are levelled, and
    ! move with the items; they are of real or integer of 4 or 8 bytes (whole numbers must be ones
    ! that a real64 can equal, as all up to 2**53 are). Where one rank gives them, all do, also
    ! those without items. Afterwards all lower bounds are 1, on every rank, whether anything moved
    ! or not; after an error the arrays are as they were.
    ! equipoise_own_type.inc adds a type of the program's own.
    interface equipoise_rebalance
        include 'rebalance_names.inc'
    end interface

    ! The same for texts of deferred length, character(:), allocatable :: texts(:). They have the
    ! same length on all ranks, and are allocated also where there are none. (Fortran cannot tell
    ! them from texts of a given length.)
    interface equipoise_rebalance_texts
        module procedure rebalance_texts_1, rebalance_texts_1_by_real32, rebalance_texts_1_by_int32
        module procedure rebalance_texts_1_by_int64, rebalance_texts_1_by_rows_real64
        module procedure rebalance_texts_1_by_rows_real32, rebalance_texts_1_by_rows_int32
        module procedure rebalance_texts_1_by_rows_int64, rebalance_texts_2
        module procedure rebalance_texts_2_by_real32, rebalance_texts_2_by_int32
        module procedure rebalance_texts_2_by_int64, rebalance_texts_2_by_rows_real64
        module procedure rebalance_texts_2_by_rows_real32, rebalance_texts_2_by_rows_int32
        module procedure rebalance_texts_2_by_rows_int64, rebalance_f08_texts_1
        module procedure rebalance_f08_texts_1_by_real32, rebalance_f08_texts_1_by_int32
        module procedure rebalance_f08_texts_1_by_int64, rebalance_f08_texts_1_by_rows_real64
        module procedure rebalance_f08_texts_1_by_rows_real32, rebalance_f08_texts_1_by_rows_int32
        module procedure rebalance_f08_texts_1_by_rows_int64, rebalance_f08_texts_2
        module procedure rebalance_f08_texts_2_by_real32, rebalance_f08_texts_2_by_int32
        module procedure rebalance_f08_texts_2_by_int64, rebalance_f08_texts_2_by_rows_real64
        module procedure rebalance_f08_texts_2_by_rows_real32, rebalance_f08_texts_2_by_rows_int32
        module procedure rebalance_f08_texts_2_by_rows_int64
    end interface

    ! equipoise_replace(plan, texts, report, stat, errmsg) is plan%replace for such texts; with
    ! loan%there and loan%back it lends them and brings them home.
    interface equipoise_replace
        module procedure replace_texts_1, replace_texts_2
    end interface

contains

! ---- One call ------------------------------------------------------------------------------------

#include "rebalance_kinds.inc"

#define DEFERRED
#define ITEM character(:)
#define REPLACE_1 replace_texts_1
#define REPLACE_2 replace_texts_2
#include "replace.inc"

! ---- Lend and return -----------------------------------------------------------------------------

    subroutine make_one_loan(comm, count, loan, code, OPTION_NAMES, weights)
        integer, intent(in) :: comm
        integer(int64), intent(in) :: count
        type(equipoise_loan), intent(inout) :: loan
        integer(c_int), intent(out) :: code
        include 'options.inc'
        type(seen_weights), intent(in) :: weights
        call loan%free()
        call make_one_plan(comm, count, loan%there, code, OPTION_NAMES, weights)
        if (code == EQUIPOISE_OK) code = inverse_of(loan%there, loan%back)
        if (code /= EQUIPOISE_OK) call loan%free()
    end subroutine

#include "make_loan_kinds.inc"

    subroutine loan_free(self)
        class(equipoise_loan), intent(inout) :: self
        call self%there%free()
        call self%back%free()
    end subroutine

#include "lend_kinds.inc"

! ---- Ranks for the parts of a new partition ------------------------------------------------------

#define NUMBER int32
#define RELABEL relabel_int32
#define RELABEL_F08 relabel_f08_int32
#define RELABEL_C equipoise_fortran_relabel
#include "relabel.inc"
#define NUMBER int64
#define RELABEL relabel_int64
#define RELABEL_F08 relabel_f08_int64
#define RELABEL_C equipoise_fortran_relabel64
#include "relabel.inc"

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
        type(c_ptr) :: made
        integer(c_int) :: code
        call advisor%free()
        code = equipoise_fortran_make_advisor(int(comm, c_int), made)
        if (code == EQUIPOISE_OK) advisor%handle = equipoise_fortran_keep_advisor(made)
        call finish(code, stat, errmsg)
    end subroutine

    ! The advisor of a handle; c_null_ptr if it has none.
    function advisor_at(advisor) result(pointer)
        class(equipoise_advisor), intent(in) :: advisor
        type(c_ptr) :: pointer
        pointer = equipoise_fortran_advisor(advisor%handle)
    end function

    ! The seconds that this rank's work took in a step, without the time in which it waited.
    subroutine advisor_step(self, seconds, stat, errmsg)
        class(equipoise_advisor), intent(inout) :: self
        real(real64), intent(in) :: seconds
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(equipoise_advisor_step(advisor_at(self), seconds), stat, errmsg)
    end subroutine

    ! Items were moved after the last step: the seconds that planning and moving took. Not
    ! collective, but every rank must report every balance.
    subroutine balanced_after(self, seconds, stat, errmsg)
        class(equipoise_advisor), intent(inout) :: self
        real(real64), intent(in) :: seconds
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(equipoise_advisor_balanced(advisor_at(self), seconds), stat, errmsg)
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
        worth = equipoise_advisor_worth_it(advisor_at(self), advice) /= 0
    end function
    function advisor_advice(self) result(advice)
        class(equipoise_advisor), intent(in) :: self
        type(equipoise_advice) :: advice
        integer(c_int) :: worth
        worth = equipoise_advisor_worth_it(advisor_at(self), advice)
    end function

    subroutine advisor_free(self)
        class(equipoise_advisor), intent(inout) :: self
        call equipoise_fortran_free_advisor(self%handle)
        self%handle = 0
    end subroutine

end module
