! A plan as lists, for programs that move their items by an MPI_Alltoallv of their own.
module equipoise_exchanges
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int64
    use equipoise_calls
    implicit none

    ! What leaves this rank and what arrives there; items that stay are not counted. Made by
    ! plan%make_exchange(exchange, stat, errmsg), or, if some rank sends or receives more items than
    ! an integer can count, by plan%make_exchange64, which leaves the lists of integer unallocated.
    type :: equipoise_exchange
        ! Of rank r in entry r + 1: how many items go there and come from there, and how many go to
        ! and come from the ranks before it, as MPI_Alltoallv takes them.
        integer, allocatable :: send_counts(:), send_offsets(:)
        integer, allocatable :: receive_counts(:), receive_offsets(:)
        integer(int64), allocatable :: send_counts64(:), send_offsets64(:)
        integer(int64), allocatable :: receive_counts64(:), receive_offsets64(:)
        ! items(send_order) are those that leave: the ones for rank 0, the ones for rank 1, ...
        integer(int64), allocatable :: send_order(:)
        ! new(receive_places) = arrived, in the order of the ranks from which they come.
        integer(int64), allocatable :: receive_places(:)
        ! new(kept_to) = items(kept_from) are those that stay.
        integer(int64), allocatable :: kept_from(:), kept_to(:)
    end type

contains

    ! The lists of C, which are freed.
    subroutine take_exchange(made, exchange)
        type(c_ptr), intent(inout) :: made
        type(equipoise_exchange), intent(inout) :: exchange
        type(exchange_c), pointer :: lists
        type(run_c), pointer :: runs(:)
        integer(int64) :: run, kept, i
        call c_f_pointer(made, lists)
        call take_integers(lists%send_counts, lists%ranks, exchange%send_counts)
        call take_integers(lists%send_offsets, lists%ranks, exchange%send_offsets)
        call take_integers(lists%receive_counts, lists%ranks, exchange%receive_counts)
        call take_integers(lists%receive_offsets, lists%ranks, exchange%receive_offsets)
        exchange%send_counts64 = numbers_at(lists%send_counts64, lists%ranks)
        exchange%send_offsets64 = numbers_at(lists%send_offsets64, lists%ranks)
        exchange%receive_counts64 = numbers_at(lists%receive_counts64, lists%ranks)
        exchange%receive_offsets64 = numbers_at(lists%receive_offsets64, lists%ranks)
        exchange%send_order = numbers_at(lists%send_order, lists%sent) + 1
        exchange%receive_places = numbers_at(lists%receive_places, lists%received) + 1
        call c_f_pointer(lists%kept, runs, [lists%kept_runs])
        kept = sum(runs%items)
        allocate (exchange%kept_from(kept), exchange%kept_to(kept))
        kept = 0
        do run = 1, lists%kept_runs
            do i = 1, runs(run)%items
                exchange%kept_from(kept + i) = runs(run)%from + i
                exchange%kept_to(kept + i) = runs(run)%to + i
            end do
            kept = kept + runs(run)%items
        end do
        call equipoise_exchange_free(made)
    end subroutine

    ! Leaves a list that C does not have unallocated.
    subroutine take_integers(pointer, count, list)
        type(c_ptr), intent(in) :: pointer
        integer(c_int64_t), intent(in) :: count
        integer, allocatable, intent(inout) :: list(:)
        integer(c_int), pointer :: numbers(:)
        if (.not. c_associated(pointer)) return
        call c_f_pointer(pointer, numbers, [count])
        list = int(numbers)
    end subroutine

    function numbers_at(pointer, count) result(list)
        type(c_ptr), intent(in) :: pointer
        integer(c_int64_t), intent(in) :: count
        integer(int64), allocatable :: list(:)
        integer(c_int64_t), pointer :: numbers(:)
        allocate (list(count))
        if (count == 0) return
        call c_f_pointer(pointer, numbers, [count])
        list = numbers
    end function

end module
