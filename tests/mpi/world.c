/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks MPI_COMM_WORLD in a program unaware of reordering. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

#define CHECK(holds)                                                                   \
  do {                                                                                 \
    if (!(holds)) {                                                                    \
      fprintf(stderr, "rank %d: line %d: check failed: %s\n", rank, __LINE__, #holds); \
      MPI_Abort(MPI_COMM_WORLD, 3);                                                    \
    }                                                                                  \
  } while (0)

static const char* slot(void) {
  const char* of_openmpi = getenv("OMPI_COMM_WORLD_RANK");
  return of_openmpi ? of_openmpi : getenv("PMI_RANK");
}

static void names_and_groups(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length, relation, all[64], same[64];
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0);
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &relation);
  CHECK(relation == MPI_IDENT);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &relation);
  CHECK(relation == MPI_CONGRUENT);
  MPI_Group world, group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(copy, &group);
  for (int i = 0; i < size; ++i) all[i] = i;
  MPI_Group_translate_ranks(world, size, all, group, same);
  for (int i = 0; i < size; ++i) CHECK(same[i] == i);
  int mine;
  MPI_Group_rank(world, &mine);
  CHECK(mine == rank);
  MPI_Group_free(&world);
  MPI_Group_free(&group);
  MPI_Comm_free(&copy);
  const MPI_Fint number = MPI_Comm_c2f(MPI_COMM_WORLD);
  CHECK(MPI_Comm_f2c(number) == MPI_COMM_WORLD);
}

static int deleted = 0;
static int count_deletion(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++deleted;
  return MPI_SUCCESS;
}

static void attributes(void) {
  int* bound = NULL;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  CHECK(found && *bound >= 32767);
  int key;
  void* value = NULL;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_deletion, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &rank);
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found);
  CHECK(found && value == &rank);
  PMPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found);
  if (rank == 0) printf("%s world\n", found ? "the original" : "a new");
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  CHECK(deleted == 1);
  MPI_Comm_free_keyval(&key);
}

static int errors = 0;
static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++errors;
}

static void error_handlers(void) {
  MPI_Errhandler mine, found;
  MPI_Comm_create_errhandler(count_error, &mine);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
  CHECK(found == mine);
  int nothing = 0, bytes = 0;
  MPI_Send(&nothing, 1, MPI_INT, size, 0,
           MPI_COMM_WORLD); /* invalid rank: an error on the communicator */
  CHECK(errors == 1);
  MPI_Type_size(MPI_DATATYPE_NULL, &bytes); /* an error without communicator */
  CHECK(errors == 2);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&mine);
  MPI_Errhandler_free(&found);
}

static void messages(void) {
  MPI_Status status;
  int seen[64] = {0}, other;
  MPI_Request requests[64];
  for (int i = 0; i < size; ++i) {
    MPI_Isend(&rank, 1, MPI_INT, i, 5, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < size; ++i) {
    MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == other);
    ++seen[other];
  }
  for (int i = 0; i < size; ++i) CHECK(seen[i] == 1);
  MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
  int all[64], sum;
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(all[i] == i);
  MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == rank * (rank + 1) / 2);
}

static void what_is_made_of_it(void) {
  MPI_Comm part, grid;
  int mine, coordinate, yes = 1;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
  MPI_Comm_rank(part, &mine);
  CHECK(mine == rank / 2);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &yes, 0, &grid);
  MPI_Cart_coords(grid, rank, 1, &coordinate);
  MPI_Comm_rank(grid, &mine);
  CHECK(coordinate == rank && mine == rank);
  MPI_Win win;
  int memory = -1;
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK(memory == (rank + size - 1) % size);
  MPI_Win_free(&win);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&part);
}

/* Some libraries communicate in attribute callbacks of MPI_Finalize. */
static int tidy_up(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  int now, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &now);
  MPI_Allreduce(&now, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(now == rank && sum == size * (size - 1) / 2);
  printf("slot %s is rank %d\n", slot(), rank);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int threads, key;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  names_and_groups();
  attributes();
  error_handlers();
  messages();
  what_is_made_of_it();
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, tidy_up, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Finalize();
  return 0;
}
