! Plans, and arrays and items that they move.
#include "option_names.inc"

module equipoise_plans
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, &
        real64
    use mpi_f08, only: MPI_Comm
    use equipoise_calls
    use equipoise_errors
    use equipoise_exchanges
    use equipoise_packing
    use equipoise_weights
    implicit none

    type(equipoise_transfer) :: no_transfers(0)
    character(kind=c_char), target :: weighted(9) = ['w', 'e', 'i', 'g', 'h', 't', 'e', 'd', &
                                                     c_null_char]

    ! What was done; the same on all ranks except for the seconds, which are this rank's.
    type :: equipoise_report
        ! Made from equipoise/balancer/faces.toml by tools/make_faces.py: report.
        ! What was asked for; `given` for plans to given ranks.
        character(32) :: policy = ''
        ! Ranks of the communicator.
        integer :: ranks = 0
        ! Items that changed their rank; each hop counts.
        integer(int64) :: moved = 0
        ! The fewest items that any plan with the same final sizes must move (other final sizes may
        ! need fewer; a plan that keeps the order may need more); unknown (-1) for weighted.
        integer(int64) :: minimum = 0
        ! Pairs of ranks (and rounds) between which items moved.
        integer(int64) :: messages = 0
        ! Rounds of messages; above 1 only for neighbours-only and random-pairs.
        integer(int64) :: rounds = 0
        ! Those of `moved` that changed their machine. Only for hierarchical and machines_first.
        integer(int64) :: between_machines = 0
        ! Items per rank, before the move.
        type(equipoise_spread) :: before
        ! Items per rank, after the move.
        type(equipoise_spread) :: after
        ! Weight per rank, before the move; with several weights per item, the largest of a rank's
        ! weights, each divided by its average. Only with weights.
        type(equipoise_weight_spread) :: weight_before
        ! The same after the move. Only with weights.
        type(equipoise_weight_spread) :: weight_after
        ! Seconds that planning took.
        real(real64) :: seconds_planning = 0
        ! Seconds that moving took; 0 before the move.
        real(real64) :: seconds_moving = 0
        ! The largest weight per unit of speed (with several weights per item, the largest of all,
        ! each divided by its average), before the move. Only with weights.
        real(real64) :: largest_before = 0
        ! The same after the move. Only with weights.
        real(real64) :: largest = 0
        ! A certified lower bound on `largest`: no plan (with keep-order, none that keeps the order)
        ! has less. Only with weights.
        real(real64) :: largest_at_least = 0
        ! A certified lower bound: no plan (with keep-order, none that keeps the order) whose
        ! largest weight is within the tolerance, or as low as this plan's, moves fewer items. Only
        ! with weights.
        integer(int64) :: moved_at_least = 0
        ! Bytes of the items that changed their rank. Only if sizes were given.
        real(real64) :: bytes_moved = 0
        ! The same as `moved_at_least`, for bytes. Only if sizes were given.
        real(real64) :: bytes_at_least = 0
        ! What was asked for.
        integer(int64) :: weights_per_item = 1
        ! Whether sizes were given.
        logical :: by_bytes = .false.
        ! What was asked for.
        logical :: machines_first = .false.
        ! Whether weights were given.
        logical :: by_weight = .false.
        ! End of what is made.
    contains
        procedure :: describe => report_describe  ! in words; not collective
    end type

    ! An array that a plan moves: made by equipoise_array(old, new). old and new are contiguous
    ! arrays with the attribute target, of rank 1, or of rank 2 whose columns are the items; old has
    ! the planned size, new that after the move. They are of integer or logical (1 to 8 bytes), real
    ! or complex (single and double), or of character. For a type of the program's own:
    ! equipoise_own_type.inc, or equipoise_array(c_loc(old(1)), c_loc(new(1)), storage_size(old) /
    ! 8), with c_null_ptr for an array of no items; such items are copied as bytes.
    type :: equipoise_array
        private
        type(array_c) :: c
        integer(int64) :: before = -1  ! -1: unknown
        integer(int64) :: after = -1
    end type
    interface equipoise_array
        module procedure array_real32_1, array_real64_1, array_complex32_1, array_complex64_1
        module procedure array_int8_1, array_int16_1, array_int32_1, array_int64_1
        module procedure array_real32_2, array_real64_2, array_complex32_2, array_complex64_2
        module procedure array_int8_2, array_int16_2, array_int32_2, array_int64_2
        module procedure array_logical8_1, array_logical16_1, array_logical32_1, array_logical64_1
        module procedure array_logical8_2, array_logical16_2, array_logical32_2, array_logical64_2
        module procedure array_text_1, array_text_2, array_of_pointers
    end interface

    character(*), parameter :: not_allocated = 'expected an array allocated with no columns ' // &
        'where a rank has no items, found one that is not allocated'

    character(*), parameter :: no_rows = 'expected columns of at least one row, found none'
    character(*), parameter :: no_bytes = 'expected items of at least 1 byte, found items of none'
    character(*), parameter :: no_length = 'expected texts of one length on all ranks, also ' // &
        'where a rank has none, found an array that is not allocated'

    ! Items under way. Copies are the same move, which ends once.
    type :: equipoise_moving
        private
        integer(c_int64_t) :: handle = 0
        type(items_holder), pointer :: holder => null()
    contains
        procedure :: end => end_moving
    end type

    ! Which rank sends how many items to which. It can be executed any number of times, on every
    ! array that has the planned size. Copies are the same plan: once one of them is freed, none has
    ! a plan, and freeing another does nothing. The communicator must live as long. Threads that
    ! plan or move at the same time need a communicator each.
    type :: equipoise_plan
        private
        integer(c_int64_t) :: handle = 0
    contains
        ! Not collective.
        procedure :: size_before => plan_size_before
        procedure :: size_after => plan_size_after
        procedure :: report => plan_report
        procedure :: transfers => plan_transfers
        procedure :: describe => plan_describe
        procedure :: destinations => plan_destinations
        procedure :: make_exchange => plan_make_exchange
        procedure :: make_exchange64 => plan_make_exchange64
        procedure :: free => plan_free
        ! Collective.
        procedure :: worth_it => plan_worth_it
        procedure :: make_inverse => plan_make_inverse
        procedure, private :: execute_one, execute_several, execute_items
        generic :: execute => execute_one, execute_several, execute_items
        procedure, private :: begin_one, begin_several, begin_items
        generic :: begin => begin_one, begin_several, begin_items
        procedure, private :: replace_real32_1, replace_real64_1
        procedure, private :: replace_complex32_1, replace_complex64_1
        procedure, private :: replace_int8_1, replace_int16_1, replace_int32_1, replace_int64_1
        procedure, private :: replace_real32_2, replace_real64_2
        procedure, private :: replace_complex32_2, replace_complex64_2
        procedure, private :: replace_int8_2, replace_int16_2, replace_int32_2, replace_int64_2
        procedure, private :: replace_logical8_1, replace_logical16_1
        procedure, private :: replace_logical32_1, replace_logical64_1
        procedure, private :: replace_logical8_2, replace_logical16_2
        procedure, private :: replace_logical32_2, replace_logical64_2
        procedure, private :: replace_text_1, replace_text_2
        generic :: replace => replace_text_1, replace_text_2, &
            replace_logical8_1, replace_logical16_1, replace_logical32_1, replace_logical64_1, &
            replace_logical8_2, replace_logical16_2, replace_logical32_2, replace_logical64_2, &
            replace_real32_1, replace_real64_1, replace_complex32_1, replace_complex64_1, &
            replace_int8_1, replace_int16_1, replace_int32_1, replace_int64_1, &
            replace_real32_2, replace_real64_2, replace_complex32_2, replace_complex64_2, &
            replace_int8_2, replace_int16_2, replace_int32_2, replace_int64_2
    end type

    ! Plans for the items of this rank: equipoise_make_plan(comm, count, plan, options, stat,
    ! errmsg), with count of kind int32 or int64, and weights=, of real or integer of 4 or 8 bytes,
    ! with which the policy is weighted: one for each item, or of rank 2 with those of an item in a
    ! column (weights_per_item is then their number, and need not be given), also where there are no
    ! items. A plan that the variable held before is freed.
    interface equipoise_make_plan
        module procedure make_plan_f08_int32, make_plan_f08_int64, make_plan_int32, make_plan_int64
        module procedure make_plan_f08_int32_by_real32, make_plan_f08_int64_by_real32
        module procedure make_plan_int32_by_real32, make_plan_int64_by_real32
        module procedure make_plan_f08_int32_by_int32, make_plan_f08_int64_by_int32
        module procedure make_plan_int32_by_int32, make_plan_int64_by_int32
        module procedure make_plan_f08_int32_by_int64, make_plan_f08_int64_by_int64
        module procedure make_plan_int32_by_int64, make_plan_int64_by_int64
        module procedure make_plan_f08_int32_by_rows_real64, make_plan_f08_int64_by_rows_real64
        module procedure make_plan_int32_by_rows_real64, make_plan_int64_by_rows_real64
        module procedure make_plan_f08_int32_by_rows_real32, make_plan_f08_int64_by_rows_real32
        module procedure make_plan_int32_by_rows_real32, make_plan_int64_by_rows_real32
        module procedure make_plan_f08_int32_by_rows_int32, make_plan_f08_int64_by_rows_int32
        module procedure make_plan_int32_by_rows_int32, make_plan_int64_by_rows_int32
        module procedure make_plan_f08_int32_by_rows_int64, make_plan_f08_int64_by_rows_int64
        module procedure make_plan_int32_by_rows_int64, make_plan_int64_by_rows_int64
    end interface

    ! The plan by which item i of this rank goes to rank ranks(i), whatever the resulting loads:
    ! equipoise_make_plan_to(comm, ranks, plan, message_bytes_max, stat, errmsg), with ranks of kind
    ! int32 or int64. Items that stay keep their order; those that arrive are appended, in the order
    ! of the ranks from which they come and of their places there.
    interface equipoise_make_plan_to
        module procedure make_plan_to_f08_int32, make_plan_to_f08_int64
        module procedure make_plan_to_int32, make_plan_to_int64
    end interface

