! A partitioner gives every item a new part. Which rank gets which part? Those that move the fewest
! bytes.
program relabel
    use mpi_f08
    use equipoise
    implicit none
    double precision, allocatable :: items(:)
    integer :: part(100)
    type(equipoise_plan) :: plan
    type(equipoise_relabelling) :: found
    integer :: rank, ranks

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate (items(100), source=0d0)
    part(1:90) = mod(rank + 1, ranks)  ! most items of rank r are in part r + 1 now
    part(91:) = rank

    call equipoise_relabel(MPI_COMM_WORLD, part, found=found)
    call equipoise_make_plan_to(MPI_COMM_WORLD, part, plan)
    call plan%replace(items)
    print '(4(a, i0))', 'rank ', rank, ': ', size(items), ' items; moved: ', found%moved, &
        ', with part p on rank p: ', found%moved_by_identity
    call plan%free()
    call MPI_Finalize()
end program
