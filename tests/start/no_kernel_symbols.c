// SPDX-License-Identifier: BSD-3-Clause
// What tests over libfabric are started with: a kernel that does not list its symbols.
//
// libfabric's provider verbs reads all of /proc/kallsyms (ten megabytes, a tenth of a second of a
// core) in each process that opens libfabric, whichever provider is chosen, to find out whether
// memory of GPUs can be registered. Where the list cannot be read, it takes that for a no.
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
