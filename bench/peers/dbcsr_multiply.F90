! Products of block-sparse matrices by DBCSR, on a grid of ranks as square as it can be, in OMP_NUM_THREADS
! threads of each rank. Blocks and their elements are what a hash makes of a seed, so that others can multiply the same.
! Prints one line of JSON: seconds of each product (of the slowest rank), operations, and what C sums to.
!
!     mpirun -n 4 dbcsr_multiply --blocks 23 --size 2484 --occupancy 0.1 [--seed 1] [--times 3]
!                                [--filter EPS] [--grid ROWS] [--write FILE]
!
! --blocks 5,13 repeats these sizes until they cover the size; --filter is DBCSR's filter_eps: it drops
! blocks of C whose norm is below; --grid gives the rows of the grid; --write writes A as DBCSR stores it,
! and multiplies nothing. "flops" is counted from the patterns of A and B, exactly; DBCSR's own count is
! rounded on each rank, and taken only with --filter, since what that leaves out DBCSR alone knows.
! Compile it with -fwrapv -fno-range-check: hashes wrap around.
program dbcsr_multiply_benchmark
  use mpi
  use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
  use dbcsr_api, only: dbcsr_binary_write, dbcsr_create, dbcsr_distribution_new, &
                       dbcsr_distribution_release, dbcsr_distribution_type, dbcsr_finalize, &
                       dbcsr_finalize_lib, dbcsr_get_num_blocks, dbcsr_init_lib, dbcsr_iterator_type, &
                       dbcsr_iterator_blocks_left, dbcsr_iterator_next_block, dbcsr_iterator_start, &
                       dbcsr_iterator_stop, dbcsr_multiply, dbcsr_put_block, dbcsr_release, &
                       dbcsr_type, dbcsr_type_no_symmetry, dbcsr_type_real_8
  implicit none

  character(len=256) :: blocks = '23', file = ''
  integer :: elements = 2484, times = 3, grid_rows = 0
  integer(int64) :: seed = 1
  real(real64) :: occupancy = 0.1_real64, filter = -1

  integer, pointer :: sizes(:) => null(), row_of(:) => null(), column_of(:) => null()
  integer, allocatable :: first(:)
  integer :: ranks, rank, grid(2), place(2), group, status, provided, n
  type(dbcsr_distribution_type) :: distribution
  type(dbcsr_type) :: a, b, c
  real(real64), allocatable :: seconds(:)
  integer(int64) :: counted, counted_by_dbcsr

  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, status)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, status)
  call read_command_line()
  call lay_out()
  call dbcsr_init_lib(MPI_COMM_WORLD)
  call dbcsr_distribution_new(distribution, group=group, row_dist=row_of, col_dist=column_of)
  call make(a, 'A', seed)
  if (file /= '') then
    call dbcsr_binary_write(a, trim(file))
  else
    call make(b, 'B', seed + 1)
    counted = operations()
    call multiply()
    call report()
    call dbcsr_release(b)
    call dbcsr_release(c)
  end if
  call dbcsr_release(a)
  call dbcsr_distribution_release(distribution)
  call dbcsr_finalize_lib()
  call MPI_Comm_free(group, status)
  call MPI_Finalize(status)

