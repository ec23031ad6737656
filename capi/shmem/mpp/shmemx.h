/* Where shmemx.h was before OpenSHMEM 1.1 (deprecated). */
#include "../shmemx.h"
