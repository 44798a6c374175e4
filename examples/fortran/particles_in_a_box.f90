! Particles in a box with collisions, as in examples/particles_in_a_box.cpp: gravity draws them into
! a corner, where cells are crowded, and the work of a cell grows with the square of its particles.
!
!     mpirun -n 16 example_fortran_particles_in_a_box [steps]
!
! plays the same steps four times. Every rank works on the cells of its own block of the box (none);
! cells change their rank in every step (rebalance), or when it pays (advisor); or cells keep their
! home, and only the work on them is lent (lend). All end with the same particles, bit for bit.
module box
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use mpi_f08
    use equipoise
    implicit none
    integer, parameter :: side = 128, cells = side**2, particles = 30000, rows = 5
    real(real64), parameter :: diameter = 4e-4_real64, time_step = 1e-2_real64

    ! A piece of work, which any rank can do. A column is a particle: number, place and velocity.
    type :: cell
        integer :: number = 0
        real(real64), allocatable :: all(:, :)
    end type
    type, extends(equipoise_items) :: cell_list
        type(cell), allocatable :: old(:), new(:)
    contains
        procedure :: pack => pack_cell
        procedure :: unpack => unpack_cell
        procedure :: keep => keep_cell
    end type
    type :: ranks_of_box
        type(MPI_Comm) :: comm
        integer :: rank = 0, size = 0, sides(2) = 0
    end type