contains

  subroutine read_command_line()
    character(len=256) :: option, value
    integer :: i
    do i = 1, command_argument_count(), 2
      call get_command_argument(i, option)
      call get_command_argument(i + 1, value)
      select case (option)
      case ('--blocks'); blocks = value
      case ('--size'); read (value, *) elements
      case ('--occupancy'); read (value, *) occupancy
      case ('--seed'); read (value, *) seed
      case ('--times'); read (value, *) times
      case ('--filter'); read (value, *) filter
      case ('--grid'); read (value, *) grid_rows
      case ('--write'); file = value
      case default
        write (error_unit, '(2a)') 'there is no option ', trim(option)
        call MPI_Abort(MPI_COMM_WORLD, 2, status)
      end select
    end do
  end subroutine

  ! Sizes and first elements of blocks, and which row or column of the grid has them. Whole repetitions
  ! of the list go round the grid: if blocks did, one row of it could have all that are large.
  subroutine lay_out()
    integer, allocatable :: list(:)
    integer :: length, i
    logical :: periodic(2) = .true.
    length = 1
    do i = 1, len_trim(blocks)
      if (blocks(i:i) == ',') length = length + 1
    end do
    allocate (list(length))
    read (blocks, *) list
    n = length * ((elements + sum(list) - 1) / sum(list))
    allocate (sizes(n), row_of(n), column_of(n), first(n + 1))
    grid = [grid_rows, 0]
    call MPI_Dims_create(ranks, 2, grid, status)
    first(1) = 0
    do i = 1, n
      sizes(i) = list(modulo(i - 1, length) + 1)
      first(i + 1) = first(i) + sizes(i)
      row_of(i) = modulo((i - 1) / length, grid(1))
      column_of(i) = modulo((i - 1) / length, grid(2))
    end do
    call MPI_Cart_create(MPI_COMM_WORLD, 2, grid, periodic, .false., group, status)
    call MPI_Comm_rank(group, rank, status)
    call MPI_Cart_coords(group, rank, 2, place, status)
  end subroutine

  elemental integer(int64) function hash(x)
    integer(int64), intent(in) :: x
    hash = x + int(z'9e3779b97f4a7c15', int64)
    hash = ieor(hash, shiftr(hash, 30)) * int(z'bf58476d1ce4e5b9', int64)
    hash = ieor(hash, shiftr(hash, 27)) * int(z'94d049bb133111eb', int64)
    hash = ieor(hash, shiftr(hash, 31))
  end function

  ! What block (i, j), numbered from 0, and its elements are made of.
  elemental integer(int64) function block_hash(of_seed, i, j)
    integer(int64), intent(in) :: of_seed
    integer, intent(in) :: i, j
    block_hash = hash(hash(of_seed) + shiftl(int(i, int64), 32) + j)
  end function

  elemental logical function exists(of_seed, i, j)
    integer(int64), intent(in) :: of_seed
    integer, intent(in) :: i, j
    exists = occupancy >= 1 .or. &
             shiftr(block_hash(of_seed, i, j), 11) * 2.0_real64**(-53) < occupancy
  end function

  subroutine make(matrix, name, of_seed)
    type(dbcsr_type), intent(inout) :: matrix
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: of_seed
    real(real64), allocatable :: values(:, :)
    integer(int64) :: from
    integer :: i, j, row, column
    call dbcsr_create(matrix, name, distribution, dbcsr_type_no_symmetry, sizes, sizes, &
                      data_type=dbcsr_type_real_8)
    do i = 0, n - 1
      if (row_of(i + 1) /= place(1)) cycle
      do j = 0, n - 1
        if (column_of(j + 1) /= place(2)) cycle
        if (.not. exists(of_seed, i, j)) cycle
        from = block_hash(of_seed, i, j)
        allocate (values(sizes(i + 1), sizes(j + 1)))
        do column = 1, sizes(j + 1)
          do row = 1, sizes(i + 1)
            values(row, column) = shiftr(hash(from), 11) * 2.0_real64**(-52) - 1
            from = from + 1
          end do
        end do
        call dbcsr_put_block(matrix, i + 1, j + 1, values)
        deallocate (values)
      end do
    end do
    call dbcsr_finalize(matrix)
  end subroutine

  ! Multiplications and additions of all products of blocks, from the patterns of A and B.
  integer(int64) function operations()
    integer(int64) :: rows, columns
    integer :: i, k
    operations = 0
    do k = rank, n - 1, ranks
      rows = 0
      columns = 0
      do i = 0, n - 1
        if (exists(seed, i, k)) rows = rows + sizes(i + 1)
        if (exists(seed + 1, k, i)) columns = columns + sizes(i + 1)
      end do
      operations = operations + 2 * rows * sizes(k + 1) * columns
    end do
    call MPI_Allreduce(MPI_IN_PLACE, operations, 1, MPI_INTEGER8, MPI_SUM, group, status)
  end function

  subroutine multiply()
    integer :: i
    real(real64) :: begin, spent
    allocate (seconds(times))
    do i = 0, times
      ! A new C each time, as Acre makes one.
      if (i > 0) call dbcsr_release(c)
      call dbcsr_create(c, 'C', distribution, dbcsr_type_no_symmetry, sizes, sizes, &
                        data_type=dbcsr_type_real_8)
      call dbcsr_finalize(c)
      call MPI_Barrier(group, status)
      begin = MPI_Wtime()
      if (filter >= 0) then
        call dbcsr_multiply('N', 'N', 1.0_real64, a, b, 0.0_real64, c, filter_eps=filter, &
                            flop=counted_by_dbcsr)
      else
        call dbcsr_multiply('N', 'N', 1.0_real64, a, b, 0.0_real64, c, flop=counted_by_dbcsr)
      end if
      spent = MPI_Wtime() - begin
      call MPI_Allreduce(MPI_IN_PLACE, spent, 1, MPI_DOUBLE_PRECISION, MPI_MAX, group, status)
      if (i > 0) seconds(i) = spent
    end do
  end subroutine

  subroutine report()
    real(real64) :: sums(2), best, median
    real(real64), pointer :: values(:, :)
    integer(int64) :: numbers(4)
    type(dbcsr_iterator_type) :: iterator
    integer :: row, column, i, j
    logical :: transposed
    sums = 0
    call dbcsr_iterator_start(iterator, c)
    do while (dbcsr_iterator_blocks_left(iterator))
      call dbcsr_iterator_next_block(iterator, row, column, values, transposed)
      do j = 1, sizes(column)
        do i = 1, sizes(row)
          sums(1) = sums(1) + values(i, j)**2
          sums(2) = sums(2) + values(i, j) * (modulo((first(row) + i - 1) * 7 + &
                                                     (first(column) + j - 1) * 13, 11) - 5)
        end do
      end do
    end do
    call dbcsr_iterator_stop(iterator)
    numbers = [int(dbcsr_get_num_blocks(a), int64), int(dbcsr_get_num_blocks(b), int64), &
               int(dbcsr_get_num_blocks(c), int64), counted_by_dbcsr]
    call MPI_Allreduce(MPI_IN_PLACE, numbers, 4, MPI_INTEGER8, MPI_SUM, group, status)
    call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, group, status)
    if (rank /= 0) return
    if (filter >= 0) counted = numbers(4)
    call sort(seconds)
    best = seconds(1)
    median = (seconds((times + 1) / 2) + seconds(times / 2 + 1)) / 2
    write (*, '(a,i0,3a,i0,a,es24.16,a,i0)', advance='no') '{"ranks": ', ranks, ', "blocks": "', &
      trim(blocks), '", "size": ', first(n + 1), ', "occupancy": ', occupancy, ', "seed": ', seed
    write (*, '(a,*(es14.7,:,", "))', advance='no') ', "seconds": [', seconds
    write (*, '(2(a,es14.7),2(a,i0),a,es14.7)', advance='no') '], "best": ', best, ', "median": ', &
      median, ', "flops": ', counted, ', "flops_by_dbcsr": ', numbers(4), ', "gflops": ', &
      counted / best * 1e-9_real64
    write (*, '(3(a,i0),2(a,es24.16),a)') ', "blocks_of_a": ', numbers(1), ', "blocks_of_b": ', &
      numbers(2), ', "blocks_of_c": ', numbers(3), ', "sum_of_squares": ', sums(1), &
      ', "weighted_sum": ', sums(2), '}'
  end subroutine

  subroutine sort(values)
    real(real64), intent(inout) :: values(:)
    real(real64) :: value
    integer :: i, j
    do i = 2, size(values)
      value = values(i)
      j = i - 1
      do while (j > 0)
        if (values(j) <= value) exit
        values(j + 1) = values(j)
        j = j - 1
      end do
      values(j + 1) = value
    end do
  end subroutine

end program
