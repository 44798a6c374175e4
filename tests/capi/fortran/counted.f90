! Checks that count what is wrong.
module counted
    use, intrinsic :: iso_fortran_env
    use mpi_f08
    implicit none
    integer :: rank, ranks, wrong = 0

contains

    subroutine begin_checks()
        call MPI_Init()
        call MPI_Comm_rank(MPI_COMM_WORLD, rank)
        call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    end subroutine

    subroutine end_checks()
        call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
        if (rank == 0) print '(a, i0)', 'wrong: ', wrong
        call MPI_Finalize()
    end subroutine

    subroutine check(holds, what)
        logical, intent(in) :: holds
        character(*), intent(in) :: what
        if (holds) return
        wrong = wrong + 1
        print '(a, i0, 2a)', 'rank ', rank, ': wrong: ', what
    end subroutine

    ! The same stat and text on every rank, which has these words in it.
    subroutine check_error(expected, stat, errmsg, words)
        integer, intent(in) :: expected, stat
        character(*), intent(in) :: errmsg, words
        character(len(errmsg)) :: first
        first = errmsg
        call MPI_Bcast(first, len(first), MPI_CHARACTER, 0, MPI_COMM_WORLD)
        call check(stat == expected, 'stat of: ' // words)
        call check(errmsg == first, 'the same errmsg on all ranks: ' // trim(errmsg))
        call check(index(errmsg, words) > 0, 'errmsg with ' // words // ', found ' // trim(errmsg))
    end subroutine

    ! 12 items a rank, all on rank 0.
    function pile() result(count)
        integer :: count
        count = merge(12 * ranks, 0, rank == 0)
    end function

    function total(value) result(sum)
        integer(int64), intent(in) :: value
        integer(int64) :: sum
        call MPI_Allreduce(value, sum, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD)
    end function

end module