contains

! ---- Plans ---------------------------------------------------------------------------------------

    ! The plan of a handle; c_null_ptr if it has none.
    function plan_at(plan) result(pointer)
        class(equipoise_plan), intent(in) :: plan
        type(c_ptr) :: pointer
        pointer = equipoise_fortran_plan(plan%handle)
    end function

    subroutine make_plan_of(comm, count, plan, code, problem, row_bytes, refused, OPTION_NAMES, &
                            weights)
        integer, intent(in) :: comm
        integer(int64), intent(in) :: count
        type(equipoise_plan), intent(inout) :: plan
        integer(c_int), intent(out) :: code
        character(*), intent(in) :: problem  ! what this rank found wrong; blank: nothing
        integer(int64), intent(in) :: row_bytes  ! of what will move; 0: not known
        integer, intent(in) :: refused  ! not 0: this rank has no memory
        include 'options.inc'
        type(seen_weights), intent(in) :: weights
        type(options_c) :: options
        character(kind=c_char), allocatable, target :: policy_c(:), algorithm_c(:)
        character(len(problem) + 200) :: wrong
        integer(int64) :: each
        type(c_ptr) :: made

        call plan%free()
        wrong = problem
        if (weights%kind /= no_weights) then
            options%policy = c_loc(weighted)
            options%weights = weights%first
            options%weights_type = weights%kind
            each = max(weights%each, 1_int64)
            if (present(weights_per_item)) each = weights_per_item
            if (weights%each > 0 .and. each /= weights%each .and. wrong == '') &
                write (wrong, '(2(a, i0))') 'expected columns of weights_per_item weights, found ' &
                , weights%each, ' weights in each, weights_per_item: ', each
            if (weights%count /= each * count .and. wrong == '') &
                write (wrong, '(3(a, i0))') 'expected one weight for each item, or weights_per_item&
                & of them, found ', weights%count, ' weights, items: ', count, &
                ', weights_per_item: ', each
        end if
        if (present(sizes)) then
            if (size(sizes, kind=int64) > 0) options%sizes = c_loc(sizes)
            if (size(sizes, kind=int64) /= count .and. wrong == '') write (wrong, '(2(a, i0))') &
                'expected one size for each item, found ', size(sizes, kind=int64), &
                ' sizes, items: ', count
        end if
        if (present(policy)) then
            policy_c = grown(trim(policy))
            options%policy = c_loc(policy_c)
        end if
        if (present(algorithm)) then
            algorithm_c = grown(trim(algorithm))
            options%algorithm = c_loc(algorithm_c)
        end if
        include 'take_options.inc'
        if (weights%each > 0) options%weights_per_item = int(weights%each, c_size_t)
        options%struct_bytes = c_sizeof(options)
        code = equipoise_fortran_make_plan(int(comm, c_int), count, options, &
                                           int(row_bytes, c_size_t), int(refused, c_int), wrong, &
                                           len_trim(wrong, kind=c_size_t), made)
        if (code == EQUIPOISE_OK) plan%handle = equipoise_fortran_keep_plan(made)
    end subroutine

    subroutine make_one_plan(comm, count, plan, code, OPTION_NAMES, weights)
        integer, intent(in) :: comm
        integer(int64), intent(in) :: count
        type(equipoise_plan), intent(inout) :: plan
        integer(c_int), intent(out) :: code
        include 'options.inc'
        type(seen_weights), intent(in) :: weights
        call make_plan_of(comm, count, plan, code, '', 0_int64, 0, OPTION_NAMES, weights)
    end subroutine

