// SPDX-License-Identifier: BSD-3-Clause
// Instructions of an OpenSHMEM's calls between two PEs, counted as in tests/budgets.
//
//     shmem_instructions near|far RMA ORDER
//
// until the first instruction in library RMA (puts, gets, atomics) or ORDER (quiet, fence), or `-`.
// In `near`, calls that reach RMA are omitted. Prints JSON per call.
#include "../../tests/budgets/instruction_trace.hpp"

#include <cstdio>
#include <cstring>
#include <shmem.h>
#include <span>
#include <string_view>

namespace {

enum class place { near, far };
place where;
std::string_view rma_library;
std::string_view order_library;
budgets::instruction_trace* trace;

// Symmetric, of the heap: Open MPI reaches static variables by messages.
int* number;
long* word;
long source = 7;
int peer;

template <class Result, class... Parameters>
void count(std::string_view library, const char* call, const char* name,
           Result (*function)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  const std::string_view all[] = {library};
  const std::span<const std::string_view> libraries(all, library == "-" ? 0 : 1);
  budgets::instruction_trace::counted_steps least{~std::size_t{0}, false};
  for (int repeat = 0; repeat < 5; ++repeat) {
    static_cast<void>(function(arguments...));
    shmem_quiet();
    const auto steps = trace->steps_to<Result, Parameters...>(libraries, function, arguments...);
    shmem_quiet();
    if (steps.count < least.count) least = steps;
  }
  // A call within a node that uses the network has no comparable end.
  if (std::string_view(name) == "same node" && least.has_reached) return;
  if (shmem_my_pe() == 0) {
    std::printf("{\"call\": \"%s\", \"where\": \"%s\", \"count\": %zu}\n", call, name, least.count);
  }
}

void count_orders(const char* name) {
  count(order_library, "shmem_quiet, nothing outstanding", name, shmem_quiet);
  count(order_library, "shmem_ctx_quiet, nothing outstanding", name, shmem_ctx_quiet,
        SHMEM_CTX_DEFAULT);
  count(order_library, "shmem_fence", name, shmem_fence);
}

void count_near() {
  const char* const name = "same node";
  count(rma_library, "shmem_int_p", name, shmem_int_p, number, 7, peer);
  count(rma_library, "shmem_long_p", name, shmem_long_p, word, 7, peer);
  count(rma_library, "shmem_ctx_int_p", name, shmem_ctx_int_p, SHMEM_CTX_DEFAULT, number, 7, peer);
  count(rma_library, "shmem_int_g", name, shmem_int_g, number, peer);
  count(rma_library, "shmem_long_g", name, shmem_long_g, word, peer);
  count(rma_library, "shmem_long_put 8 B", name, shmem_long_put, word, &source, 1, peer);
  count(rma_library, "shmem_putmem 8 B", name, shmem_putmem, word, &source, 8, peer);
  count(rma_library, "shmem_getmem 8 B", name, shmem_getmem, &source, word, 8, peer);
  count(rma_library, "shmem_long_atomic_fetch_add", name, shmem_long_atomic_fetch_add, word, 1,
        peer);
  count(rma_library, "shmem_long_atomic_add", name, shmem_long_atomic_add, word, 1, peer);
  count(rma_library, "shmem_long_atomic_compare_swap", name, shmem_long_atomic_compare_swap, word,
        1, 2, peer);
  count_orders("job of one node");
}

void count_far() {
  const char* const name = "other node";
  count(rma_library, "shmem_int_p", name, shmem_int_p, number, 7, peer);
  count(rma_library, "shmem_long_p", name, shmem_long_p, word, 7, peer);
  count(rma_library, "shmem_ctx_int_p", name, shmem_ctx_int_p, SHMEM_CTX_DEFAULT, number, 7, peer);
  count(rma_library, "shmem_putmem 8 B", name, shmem_putmem, word, &source, 8, peer);
  count_orders("job of many nodes");
}

}  // namespace

int main(int argc, char** argv) {
  where = argc > 1 && std::strcmp(argv[1], "far") == 0 ? place::far : place::near;
  rma_library = argc > 2 ? argv[2] : "-";
  order_library = argc > 3 ? argv[3] : "-";
  shmem_init();
  peer = (shmem_my_pe() + 1) % shmem_n_pes();
  number = static_cast<int*>(shmem_calloc(16, sizeof *number));
  word = static_cast<long*>(shmem_calloc(16, sizeof *word));
  budgets::instruction_trace of_this_process;
  trace = &of_this_process;
  shmem_barrier_all();
  if (shmem_my_pe() == 0) where == place::near ? count_near() : count_far();
  shmem_barrier_all();
  std::fflush(stdout);
  shmem_finalize();
}
