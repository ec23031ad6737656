/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM version of header and library. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  shmem_init();
  int major, minor;
  char name[SHMEM_MAX_NAME_LEN];
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  if (shmem_my_pe() == 0) printf("%s, OpenSHMEM %d.%d\n", name, major, minor);
  if (major != SHMEM_MAJOR_VERSION || minor != SHMEM_MINOR_VERSION ||
      strcmp(name, SHMEM_VENDOR_STRING) != 0) {
    fprintf(stderr, "the header is of %s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING,
            SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
