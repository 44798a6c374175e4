! Items with allocatable components: every item travels in exactly the bytes that it needs.
module tasks
    use, intrinsic :: iso_fortran_env, only: int64
    use equipoise
    implicit none
    type :: task
        double precision, allocatable :: values(:)
    end type
    type, extends(equipoise_items) :: task_list
        type(task), allocatable :: old(:), new(:)
    contains
        procedure :: pack, unpack, keep
    end type
contains
    subroutine pack(self, place, out, stat)
        class(task_list), intent(inout) :: self
        integer(int64), intent(in) :: place
        type(equipoise_writer), intent(inout) :: out
        integer, intent(inout) :: stat  ! anything but 0 fails on all ranks
        if (.not. allocated(self%old(place)%values)) stat = 1
        if (stat /= 0) return
        call out%put(size(self%old(place)%values))
        call out%put(self%old(place)%values)
    end subroutine
    subroutine unpack(self, place, in, stat)
        class(task_list), intent(inout) :: self
        integer(int64), intent(in) :: place
        type(equipoise_reader), intent(inout) :: in
        integer, intent(inout) :: stat
        integer :: length
        length = 0
        call in%get(length)
        allocate (self%new(place)%values(length), stat=stat)
        if (stat == 0) call in%get(self%new(place)%values)
    end subroutine
    subroutine keep(self, from, to)
        class(task_list), intent(inout) :: self
        integer(int64), intent(in) :: from, to
        call move_alloc(self%old(from)%values, self%new(to)%values)
    end subroutine
end module

program packed
    use mpi_f08
    use equipoise
    use tasks
    implicit none
    type(task_list) :: list
    type(equipoise_plan) :: plan
    integer :: rank, ranks, i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (list%old(merge(100 * ranks, 0, rank == 0)))
    do i = 1, size(list%old)
        allocate (list%old(i)%values(mod(i, 10)), source=dble(i))
    end do

    call equipoise_make_plan(MPI_COMM_WORLD, size(list%old), plan)
    allocate (list%new(plan%size_after()))
    call plan%execute(list)
    call move_alloc(list%new, list%old)
    print '(3(a, i0))', 'rank ', rank, ': ', size(list%old), ' tasks with values: ', &
        sum([(size(list%old(i)%values), i=1, size(list%old))])
    call plan%free()
    call MPI_Finalize()
end program
