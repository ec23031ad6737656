/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios of layer_test.py. Amounts differ per call, to identify it. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static char out[65536], in[65536], space[65536];

static void sends(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  MPI_Request receives[9], request[3];
  MPI_Buffer_attach(space, sizeof space);
  for (int i = 0; i < 8; ++i) {
    MPI_Irecv(in + i * 256, 256, MPI_CHAR, before, i, MPI_COMM_WORLD, &receives[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD); /* the receiver is ready for ready sends */
  MPI_Send(out, 1, MPI_CHAR, next, 0, MPI_COMM_WORLD);
  MPI_Bsend(out, 2, MPI_CHAR, next, 1, MPI_COMM_WORLD);
  MPI_Rsend(out, 4, MPI_CHAR, next, 2, MPI_COMM_WORLD);
  MPI_Isend(out, 8, MPI_CHAR, next, 3, MPI_COMM_WORLD, &request[0]);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  MPI_Ibsend(out, 16, MPI_CHAR, next, 4, MPI_COMM_WORLD, &request[0]);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  MPI_Irsend(out, 8, MPI_INT, next, 5, MPI_COMM_WORLD, &request[0]);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  MPI_Issend(out, 64, MPI_CHAR, next, 6, MPI_COMM_WORLD, &request[0]);
  MPI_Datatype columns; /* 8 of 16 rows of 16 bytes */
  MPI_Type_vector(8, 16, 32, MPI_CHAR, &columns);
  MPI_Type_commit(&columns);
  MPI_Ssend(out, 1, columns, next, 7, MPI_COMM_WORLD);
  MPI_Type_free(&columns);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  MPI_Waitall(8, receives, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(out, 256, MPI_CHAR, next, 8, in, 256, MPI_CHAR, before, 8, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(out, 512, MPI_CHAR, next, 9, before, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  /* Persistent requests. */
  MPI_Send_init(out, 1024, MPI_CHAR, next, 10, MPI_COMM_WORLD, &request[0]);
  MPI_Ssend_init(out, 4096, MPI_CHAR, next, 11, MPI_COMM_WORLD, &request[1]);
  MPI_Send_init(out, 3, MPI_CHAR, next, 12, MPI_COMM_WORLD, &request[2]);
  for (int time = 0; time < 2; ++time) {
    MPI_Irecv(in, 1024, MPI_CHAR, before, 10, MPI_COMM_WORLD, &receives[0]);
    MPI_Irecv(in + 1024, 4096, MPI_CHAR, before, 11, MPI_COMM_WORLD, &receives[1]);
    if (time == 0) {
      MPI_Start(&request[0]);
      MPI_Start(&request[1]);
    } else {
      MPI_Startall(2, request);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Waitall(2, receives, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < 3; ++i) MPI_Request_free(&request[i]);
  MPI_Send(out, 7, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  void* buffer;
  int bytes;
  MPI_Buffer_detach(&buffer, &bytes);
}

static void pass_on(MPI_Comm comm, int bytes) {
  int mine, all;
  MPI_Comm_rank(comm, &mine);
  MPI_Comm_size(comm, &all);
  MPI_Sendrecv(out, bytes, MPI_CHAR, (mine + 1) % all, 0, in, bytes, MPI_CHAR,
               (mine + all - 1) % all, 0, comm, MPI_STATUS_IGNORE);
}

/* One reuses a freed handle. */
static void communicators(void) {
  MPI_Comm copy, part, others;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  pass_on(copy, 1);
  MPI_Comm_free(&copy);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &copy); /* backwards */
  pass_on(copy, 2);
  MPI_Comm_free(&copy);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
  pass_on(part, 4);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &others);
  MPI_Sendrecv(out, 8, MPI_CHAR, rank / 2, 0, in, 8, MPI_CHAR, rank / 2, 0, others,
               MPI_STATUS_IGNORE);
  MPI_Comm_free(&others);
  MPI_Comm_free(&part);
}

static void one_sided(void) {
  MPI_Comm backwards;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Win win;
  char* memory;
  MPI_Win_allocate(sizeof in, 1, MPI_INFO_NULL, backwards, &memory, &win);
  const int mine = size - 1 - rank, next = (mine + 1) % size;
  MPI_Request request;
  MPI_Win_fence(0, win);
  MPI_Put(out, 1, MPI_CHAR, next, 0, 1, MPI_CHAR, win);
  MPI_Accumulate(out, 2, MPI_CHAR, next, 64, 2, MPI_CHAR, MPI_SUM, win);
  MPI_Get(in, 4, MPI_CHAR, next, 256, 4, MPI_CHAR, win);
  MPI_Win_fence(0, win);
  MPI_Win_lock_all(0, win);
  MPI_Rput(out, 8, MPI_CHAR, next, 512, 8, MPI_CHAR, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Raccumulate(out, 16, MPI_CHAR, next, 1024, 16, MPI_CHAR, MPI_SUM, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Rget(in, 32, MPI_CHAR, next, 2048, 32, MPI_CHAR, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Get_accumulate(out, 64, MPI_CHAR, in, 64, MPI_CHAR, next, 4096, 64, MPI_CHAR, MPI_SUM, win);
  MPI_Win_flush(next, win);
  MPI_Rget_accumulate(NULL, 0, MPI_CHAR, in, 128, MPI_CHAR, next, 4096, 128, MPI_CHAR, MPI_NO_OP,
                      win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Fetch_and_op(out, in, MPI_LONG, next, 8192, MPI_SUM, win);
  MPI_Compare_and_swap(out, out + 8, in, MPI_LONG, next, 8192, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&backwards);
}

static void collectives(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  int counts[64], places[64];
  MPI_Datatype types[64];
  for (int i = 0; i < size; ++i) {
    counts[i] = i + 1;
    places[i] = i * 64;
    types[i] = MPI_CHAR;
  }
  MPI_Request request;
  MPI_Barrier(world);
  MPI_Bcast(out, 10, MPI_CHAR, 1, world);
  MPI_Reduce(out, in, 20, MPI_CHAR, MPI_MAX, size - 1, world);
  MPI_Allreduce(out, in, 10, MPI_INT, MPI_MAX, world);
  MPI_Iallreduce(MPI_IN_PLACE, in, 3, MPI_CHAR, MPI_MAX, world, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Scan(out, in, 50, MPI_CHAR, MPI_MAX, world);
  MPI_Gather(out, 60, MPI_CHAR, in, 60, MPI_CHAR, 1, world);
  MPI_Gatherv(out, rank + 1, MPI_CHAR, in, counts, places, MPI_CHAR, 0, world);
  MPI_Scatter(out, 70, MPI_CHAR, in, 70, MPI_CHAR, 2, world);
  MPI_Scatterv(out, counts, places, MPI_CHAR, in, rank + 1, MPI_CHAR, 0, world);
  MPI_Allgather(out, 80, MPI_CHAR, in, 80, MPI_CHAR, world);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_CHAR, in, counts, places, MPI_CHAR, world);
  MPI_Alltoall(out, 90, MPI_CHAR, in, 90, MPI_CHAR, world);
  /* Rank i receives i + 1 bytes from each. */
  int received[64];
  for (int i = 0; i < size; ++i) received[i] = rank + 1;
  MPI_Alltoallv(out, counts, places, MPI_CHAR, in, received, places, MPI_CHAR, world);
  MPI_Alltoallw(out, counts, places, types, in, received, places, types, world);
  for (int i = 0; i < size; ++i) received[i] = 100;
  for (int i = 0; i < size; ++i) places[i] = 100 * i;
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_CHAR, in, received, places, MPI_CHAR, world);
  MPI_Reduce_scatter(out, in, counts, MPI_CHAR, MPI_MAX, world);
  MPI_Reduce_scatter_block(out, in, 110, MPI_CHAR, MPI_MAX, world);
}

/* A line, and a ring with longer edges. */
static void neighbours(void) {
  const int no = 0;
  MPI_Comm line, ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &line);
  int counts[2] = {16, 32}, received[2] = {32, 16}, places[2] = {0, 100};
  MPI_Neighbor_allgather(out, 1, MPI_CHAR, in, 1, MPI_CHAR, line);
  MPI_Neighbor_alltoall(out, 4, MPI_CHAR, in, 4, MPI_CHAR, line);
  MPI_Neighbor_alltoallv(out, counts, places, MPI_CHAR, in, received, places, MPI_CHAR, line);
  int to[2] = {(rank + 1) % size, (rank + 2) % size};
  int from[2] = {(rank + size - 1) % size, (rank + size - 2) % size};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &ring);
  const MPI_Datatype types[2] = {MPI_CHAR, MPI_INT};
  const MPI_Aint offsets[2] = {0, 1024};
  int sent[2] = {64, 32};
  MPI_Neighbor_alltoallw(out, sent, offsets, types, in, sent, offsets, types, ring);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&line);
}

/* Remains in MPI_Finalize, uncopied. */
static int no_copy(MPI_Comm of, int key, void* extra, void* in, void* copy, int* copied) {
  fprintf(stderr, "the program's attribute was copied\n");
  return MPI_ERR_OTHER;
}

static void attributes(void) {
  int key;
  MPI_Comm_create_keyval(no_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
}

/* Without data MPICH allows a null type. */
static void nothing(void) {
#ifdef MPICH_VERSION
  const MPI_Datatype none = MPI_DATATYPE_NULL;
#else
  const MPI_Datatype none = MPI_CHAR;
#endif
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  int sent[64] = {0}, received[64] = {0}, places[64] = {0};
  MPI_Datatype types[64], received_types[64];
  for (int i = 0; i < size; ++i) types[i] = received_types[i] = none;
  sent[next] = received[before] = 2;
  types[next] = received_types[before] = MPI_INT;
  MPI_Alltoallw(out, sent, places, types, in, received, places, received_types, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Alltoall(out, -1, MPI_CHAR, in, -1, MPI_CHAR, MPI_COMM_WORLD);
}

/* Errors as without a trace, then an earlier request to the rank itself. */
static void refused(void) {
  const int nobody = -7700000;
  MPI_Comm backwards;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(backwards, MPI_ERRORS_RETURN);
  MPI_Request request, same;
  MPI_Send_init(out, 128, MPI_CHAR, size - 1 - rank, 0, backwards, &request);
  same = request; /* unchanged by failed calls */
  int answers[] = {
      MPI_Send_init(out, 1, MPI_CHAR, nobody, 0, backwards, &same),
      MPI_Send(out, 1, MPI_CHAR, nobody, 0, backwards),
      MPI_Bcast(out, 2, MPI_CHAR, nobody, backwards),
      MPI_Bcast(out, 4, MPI_CHAR, size, backwards),
      MPI_Reduce(out, in, 8, MPI_CHAR, MPI_SUM, nobody, backwards),
      MPI_Gather(out, 16, MPI_CHAR, in, 16, MPI_CHAR, nobody, backwards),
      MPI_Gather(out, 32, MPI_CHAR, in, 32, MPI_CHAR, 0, MPI_COMM_NULL),
  };
  for (int i = 0; i < (int)(sizeof answers / sizeof answers[0]); ++i) {
    if (answers[i] == MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Start(&request);
  MPI_Recv(in, 128, MPI_CHAR, MPI_ANY_SOURCE, 0, backwards, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Comm_free(&backwards);
}

static void windows(void) {
  pass_on(MPI_COMM_WORLD, 1);
  MPI_Pcontrol(2);
  MPI_Pcontrol(0);
  pass_on(MPI_COMM_WORLD, 2);
  MPI_Pcontrol(1);
  pass_on(MPI_COMM_WORLD, 4);
  MPI_Pcontrol(2);
  MPI_Pcontrol(7, "a level of another tool");
  pass_on(MPI_COMM_WORLD, 8);
}

static void hang(void) {
  pass_on(MPI_COMM_WORLD, 16);
  MPI_Win win;
  MPI_Win_create(out, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Get(in, 32, MPI_CHAR, (rank + 1) % size, 0, 32, MPI_CHAR, win);
  MPI_Win_fence(0, win);
  printf("rank %d hangs: %d\n", rank, (int)getpid());
  fflush(stdout);
  MPI_Recv(in, 1, MPI_CHAR, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A grid in world order, a reversed one without the last rank, graphs. */
static void topologies(void) {
  int dims[2] = {2, size / 2}, periods[2] = {1, 0}, around[2] = {1, size - 1};
  MPI_Comm made, backwards;
  for (int i = 0; i < 2; ++i) {
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &made);
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  }
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Cart_create(backwards, 2, around, (int[2]){0, 1}, 0, &made);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  int index[2] = {1, 2}, edges[2] = {1, 0}, next = (rank + 1) % size,
      before = (rank + size - 1) % size;
  MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &made);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  MPI_Dist_graph_create_adjacent(backwards, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &made);
  MPI_Comm_free(&made);
  MPI_Comm_free(&backwards);
}

static MPI_Comm shared[10]; /* backwards */

/* Four threads use shared communicators, then their own. */
static void* exchange(void* world) {
  char mine[8], other[8];
  for (int i = 0; i < 10; ++i) {
    MPI_Sendrecv(mine, 1, MPI_CHAR, (size - rank) % size, 0, other, 1, MPI_CHAR,
                 (2 * size - 2 - rank) % size, 0, shared[i], MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < 50; ++i) {
    MPI_Comm copy;
    MPI_Comm_dup(*(MPI_Comm*)world, &copy);
    MPI_Sendrecv(mine, 1, MPI_CHAR, (rank + 1) % size, 0, other, 1, MPI_CHAR,
                 (rank + size - 1) % size, 0, copy, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
  }
  return NULL;
}

static void threads(void) {
  MPI_Comm worlds[4];
  pthread_t running[4];
  for (int i = 0; i < 4; ++i) MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &worlds[i]);
  for (int i = 0; i < 10; ++i) MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &shared[i]);
  for (int i = 0; i < 4; ++i) pthread_create(&running[i], NULL, exchange, &worlds[i]);
  for (int i = 0; i < 4; ++i) pthread_join(running[i], NULL);
  for (int i = 0; i < 10; ++i) MPI_Comm_free(&shared[i]);
  for (int i = 0; i < 4; ++i) MPI_Comm_free(&worlds[i]);
}

int main(int argc, char** argv) {
  const int many = argc > 1 && strcmp(argv[1], "threads") == 0;
  int allowed;
  MPI_Init_thread(&argc, &argv, many ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &allowed);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "sends") == 0) sends();
    if (strcmp(argv[i], "communicators") == 0) communicators();
    if (strcmp(argv[i], "one-sided") == 0) one_sided();
    if (strcmp(argv[i], "collectives") == 0) collectives();
    if (strcmp(argv[i], "neighbours") == 0) neighbours();
    if (strcmp(argv[i], "attributes") == 0) attributes();
    if (strcmp(argv[i], "nothing") == 0) nothing();
    if (strcmp(argv[i], "refused") == 0) refused();
    if (strcmp(argv[i], "windows") == 0) windows();
    if (strcmp(argv[i], "hang") == 0) hang();
    if (strcmp(argv[i], "topologies") == 0) topologies();
    if (many && allowed == MPI_THREAD_MULTIPLE) threads();
  }
  MPI_Finalize();
  if (argc > 1 && strcmp(argv[1], "linger") == 0) {
    printf("rank %d hangs: %d\n", rank, (int)getpid());
    fflush(stdout);
    pause();
  }
  return 0;
}