#include "make_plan_kinds.inc"

#define NUMBER int32
#define MAKE_PLAN_TO make_plan_to_int32
#define MAKE_PLAN_TO_F08 make_plan_to_f08_int32
#define MAKE_PLAN_TO_C equipoise_fortran_make_plan_to
#include "plan_to.inc"
#define NUMBER int64
#define MAKE_PLAN_TO make_plan_to_int64
#define MAKE_PLAN_TO_F08 make_plan_to_f08_int64
#define MAKE_PLAN_TO_C equipoise_fortran_make_plan_to64
#include "plan_to.inc"

    ! The plan that undoes this one: every item returns to the rank and the place that it left.
    subroutine plan_make_inverse(self, inverse, stat, errmsg)
        class(equipoise_plan), intent(in) :: self
        type(equipoise_plan), intent(inout) :: inverse
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(inverse_of(self, inverse), stat, errmsg)
    end subroutine
    function inverse_of(plan, inverse) result(code)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_plan), intent(inout) :: inverse
        type(c_ptr) :: made
        integer(c_int) :: code
        code = equipoise_plan_inverse(plan_at(plan), made)
        call inverse%free()
        if (code == EQUIPOISE_OK) inverse%handle = equipoise_fortran_keep_plan(made)
    end function

    ! Does nothing if there is no plan (any more).
    subroutine plan_free(self)
        class(equipoise_plan), intent(inout) :: self
        call equipoise_fortran_free_plan(self%handle)
        self%handle = 0
    end subroutine

    function plan_size_before(self) result(items)
        class(equipoise_plan), intent(in) :: self
        integer(int64) :: items
        items = equipoise_plan_size_before(plan_at(self))
    end function

    function plan_size_after(self) result(items)
        class(equipoise_plan), intent(in) :: self
        integer(int64) :: items
        items = equipoise_plan_size_after(plan_at(self))
    end function

    ! The report of executing the plan, except for the seconds of moving.
    function plan_report(self) result(report)
        class(equipoise_plan), intent(in) :: self
        type(equipoise_report) :: report
        type(report_c) :: found
        found%struct_bytes = c_sizeof(found)
        if (equipoise_plan_report(plan_at(self), found) == EQUIPOISE_OK) report = report_of(found)
    end function

    ! The transfers of all ranks, in the order of rounds.
    function plan_transfers(self) result(transfers)
        class(equipoise_plan), intent(in) :: self
        type(equipoise_transfer), allocatable :: transfers(:)
        integer(int64) :: known
        allocate (transfers(equipoise_plan_transfers(plan_at(self), no_transfers, 0_int64)))
        known = equipoise_plan_transfers(plan_at(self), transfers, size(transfers, kind=int64))
    end function

    ! The plan in words.
    function plan_describe(self) result(text)
        class(equipoise_plan), intent(in) :: self
        character(:), allocatable :: text
        integer(c_size_t) :: length
        character(1) :: none(1)
        character(:), allocatable :: room
        length = equipoise_plan_describe(plan_at(self), none, 0_c_size_t)
        allocate (character(length + 1) :: room)
        length = equipoise_plan_describe(plan_at(self), room, length + 1)
        text = room(1:length)
    end function

    ! Whether moving pays under a cost model, the same on all ranks: of every figure the largest
    ! that any rank gives counts; those that are not given are 0. With several weights an item,
    ! seconds_by_kind has a figure for each of them (0 for what takes no time, such as bytes)
    ! instead of seconds_per_item: phases follow one another, and the slowest rank of each is
    ! waited for.
    subroutine plan_worth_it(self, worth, seconds_per_item, steps, seconds_per_item_moved, &
                             seconds_per_message, seconds_saved, seconds_spent, seconds_by_kind, &
                             stat, errmsg)
        class(equipoise_plan), intent(in) :: self
        logical, intent(out) :: worth
        real(real64), intent(in), optional :: seconds_per_item  ! one step's work, speed 1
        real(real64), intent(in) :: steps                       ! until the balance is gone
        real(real64), intent(in), optional :: seconds_per_item_moved, seconds_per_message
        real(real64), intent(out), optional :: seconds_saved, seconds_spent
        real(real64), intent(in), optional :: seconds_by_kind(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(costs_c) :: costs
        type(verdict_c) :: verdict
        real(real64), allocatable :: by_kind(:)
        integer(c_int) :: code
        costs = costs_c(0, steps, 0, 0)
        if (present(seconds_per_item)) costs%seconds_per_item = seconds_per_item
        if (present(seconds_per_item_moved)) costs%seconds_per_item_moved = seconds_per_item_moved
        if (present(seconds_per_message)) costs%seconds_per_message = seconds_per_message
        allocate (by_kind(0))
        if (present(seconds_by_kind)) by_kind = seconds_by_kind
        code = equipoise_plan_worth_it_by_kind(plan_at(self), costs, by_kind, &
                                               size(by_kind, kind=c_size_t), verdict)
        worth = verdict%worth /= 0
        if (present(seconds_saved)) seconds_saved = verdict%seconds_saved
        if (present(seconds_spent)) seconds_spent = verdict%seconds_spent
        call finish(code, stat, errmsg)
    end subroutine

#include "reports.inc"
#include "exchange.inc"

! ---- Moving arrays -------------------------------------------------------------------------------

    function array_of_pointers(from, to, item_bytes) result(array)
        type(c_ptr), intent(in) :: from, to
        integer, intent(in) :: item_bytes
        type(equipoise_array) :: array
        array%c = array_c(from, to, int(item_bytes, c_size_t))
    end function

    ! An array whose sizes are known.
    function sized(from, to, item_bits, before, after) result(array)
        type(c_ptr), intent(in) :: from, to
        integer(int64), intent(in) :: item_bits, before, after
        type(equipoise_array) :: array
        array%c%item_size = int(item_bits / 8, c_size_t)
        if (before > 0) array%c%from = from
        if (after > 0) array%c%to = to
        array%before = before
        array%after = after
    end function

#include "array_kinds.inc"

    ! What is wrong with the size of an array that is to be replaced; blank: nothing.
    function wrong_size(plan, array) result(problem)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_array), intent(in) :: array
        character(200) :: problem
        problem = ''
        if (array%before /= plan%size_before()) write (problem, '(2(a, i0))') &
            'expected an array of the planned size ', plan%size_before(), ', found ', array%before
    end function

    ! What is wrong with the sizes of arrays; blank: nothing.
    function wrong_sizes(plan, arrays) result(problem)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_array), intent(in) :: arrays(:)
        character(200) :: problem
        integer(int64) :: before, after
        integer :: i
        problem = ''
        before = plan%size_before()
        after = plan%size_after()
        do i = 1, size(arrays)
            if (arrays(i)%before < 0) cycle
            if (arrays(i)%before == before .and. arrays(i)%after == after) cycle
            write (problem, '(4(a, i0))') 'expected arrays of the planned sizes ', before, &
                ' and ', after, ', found ', arrays(i)%before, ' and ', arrays(i)%after
        end do
    end function

    subroutine execute_arrays(plan, arrays, problem, code, report)
        class(equipoise_plan), intent(in) :: plan
        type(equipoise_array), intent(in) :: arrays(:)
        character(*), intent(in) :: problem
        integer(c_int), intent(out) :: code
        type(equipoise_report), intent(out), optional :: report
        type(report_c) :: found
        found%struct_bytes = c_sizeof(found)
        code = equipoise_fortran_execute(plan_at(plan), arrays%c, size(arrays, kind=c_size_t), &
                                         problem, len_trim(problem, kind=c_size_t), found)
        if (present(report) .and. code == EQUIPOISE_OK) report = report_of(found)
    end subroutine

    subroutine execute_one(self, array, report, stat, errmsg)
        class(equipoise_plan), intent(in) :: self
        type(equipoise_array), intent(in) :: array
        type(equipoise_report), intent(out), optional :: report
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call self%execute_several([array], report, stat, errmsg)
    end subroutine

    subroutine execute_several(self, arrays, report, stat, errmsg)
        class(equipoise_plan), intent(in) :: self
        type(equipoise_array), intent(in) :: arrays(:)
        type(equipoise_report), intent(out), optional :: report
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int) :: code
        call execute_arrays(self, arrays, wrong_sizes(self, arrays), code, report)
        call finish(code, stat, errmsg)
    end subroutine

    ! What C has begun to move.
    function moving_of(begun) result(moving)
        type(c_ptr), intent(in) :: begun
        type(equipoise_moving) :: moving
        moving%handle = equipoise_fortran_keep_moving(begun)
    end function

    ! Begins to move, and returns while messages are under way: leave all arrays alone until
    ! moving%end(), and declare them asynchronous.
    subroutine begin_several(self, arrays, moving, stat, errmsg)
        class(equipoise_plan), intent(in) :: self
        type(equipoise_array), intent(in) :: arrays(:)
        type(equipoise_moving), intent(out) :: moving
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(200) :: problem
        type(c_ptr) :: begun
        integer(c_int) :: code
        problem = wrong_sizes(self, arrays)
        code = equipoise_fortran_begin(plan_at(self), arrays%c, size(arrays, kind=c_size_t), &
                                       problem, len_trim(problem, kind=c_size_t), begun)
        if (code == EQUIPOISE_OK) moving = moving_of(begun)
        call finish(code, stat, errmsg)
    end subroutine

    subroutine begin_one(self, array, moving, stat, errmsg)
        class(equipoise_plan), intent(in) :: self
        type(equipoise_array), intent(in) :: array
        type(equipoise_moving), intent(out) :: moving
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call self%begin_several([array], moving, stat, errmsg)
    end subroutine

    ! Completes the move. Collective.
    subroutine end_moving(self, report, stat, errmsg)
        class(equipoise_moving), intent(inout) :: self
        type(equipoise_report), intent(out), optional :: report
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(report_c) :: found
        type(c_ptr) :: begun
        integer(c_int) :: code
        found%struct_bytes = c_sizeof(found)
        begun = equipoise_fortran_take_moving(self%handle)
        self%handle = 0
        if (.not. c_associated(begun)) nullify (self%holder)  ! a copy has ended the move
        code = equipoise_end(begun, found)
        if (associated(self%holder)) deallocate (self%holder)
        if (present(report) .and. code == EQUIPOISE_OK) report = report_of(found)
        call finish(code, stat, errmsg)
    end subroutine