contains

    subroutine pack_cell(self, place, out, stat)
        class(cell_list), intent(inout) :: self
        integer(int64), intent(in) :: place
        type(equipoise_writer), intent(inout) :: out
        integer, intent(inout) :: stat
        if (.not. allocated(self%old(place)%all)) stat = 1
        if (stat /= 0) return
        call out%put([self%old(place)%number, size(self%old(place)%all, 2)])
        call out%put(reshape(self%old(place)%all, [size(self%old(place)%all)]))
    end subroutine
    subroutine unpack_cell(self, place, in, stat)
        class(cell_list), intent(inout) :: self
        integer(int64), intent(in) :: place
        type(equipoise_reader), intent(inout) :: in
        integer, intent(inout) :: stat
        real(real64), allocatable :: values(:)
        integer :: head(2)
        head = 0
        call in%get(head)
        allocate (values(rows * head(2)), stat=stat)
        if (stat /= 0) return
        call in%get(values)
        self%new(place)%number = head(1)
        self%new(place)%all = reshape(values, [rows, head(2)])
    end subroutine
    subroutine keep_cell(self, from, to)
        class(cell_list), intent(inout) :: self
        integer(int64), intent(in) :: from, to
        self%new(to)%number = self%old(from)%number
        call move_alloc(self%old(from)%all, self%new(to)%all)
    end subroutine

    ! Pairs to look at, and particles to move.
    function costs_of(list) result(costs)
        type(cell_list), intent(in) :: list
        real(real64), allocatable :: costs(:)
        integer :: i
        costs = [(0.5_real64 * size(list%old(i)%all, 2)**2 + 40 * size(list%old(i)%all, 2), &
                  i=1, size(list%old))]
    end function

    function cell_at(place) result(number)  ! from 1
        real(real64), intent(in) :: place(2)
        integer :: number, at(2)
        at = max(0, min(side - 1, int(place * side)))
        number = 1 + at(2) * side + at(1)
    end function

    function home(ranks, number) result(rank)
        type(ranks_of_box), intent(in) :: ranks
        integer, intent(in) :: number
        integer :: rank, at(2)
        at = [mod(number - 1, side), (number - 1) / side] * ranks%sides / side
        call MPI_Cart_rank(ranks%comm, at, rank)
    end function

    ! A number in (0, 1) that depends on nothing but the seed.
    function drawn(seed) result(value)
        integer, intent(in) :: seed
        real(real64) :: value
        integer(int64) :: x
        integer :: i
        x = seed + 1
        do i = 1, 4
            x = mod(x * 48271_int64 + 11, 2147483647_int64)
        end do
        value = (real(x, real64) + 0.5_real64) / 2147483648.0_real64
    end function

    ! The order of a cell's particles is that of their numbers, so that the outcome does not depend
    ! on who brought them.
    subroutine order(all)
        real(real64), intent(inout) :: all(:, :)
        real(real64) :: one(rows)
        integer :: i, j
        do i = 2, size(all, 2)
            one = all(:, i)
            j = i
            do while (j > 1)
                if (all(1, j - 1) < one(1)) exit
                all(:, j) = all(:, j - 1)
                j = j - 1
            end do
            all(:, j) = one
        end do
    end subroutine

    ! Equal discs that approach each other exchange their velocities along the line between them.
    subroutine collide(a, b)
        real(real64), intent(inout) :: a(rows), b(rows)
        real(real64) :: apart(2), squared, closing
        apart = b(2:3) - a(2:3)
        squared = sum(apart**2)
        if (squared >= diameter**2 .or. squared <= 0) return
        closing = sum((b(4:5) - a(4:5)) * apart)
        if (closing >= 0) return
        a(4:5) = a(4:5) + closing / squared * apart
        b(4:5) = b(4:5) - closing / squared * apart
    end subroutine

    ! The work of one step on the cells that this rank holds; returns its processor time.
    function work(list) result(seconds)
        type(cell_list), intent(inout) :: list
        real(real64) :: seconds, ended
        integer :: c, i, j
        call cpu_time(seconds)
        do c = 1, size(list%old)
            associate (all => list%old(c)%all)
                if (size(all, 2) == 0) cycle
                call order(all)
                do i = 1, size(all, 2)
                    do j = i + 1, size(all, 2)
                        call collide(all(:, i), all(:, j))
                    end do
                end do
                all(4:5, :) = all(4:5, :) - time_step  ! gravity, towards (0, 0)
                all(2:3, :) = all(2:3, :) + time_step * all(4:5, :)
                where (all(2:3, :) < 0 .or. all(2:3, :) > 1) all(4:5, :) = -all(4:5, :)
                where (all(2:3, :) > 1) all(2:3, :) = 2 - all(2:3, :)
                all(2:3, :) = abs(all(2:3, :))
            end associate
        end do
        call cpu_time(ended)
        seconds = ended - seconds
    end function

    ! Cells where gravity has been at work for long: heights are distributed as those of air.
    subroutine fill(ranks, list, holder)
        type(ranks_of_box), intent(in) :: ranks
        type(cell_list), intent(out) :: list
        integer, intent(out) :: holder(cells)
        real(real64), allocatable :: all(:, :)
        integer, allocatable :: at(:)
        integer :: i, c, own
        allocate (all(rows, particles), at(particles))
        do i = 1, particles
            all(:, i) = [real(i, real64), height(4 * i), height(4 * i + 1), &
                         0.8_real64 * drawn(4 * i + 2) - 0.4_real64, &
                         0.8_real64 * drawn(4 * i + 3) - 0.4_real64]
            at(i) = cell_at(all(2:3, i))
        end do
        holder = [(home(ranks, c), c=1, cells)]
        allocate (list%old(count(holder == ranks%rank)))
        own = 0
        do c = 1, cells
            if (holder(c) /= ranks%rank) cycle
            own = own + 1
            list%old(own) = cell(c, all(:, pack([(i, i=1, particles)], at == c)))
        end do
    end subroutine

    function height(seed) result(value)
        integer, intent(in) :: seed
        real(real64) :: value
        value = min(-0.05_real64 * log(drawn(seed)), 0.999_real64)
    end function

    ! Particles that left their cell go to whoever holds the cell that they are in now.
    subroutine hand_over(ranks, list, holder)
        type(ranks_of_box), intent(in) :: ranks
        type(cell_list), intent(inout) :: list
        integer, intent(in) :: holder(cells)
        real(real64), allocatable :: out(:, :), in(:, :)
        integer, allocatable :: at(:), to(:)
        integer, dimension(0:ranks%size - 1) :: sent, sent_from, received, received_from
        integer, allocatable :: place(:)
        integer :: c, i, r
        allocate (out(rows, 0), to(0), place(cells))
        place = 0
        do c = 1, size(list%old)
            associate (held => list%old(c))
                place(held%number) = c
                at = [(cell_at(held%all(2:3, i)), i=1, size(held%all, 2))]
                if (all(at == held%number)) cycle
                to = [to, holder(pack(at, at /= held%number))]
                out = joined(out, held%all, at /= held%number)
                held%all = joined(out(:, 1:0), held%all, at == held%number)
            end associate
        end do
        sent = [(rows * count(to == r), r=0, ranks%size - 1)]
        call MPI_Alltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, ranks%comm)
        sent_from = [(sum(sent(0:r - 1)), r=0, ranks%size - 1)]
        received_from = [(sum(received(0:r - 1)), r=0, ranks%size - 1)]
        out = out(:, [(pack([(i, i=1, size(to))], to == r), r=0, ranks%size - 1)])
        allocate (in(rows, sum(received) / rows))
        call MPI_Alltoallv(out, sent, sent_from, MPI_DOUBLE_PRECISION, in, received, &
                           received_from, MPI_DOUBLE_PRECISION, ranks%comm)
        do i = 1, size(in, 2)
            associate (held => list%old(place(cell_at(in(2:3, i)))))
                held%all = joined(held%all, in(:, i:i), [.true.])
            end associate
        end do
    end subroutine

    ! Particles, and those of others that are chosen.
    function joined(some, others, chosen) result(both)
        real(real64), intent(in) :: some(:, :), others(:, :)
        logical, intent(in) :: chosen(:)
        real(real64), allocatable :: both(:, :)
        integer :: i
        allocate (both(rows, size(some, 2) + count(chosen)))
        both(:, 1:size(some, 2)) = some
        both(:, size(some, 2) + 1:) = others(:, pack([(i, i=1, size(chosen))], chosen))
    end function

    ! Cells change their rank for good.
    subroutine level(ranks, list, holder, report)
        type(ranks_of_box), intent(in) :: ranks
        type(cell_list), intent(inout) :: list
        integer, intent(inout) :: holder(cells)
        type(equipoise_report), intent(out) :: report
        type(equipoise_plan) :: plan
        integer :: i
        call equipoise_make_plan(ranks%comm, size(list%old), plan, costs_of(list))
        call move(plan, list, report)
        call plan%free()
        holder = 0
        holder([(list%old(i)%number, i=1, size(list%old))]) = ranks%rank
        call MPI_Allreduce(MPI_IN_PLACE, holder, cells, MPI_INTEGER, MPI_MAX, ranks%comm)
    end subroutine

    subroutine move(plan, list, report)
        type(equipoise_plan), intent(in) :: plan
        type(cell_list), intent(inout) :: list
        type(equipoise_report), intent(out), optional :: report
        allocate (list%new(plan%size_after()))
        call plan%execute(list, report)
        call move_alloc(list%new, list%old)
    end subroutine

    ! A number that is the same for equal particles, in whatever order and wherever they are.
    function digest(ranks, list) result(all_bits)
        type(ranks_of_box), intent(in) :: ranks
        type(cell_list), intent(in) :: list
        integer(int64) :: all_bits, bits
        integer :: c, i, row
        all_bits = 0
        do c = 1, size(list%old)
            do i = 1, size(list%old(c)%all, 2)
                bits = 0
                do row = 1, rows
                    bits = ieor(ishftc(bits, 13), transfer(list%old(c)%all(row, i), bits))
                end do
                all_bits = ieor(all_bits, ishftc(bits, mod(int(list%old(c)%all(1, i)), 64)))
            end do
        end do
        call MPI_Allreduce(MPI_IN_PLACE, all_bits, 1, MPI_INTEGER8, MPI_BXOR, ranks%comm)
    end function

    ! Plays all steps one way. Returns the sum over steps of the busiest rank's processor time, and
    ! the digest of the particles.
    subroutine play(ranks, way, steps, seconds, bits)
        type(ranks_of_box), intent(in) :: ranks
        character(*), intent(in) :: way
        integer, intent(in) :: steps
        real(real64), intent(out) :: seconds
        integer(int64), intent(out) :: bits
        type(cell_list) :: list
        type(equipoise_loan) :: loan
        type(equipoise_advisor) :: advisor
        type(equipoise_report) :: report
        integer, allocatable :: holder(:)
        integer :: step
        real(real64) :: mine, slowest
        logical :: pays
        allocate (holder(cells))
        call fill(ranks, list, holder)
        call equipoise_make_advisor(ranks%comm, advisor)
        seconds = 0
        do step = 1, steps
            if (way == 'rebalance') call level(ranks, list, holder, report)
            if (way == 'lend') then
                if (mod(step, 5) == 1) &  ! a plan serves for five steps
                    call equipoise_make_loan(ranks%comm, size(list%old), loan, costs_of(list))
                call move(loan%there, list)
            end if
            mine = work(list)
            if (way == 'lend') call move(loan%back, list)
            call MPI_Allreduce(mine, slowest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, ranks%comm)
            seconds = seconds + slowest
            call advisor%step(mine)
            pays = advisor%worth_it()
            if (way == 'advisor' .and. pays) then
                call level(ranks, list, holder, report)
                call advisor%balanced(report)
            end if
            call hand_over(ranks, list, holder)
        end do
        call loan%free()
        call advisor%free()
        bits = digest(ranks, list)
    end subroutine
end module

program particles_in_a_box
    use box
    implicit none
    character(9), parameter :: ways(4) = ['none     ', 'rebalance', 'lend     ', 'advisor  ']
    type(ranks_of_box) :: ranks
    real(real64) :: seconds(4)
    integer(int64) :: bits(4)
    character(20) :: argument
    integer :: steps, way
    call MPI_Init()
    call get_command_argument(1, argument)
    steps = 100
    if (argument /= '') read (argument, *) steps
    call MPI_Comm_size(MPI_COMM_WORLD, ranks%size)
    call MPI_Dims_create(ranks%size, 2, ranks%sides)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, ranks%sides, [.false., .false.], .false., ranks%comm)
    call MPI_Comm_rank(ranks%comm, ranks%rank)
    do way = 1, size(ways)
        call play(ranks, ways(way), steps, seconds(way), bits(way))
        if (ranks%rank == 0) print '(2a, f9.1, a, f5.1, a)', ways(way), ':', 1e3 * seconds(way), &
            ' ms, ', seconds(1) / seconds(way), ' times as fast'
    end do
    if (ranks%rank == 0) print '(a)', merge('all end with the same particles', &
                                            'the particles differ           ', &
                                            all(bits == bits(1)))
    call MPI_Finalize()
end program
