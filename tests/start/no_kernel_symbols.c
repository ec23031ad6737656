// SPDX-License-Identifier: BSD-3-Clause
// Hides /proc/kallsyms, which libfabric's verbs provider reads in each process (ten megabytes, 0.1
// s) to detect GPU memory registration.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

FILE* fopen(const char* path, const char* mode) {
  static FILE* (*next)(const char*, const char*) = NULL;
  if (strcmp(path, "/proc/kallsyms") == 0) {
    errno = EACCES;
    return NULL;
  }
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "fopen");
  return next(path, mode);
}
