/* The place of extensions to OpenSHMEM, of which Acre has none. */
#include "shmem.h"
