/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments of maximum size: first and last bytes are usable. */
#include "check.h"

int main(void) {
  CHECK(gasnet_init(NULL, NULL) == GASNET_OK);
  const uintptr_t most = gasnet_getMaxGlobalSegmentSize();
  CHECK(gasnet_attach(NULL, 0, most, 0) == GASNET_OK);
  gasnet_seginfo_t* segments = malloc(gasnet_nodes() * sizeof *segments);
  CHECK(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()) == GASNET_OK);
  const gasnet_node_t me = gasnet_mynode();
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    CHECK(segments[node].size == most);
    char* const begin = segments[node].addr;
    char* const end = begin + most;
    gasnet_put_val(node, begin + 8 * me, me + 1, 8);
    gasnet_put_val(node, end - 8 * (me + 1), me + 2, 8);
    CHECK(gasnet_get_val(node, begin + 8 * me, 8) == me + 1);
    CHECK(gasnet_get_val(node, end - 8 * (me + 1), 8) == me + 2);
  }
  barrier();
  const uint64_t* const begin = segments[me].addr;
  const uint64_t* const end = begin + most / 8;
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    CHECK(begin[node] == node + 1);
    CHECK(end[-1 - (int)node] == node + 2);
  }
  free(segments);
  barrier();
  return 0;
}
