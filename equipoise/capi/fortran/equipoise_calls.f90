! Made from equipoise/balancer/faces.toml by tools/make_faces.py: do not edit.
! The structs and functions of equipoise.h and equipoise_rows.h, and the functions of calls.cpp,
! as Fortran sees them.
module equipoise_calls
    use, intrinsic :: iso_c_binding
    implicit none

    integer(c_int32_t), parameter :: ask_mpi = -huge(0_c_int32_t)
    integer(c_int64_t), parameter :: no_limit = -1

    type, bind(c) :: packing_c
        type(c_funptr) :: pack = c_null_funptr
        type(c_funptr) :: unpack = c_null_funptr
        type(c_funptr) :: release = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
    end type
    type, bind(c) :: options_c
        integer(c_size_t) :: struct_bytes = 0
        type(c_ptr) :: policy = c_null_ptr
        type(c_ptr) :: algorithm = c_null_ptr
        real(c_double) :: speed = 1
        integer(c_int64_t) :: pinned = 0
        type(c_ptr) :: weights = c_null_ptr
        integer(c_int32_t) :: machine = ask_mpi
        integer(c_int32_t) :: socket = ask_mpi
        integer(c_size_t) :: message_bytes_max = 0
        type(c_funptr) :: reallocate = c_null_funptr
        type(c_ptr) :: reallocate_context = c_null_ptr
        type(c_ptr) :: packing = c_null_ptr
        integer(c_size_t) :: weights_per_item = 1
        real(c_double) :: tolerance = 0
        type(c_ptr) :: sizes = c_null_ptr
        integer(c_int32_t) :: machines_first = 0
        integer(c_int64_t) :: items_max = no_limit
        real(c_double) :: bytes_max = no_limit
        integer(c_int32_t) :: weights_type = 0
    end type
    type, bind(c) :: equipoise_spread
        integer(c_int64_t) :: least = 0
        integer(c_int64_t) :: most = 0
        real(c_double) :: average = 0
    end type
    type, bind(c) :: equipoise_weight_spread
        real(c_double) :: least = 0
        real(c_double) :: most = 0
        real(c_double) :: average = 0
    end type
    type, bind(c) :: report_c
        integer(c_size_t) :: struct_bytes = 0
        type(c_ptr) :: policy = c_null_ptr
        integer(c_int64_t) :: ranks = 0
        integer(c_int64_t) :: moved = 0
        integer(c_int64_t) :: minimum = 0
        integer(c_int64_t) :: messages = 0
        integer(c_int64_t) :: rounds = 0
        integer(c_int64_t) :: between_machines = 0
        type(equipoise_spread) :: before
        type(equipoise_spread) :: after
        type(equipoise_weight_spread) :: weight_before
        type(equipoise_weight_spread) :: weight_after
        real(c_double) :: seconds_planning = 0
        real(c_double) :: seconds_moving = 0
        real(c_double) :: largest_before = 0
        real(c_double) :: largest = 0
        real(c_double) :: largest_at_least = 0
        integer(c_int64_t) :: moved_at_least = 0
        real(c_double) :: bytes_moved = 0
        real(c_double) :: bytes_at_least = 0
        integer(c_int64_t) :: weights_per_item = 0
        integer(c_int32_t) :: by_bytes = 0
        integer(c_int32_t) :: machines_first = 0
        integer(c_int32_t) :: by_weight = 0
    end type
    type, bind(c) :: equipoise_transfer
        ! ranks, from 0
        integer(c_int) :: from = 0
        integer(c_int) :: to = 0
        integer(c_int64_t) :: items = 0
    end type
    type, bind(c) :: costs_c
        real(c_double) :: seconds_per_item = 0
        real(c_double) :: steps = 0
        real(c_double) :: seconds_per_item_moved = 0
        real(c_double) :: seconds_per_message = 0
    end type
    type, bind(c) :: verdict_c
        integer(c_int) :: worth = 0
        real(c_double) :: seconds_saved = 0
        real(c_double) :: seconds_spent = 0
    end type
    type, bind(c) :: array_c
        type(c_ptr) :: from = c_null_ptr
        type(c_ptr) :: to = c_null_ptr
        integer(c_size_t) :: item_size = 0
    end type
    type, bind(c) :: placed_c
        type(c_funptr) :: pack = c_null_funptr
        type(c_funptr) :: unpack = c_null_funptr
        type(c_funptr) :: discard = c_null_funptr
        type(c_funptr) :: keep = c_null_funptr
        type(c_funptr) :: leave = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
    end type
    type, bind(c) :: run_c
        integer(c_int64_t) :: from = 0
        integer(c_int64_t) :: to = 0
        integer(c_int64_t) :: items = 0
    end type
    type, bind(c) :: exchange_c
        integer(c_int64_t) :: ranks = 0
        integer(c_int64_t) :: sent = 0
        integer(c_int64_t) :: received = 0
        integer(c_int64_t) :: kept_runs = 0
        type(c_ptr) :: send_counts = c_null_ptr
        type(c_ptr) :: send_offsets = c_null_ptr
        type(c_ptr) :: receive_counts = c_null_ptr
        type(c_ptr) :: receive_offsets = c_null_ptr
        type(c_ptr) :: send_counts64 = c_null_ptr
        type(c_ptr) :: send_offsets64 = c_null_ptr
        type(c_ptr) :: receive_counts64 = c_null_ptr
        type(c_ptr) :: receive_offsets64 = c_null_ptr
        type(c_ptr) :: send_order = c_null_ptr
        type(c_ptr) :: receive_places = c_null_ptr
        type(c_ptr) :: kept = c_null_ptr
    end type
    type, bind(c) :: relabel_options_c
        integer(c_size_t) :: struct_bytes = 0
        integer(c_int32_t) :: parts = 0
        integer(c_int32_t) :: parts_a_rank = 1
        integer(c_int32_t) :: machines_first = 0
        integer(c_int32_t) :: machine = ask_mpi
    end type
    type, bind(c) :: equipoise_int128
        integer(c_int64_t) :: high = 0
        integer(c_int64_t) :: low = 0
    end type
    type, bind(c) :: relabelling_c
        integer(c_size_t) :: struct_bytes = 0
        type(c_ptr) :: rank_of_part = c_null_ptr
        integer(c_int64_t) :: room = 0
        integer(c_int64_t) :: parts = 0
        integer(c_int64_t) :: bytes = 0
        integer(c_int64_t) :: moved = 0
        integer(c_int64_t) :: moved_by_identity = 0
        integer(c_int64_t) :: between_machines = 0
        integer(c_int64_t) :: between_machines_by_identity = 0
        type(c_ptr) :: part_prices = c_null_ptr
        type(c_ptr) :: rank_prices = c_null_ptr
    end type
    type, bind(c) :: equipoise_advice
        ! 1 if it is time to balance, else 0
        integer(c_int) :: worth_it = 0
        ! seconds that a balance now saves; see docs/how-to/balancer.md
        real(c_double) :: gain = 0
        ! seconds that it costs; -1 before the first balance
        real(c_double) :: cost = 0
        ! at whose end it would have paid for itself; 0: never or unknown
        integer(c_int64_t) :: break_even_step = 0
    end type
    type, bind(c) :: equipoise_device
        ! sizeof(equipoise_device) where the caller was compiled
        integer(c_size_t) :: struct_bytes = 0
        ! handed to all functions as it is: a stream, a queue, a context
        type(c_ptr) :: stream = c_null_ptr
        type(c_funptr) :: pack = c_null_funptr
        type(c_funptr) :: unpack = c_null_funptr
        type(c_funptr) :: allocate = c_null_funptr
        type(c_funptr) :: release = c_null_funptr
        type(c_funptr) :: synchronise = c_null_funptr
        integer(c_size_t) :: places_max = 2_c_size_t**20
    end type
    type, bind(c) :: rows_c
        type(c_ptr) :: data = c_null_ptr
        integer(c_int64_t) :: held = 0
        integer(c_int64_t) :: room = 0
        integer(c_size_t) :: row_bytes = 0
        integer(c_size_t) :: stride = 0
        type(c_ptr) :: device = c_null_ptr
    end type

    interface
        function equipoise_error_text() result(returned) bind(c)
            import :: c_ptr
            type(c_ptr) :: returned
        end function
        function equipoise_write(out, bytes, count) result(returned) bind(c)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: out
            type(c_ptr), value :: bytes
            integer(c_size_t), value :: count
            integer(c_int) :: returned
        end function
        function equipoise_read(in, bytes, count) result(returned) bind(c)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: in
            type(c_ptr), value :: bytes
            integer(c_size_t), value :: count
            integer(c_int) :: returned
        end function
        subroutine equipoise_use_neighbours() bind(c)
        end subroutine
        function equipoise_plan_inverse(plan, inverse) result(returned) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: plan
            type(c_ptr), intent(inout) :: inverse
            integer(c_int) :: returned
        end function
        function equipoise_plan_size_before(plan) result(returned) bind(c)
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: plan
            integer(c_int64_t) :: returned
        end function
        function equipoise_plan_size_after(plan) result(returned) bind(c)
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: plan
            integer(c_int64_t) :: returned
        end function
        function equipoise_plan_transfers(plan, transfers, room) result(returned) bind(c)
            import :: c_int64_t, c_ptr, equipoise_transfer
            type(c_ptr), value :: plan
            type(equipoise_transfer), intent(inout) :: transfers(*)
            integer(c_int64_t), value :: room
            integer(c_int64_t) :: returned
        end function
        function equipoise_plan_report(plan, report) result(returned) bind(c)
            import :: c_int, c_ptr, report_c
            type(c_ptr), value :: plan
            type(report_c), intent(inout) :: report
            integer(c_int) :: returned
        end function
        function equipoise_plan_describe(plan, text, room) result(returned) bind(c)
            import :: c_char, c_ptr, c_size_t
            type(c_ptr), value :: plan
            character(kind=c_char), intent(inout) :: text(*)
            integer(c_size_t), value :: room
            integer(c_size_t) :: returned
        end function
        function equipoise_report_describe(report, text, room) result(returned) bind(c)
            import :: c_char, c_size_t, report_c
            type(report_c), intent(in) :: report
            character(kind=c_char), intent(inout) :: text(*)
            integer(c_size_t), value :: room
            integer(c_size_t) :: returned
        end function
        function equipoise_plan_worth_it_by_kind(plan, costs, seconds_by_kind, kinds, verdict) &
            result(returned) bind(c)
            import :: c_double, c_int, c_ptr, c_size_t, costs_c, verdict_c
            type(c_ptr), value :: plan
            type(costs_c), intent(in) :: costs
            real(c_double), intent(in) :: seconds_by_kind(*)
            integer(c_size_t), value :: kinds
            type(verdict_c), intent(inout) :: verdict
            integer(c_int) :: returned
        end function
        function equipoise_plan_execute_placed(plan, items, report) result(returned) bind(c)
            import :: c_int, c_ptr, placed_c, report_c
            type(c_ptr), value :: plan
            type(placed_c), intent(in) :: items
            type(report_c), intent(inout) :: report
            integer(c_int) :: returned
        end function
        function equipoise_plan_begin_placed(plan, items, moving) result(returned) bind(c)
            import :: c_int, c_ptr, placed_c
            type(c_ptr), value :: plan
            type(placed_c), intent(in) :: items
            type(c_ptr), intent(inout) :: moving
            integer(c_int) :: returned
        end function
        function equipoise_end(moving, report) result(returned) bind(c)
            import :: c_int, c_ptr, report_c
            type(c_ptr), intent(inout) :: moving
            type(report_c), intent(inout) :: report
            integer(c_int) :: returned
        end function
        function equipoise_plan_destinations(plan, ranks) result(returned) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: plan
            integer(c_int), intent(inout) :: ranks(*)
            integer(c_int) :: returned
        end function
        function equipoise_plan_exchange(plan, exchange) result(returned) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: plan
            type(c_ptr), intent(inout) :: exchange
            integer(c_int) :: returned
        end function
        function equipoise_plan_exchange64(plan, exchange) result(returned) bind(c)
            import :: c_int, c_ptr
            type(c_ptr), value :: plan
            type(c_ptr), intent(inout) :: exchange
            integer(c_int) :: returned
        end function
        subroutine equipoise_exchange_free(exchange) bind(c)
            import :: c_ptr
            type(c_ptr), intent(inout) :: exchange
        end subroutine
        function equipoise_advisor_step(advisor, seconds) result(returned) bind(c)
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: advisor
            real(c_double), value :: seconds
            integer(c_int) :: returned
        end function
        function equipoise_advisor_balanced(advisor, seconds) result(returned) bind(c)
            import :: c_double, c_int, c_ptr
            type(c_ptr), value :: advisor
            real(c_double), value :: seconds
            integer(c_int) :: returned
        end function
        function equipoise_advisor_worth_it(advisor, advice) result(returned) bind(c)
            import :: c_int, c_ptr, equipoise_advice
            type(c_ptr), value :: advisor
            type(equipoise_advice), intent(inout) :: advice
            integer(c_int) :: returned
        end function
        function equipoise_fortran_keep_plan(plan) result(returned) bind(c)
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: plan
            integer(c_int64_t) :: returned
        end function
        function equipoise_fortran_plan(number) result(returned) bind(c)
            import :: c_int64_t, c_ptr
            integer(c_int64_t), value :: number
            type(c_ptr) :: returned
        end function
        subroutine equipoise_fortran_free_plan(number) bind(c)
            import :: c_int64_t
            integer(c_int64_t), value :: number
        end subroutine
        function equipoise_fortran_keep_advisor(advisor) result(returned) bind(c)
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: advisor
            integer(c_int64_t) :: returned
        end function
        function equipoise_fortran_advisor(number) result(returned) bind(c)
            import :: c_int64_t, c_ptr
            integer(c_int64_t), value :: number
            type(c_ptr) :: returned
        end function
        subroutine equipoise_fortran_free_advisor(number) bind(c)
            import :: c_int64_t
            integer(c_int64_t), value :: number
        end subroutine
        function equipoise_fortran_keep_moving(moving) result(returned) bind(c)
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: moving
            integer(c_int64_t) :: returned
        end function
        function equipoise_fortran_take_moving(number) result(returned) bind(c)
            import :: c_int64_t, c_ptr
            integer(c_int64_t), value :: number
            type(c_ptr) :: returned
        end function
        function equipoise_fortran_make_plan(comm, count, options, row_bytes, lacks_memory, &
            problem, length, plan) result(returned) bind(c)
            import :: c_char, c_int, c_int64_t, c_ptr, c_size_t, options_c
            integer(c_int), value :: comm
            integer(c_int64_t), value :: count
            type(options_c), intent(in) :: options
            integer(c_size_t), value :: row_bytes
            integer(c_int), value :: lacks_memory
            character(kind=c_char), intent(in) :: problem(*)
            integer(c_size_t), value :: length
            type(c_ptr), intent(inout) :: plan
            integer(c_int) :: returned
        end function
        function equipoise_fortran_make_plan_to(comm, count, ranks, options, plan) &
            result(returned) bind(c)
            import :: c_int, c_int64_t, c_ptr, options_c
            integer(c_int), value :: comm
            integer(c_int64_t), value :: count
            integer(c_int), intent(in) :: ranks(*)
            type(options_c), intent(in) :: options
            type(c_ptr), intent(inout) :: plan
            integer(c_int) :: returned
        end function
        function equipoise_fortran_make_plan_to64(comm, count, ranks, options, plan) &
            result(returned) bind(c)
            import :: c_int, c_int64_t, c_ptr, options_c
            integer(c_int), value :: comm
            integer(c_int64_t), value :: count
            integer(c_int64_t), intent(in) :: ranks(*)
            type(options_c), intent(in) :: options
            type(c_ptr), intent(inout) :: plan
            integer(c_int) :: returned
        end function
        function equipoise_fortran_relabel(comm, count, parts, bytes, options, rank_room, problem, &
            length, found) result(returned) bind(c)
            import :: c_char, c_int, c_int64_t, c_ptr, c_size_t, relabel_options_c, relabelling_c
            integer(c_int), value :: comm
            integer(c_int64_t), value :: count
            integer(c_int), intent(inout) :: parts(*)
            type(c_ptr), value :: bytes
            type(relabel_options_c), intent(in) :: options
            integer(c_int64_t), value :: rank_room
            character(kind=c_char), intent(in) :: problem(*)
            integer(c_size_t), value :: length
            type(relabelling_c), intent(inout) :: found
            integer(c_int) :: returned
        end function
        function equipoise_fortran_relabel64(comm, count, parts, bytes, options, rank_room, &
            problem, length, found) result(returned) bind(c)
            import :: c_char, c_int, c_int64_t, c_ptr, c_size_t, relabel_options_c, relabelling_c
            integer(c_int), value :: comm
            integer(c_int64_t), value :: count
            integer(c_int64_t), intent(inout) :: parts(*)
            type(c_ptr), value :: bytes
            type(relabel_options_c), intent(in) :: options
            integer(c_int64_t), value :: rank_room
            character(kind=c_char), intent(in) :: problem(*)
            integer(c_size_t), value :: length
            type(relabelling_c), intent(inout) :: found
            integer(c_int) :: returned
        end function
        function equipoise_fortran_make_advisor(comm, advisor) result(returned) bind(c)
            import :: c_int, c_ptr
            integer(c_int), value :: comm
            type(c_ptr), intent(inout) :: advisor
            integer(c_int) :: returned
        end function
        function equipoise_fortran_execute(plan, arrays, array_count, problem, length, report) &
            result(returned) bind(c)
            import :: array_c, c_char, c_int, c_ptr, c_size_t, report_c
            type(c_ptr), value :: plan
            type(array_c), intent(in) :: arrays(*)
            integer(c_size_t), value :: array_count
            character(kind=c_char), intent(in) :: problem(*)
            integer(c_size_t), value :: length
            type(report_c), intent(inout) :: report
            integer(c_int) :: returned
        end function
        function equipoise_fortran_begin(plan, arrays, array_count, problem, length, moving) &
            result(returned) bind(c)
            import :: array_c, c_char, c_int, c_ptr, c_size_t
            type(c_ptr), value :: plan
            type(array_c), intent(in) :: arrays(*)
            integer(c_size_t), value :: array_count
            character(kind=c_char), intent(in) :: problem(*)
            integer(c_size_t), value :: length
            type(c_ptr), intent(inout) :: moving
            integer(c_int) :: returned
        end function
        function equipoise_fortran_move_rows(plan, rows, count, problem, length, report) &
            result(returned) bind(c)
            import :: c_char, c_int, c_ptr, c_size_t, report_c, rows_c
            type(c_ptr), value :: plan
            type(rows_c), intent(in) :: rows(*)
            integer(c_size_t), value :: count
            character(kind=c_char), intent(in) :: problem(*)
            integer(c_size_t), value :: length
            type(report_c), intent(inout) :: report
            integer(c_int) :: returned
        end function
        function equipoise_fortran_begin_rows(plan, rows, count, problem, length, moving) &
            result(returned) bind(c)
            import :: c_char, c_int, c_ptr, c_size_t, rows_c
            type(c_ptr), value :: plan
            type(rows_c), intent(in) :: rows(*)
            integer(c_size_t), value :: count
            character(kind=c_char), intent(in) :: problem(*)
            integer(c_size_t), value :: length
            type(c_ptr), intent(inout) :: moving
            integer(c_int) :: returned
        end function
    end interface
end module