#include "replace_kinds.inc"

! ---- Moving items of any kind --------------------------------------------------------------------

    subroutine execute_items(self, items, report, stat, errmsg)
        class(equipoise_plan), intent(in) :: self
        class(equipoise_items), intent(inout), target :: items
        type(equipoise_report), intent(out), optional :: report
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(items_holder), target :: holder
        type(report_c) :: found
        integer(c_int) :: code
        holder%items => items
        found%struct_bytes = c_sizeof(found)
        code = equipoise_plan_execute_placed(plan_at(self), placed(holder), found)
        if (present(report) .and. code == EQUIPOISE_OK) report = report_of(found)
        call finish(code, stat, errmsg)
    end subroutine

    ! `items` must have the attribute target.
    subroutine begin_items(self, items, moving, stat, errmsg)
        class(equipoise_plan), intent(in) :: self
        class(equipoise_items), intent(inout), target :: items
        type(equipoise_moving), intent(out) :: moving
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: begun
        integer(c_int) :: code
        allocate (moving%holder)
        moving%holder%items => items
        code = equipoise_plan_begin_placed(plan_at(self), placed(moving%holder), begun)
        if (code == EQUIPOISE_OK) then
            moving%handle = equipoise_fortran_keep_moving(begun)
        else
            deallocate (moving%holder)
        end if
        call finish(code, stat, errmsg)
    end subroutine

end module
