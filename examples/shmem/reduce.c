/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: sum, product, min, max, bitwise; of arrays, and in place. */
#include <shmem.h>
#include <stdio.h>

static long values[3], sums[3];
static double one_more, product;
static int temperature, coldest, warmest;
static unsigned bit, all_bits, common_bits, odd_bits;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();

  for (int i = 0; i < 3; ++i) values[i] = (i + 1) * me;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sums, values, 3);
  one_more = me + 1;
  shmem_double_prod_reduce(SHMEM_TEAM_WORLD, &product, &one_more, 1);
  temperature = (me * 11 + 5) % 7 - 3;
  shmem_int_min_reduce(SHMEM_TEAM_WORLD, &coldest, &temperature, 1);
  shmem_int_max_reduce(SHMEM_TEAM_WORLD, &warmest, &temperature, 1);
  bit = 1U << me % 32 | 1;
  shmem_uint_or_reduce(SHMEM_TEAM_WORLD, &all_bits, &bit, 1);
  shmem_uint_and_reduce(SHMEM_TEAM_WORLD, &common_bits, &bit, 1);
  shmem_uint_xor_reduce(SHMEM_TEAM_WORLD, &odd_bits, &bit, 1);

  double factorial = 1;
  int least = 100, greatest = -100;
  unsigned any = 0, odd = 0, each = ~0U;
  for (int pe = 0; pe < pes; ++pe) {
    const int its = (pe * 11 + 5) % 7 - 3;
    const unsigned its_bit = 1U << pe % 32 | 1;
    factorial *= pe + 1;
    least = its < least ? its : least;
    greatest = its > greatest ? its : greatest;
    any |= its_bit;
    each &= its_bit;
    odd ^= its_bit;
  }
  if (me == 0) {
    printf("sums %ld %ld %ld, product %g, %d to %d degrees, bits %x %x %x\n", sums[0], sums[1],
           sums[2], product, coldest, warmest, all_bits, common_bits, odd_bits);
  }
  for (int i = 0; i < 3; ++i) {
    if (sums[i] != (i + 1) * (long)pes * (pes - 1) / 2) shmem_global_exit(1);
  }
  if (product != factorial || coldest != least || warmest != greatest || all_bits != any ||
      common_bits != each || odd_bits != odd) {
    shmem_global_exit(1);
  }

  shmem_long_max_reduce(SHMEM_TEAM_WORLD, values, values, 3);
  if (values[2] != 3 * (pes - 1)) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
