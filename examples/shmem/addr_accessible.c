/* SPDX-License-Identifier: BSD-3-Clause */
/* Static variables and the symmetric heap are accessible remotely; stack and malloc() memory are
 * not. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static int in_static_memory;

static void expect(const char* what, const void* address, int expected) {
  const int pe = (shmem_my_pe() + 1) % shmem_n_pes();
  const int accessible = shmem_addr_accessible(address, pe) != 0;
  if (shmem_my_pe() == 0) printf("%s: %s\n", what, accessible ? "accessible" : "not accessible");
  if (accessible != expected) shmem_global_exit(1);
}

int main(void) {
  shmem_init();
  int on_the_stack;
  int* const symmetric = shmem_malloc(sizeof *symmetric);
  int* const private = malloc(sizeof *private);
  expect("a static variable", &in_static_memory, 1);
  expect("memory of shmem_malloc", symmetric, 1);
  expect("a local variable", &on_the_stack, 0);
  expect("memory of malloc", private, 0);
  free(private);
  shmem_free(symmetric);
  shmem_finalize();
  return 0;
}
