/* SPDX-License-Identifier: BSD-3-Clause */
/* Two 2-d splits form a three-dimensional grid. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  shmem_team_t along_x, yz, along_y, along_z;
  if (shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &along_x, NULL, 0, &yz) != 0 ||
      shmem_team_split_2d(yz, 2, NULL, 0, &along_y, NULL, 0, &along_z) != 0) {
    fprintf(stderr, "PE %d: no teams\n", me);
    shmem_global_exit(1);
  }

  const int x = shmem_team_my_pe(along_x);
  const int y = shmem_team_my_pe(along_y);
  const int z = shmem_team_my_pe(along_z);
  printf("PE %d: room %d, corridor %d, floor %d\n", me, x, y, z);
  if (x != me % 2 || y != me / 2 % 2 || z != me / 4) shmem_global_exit(1);

  /* Members of one axis differ in one coordinate. */
  for (int i = 0; i < shmem_team_n_pes(along_y); ++i) {
    const int pe = shmem_team_translate_pe(along_y, i, SHMEM_TEAM_WORLD);
    if (pe % 2 != x || pe / 2 % 2 != i || pe / 4 != z) shmem_global_exit(1);
  }
  shmem_team_destroy(along_z);
  shmem_team_destroy(along_y);
  shmem_team_destroy(yz);
  shmem_team_destroy(along_x);
  shmem_finalize();
  return 0;
}
