! Messages around a ring, and collective calls, from Fortran: by `mpif.h`, by `use mpi` or by
! `use mpi_f08`, whichever the macro BINDING names (1, 2, 3). Each rank prints its slot and its rank.
program ring
#if BINDING == 3
  use mpi_f08
  implicit none
  type(MPI_Comm) :: part
  type(MPI_Request) :: request
  type(MPI_Status) :: status
#else
#if BINDING == 2
  use mpi
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer :: part, request, status(MPI_STATUS_SIZE)
#endif
  integer :: rank, total, next, before, mine, sum, ierror, length
  integer :: counts(64), places(64), i
  character :: out(1024), in(4096)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=16) :: slot

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, total, ierror)
  next = mod(rank + 1, total)
  before = mod(rank + total - 1, total)
  out = 'x'

  call MPI_Irecv(in, 100, MPI_CHARACTER, before, 0, MPI_COMM_WORLD, request, ierror)
  call MPI_Send(out, 1, MPI_CHARACTER, next, 0, MPI_COMM_WORLD, ierror)
  call MPI_Wait(request, status, ierror)
#if BINDING == 3
  if (status%MPI_SOURCE /= before) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
#else
  if (status(MPI_SOURCE) /= before) call MPI_Abort(MPI_COMM_WORLD, 3, ierror)
#endif
  call MPI_Sendrecv(out, 2, MPI_CHARACTER, next, 1, in, 2, MPI_CHARACTER, before, 1, &
                    MPI_COMM_WORLD, status, ierror)
  call MPI_Send_init(out, 4, MPI_CHARACTER, next, 2, MPI_COMM_WORLD, request, ierror)
  call MPI_Start(request, ierror)
  call MPI_Recv(in, 4, MPI_CHARACTER, before, 2, MPI_COMM_WORLD, status, ierror)
  call MPI_Wait(request, status, ierror)
  call MPI_Request_free(request, ierror)

  call MPI_Pcontrol(2)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, part, ierror)
  call MPI_Comm_rank(part, mine, ierror)
  call MPI_Sendrecv(out, 8, MPI_CHARACTER, mod(mine + 1, total), 3, in, 8, MPI_CHARACTER, &
                    mod(mine + total - 1, total), 3, part, status, ierror)
  call MPI_Comm_free(part, ierror)

  call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (sum /= total * (total - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 4, ierror)
  do i = 1, total
    counts(i) = 16
    places(i) = 16 * (i - 1)
  end do
  call MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_CHARACTER, in, counts, places, &
                     MPI_CHARACTER, MPI_COMM_WORLD, ierror)

  ! Calls with logical arguments go other ways in some libraries.
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [total], [.true.], .false., part, ierror)
  call MPI_Comm_rank(part, mine, ierror)
  if (mine /= rank) call MPI_Abort(MPI_COMM_WORLD, 6, ierror)
  call MPI_Comm_free(part, ierror)

  call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, ierror)
  if (name(1:length) /= 'MPI_COMM_WORLD') call MPI_Abort(MPI_COMM_WORLD, 5, ierror)
  call get_environment_variable('OMPI_COMM_WORLD_RANK', slot)
  if (slot == '') call get_environment_variable('PMI_RANK', slot)
  print '(a, a, a, i0)', 'slot ', trim(slot), ' is rank ', rank
  call MPI_Finalize(ierror)
end program ring
