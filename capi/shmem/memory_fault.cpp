#include "memory_fault.hpp"

#include "failure.hpp"
#include "session.hpp"
#include <acre/runtime/detail/rank_table.hpp>
#include <acre/runtime/static_data.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <ucontext.h>

namespace acre::shmem {
namespace {

using runtime::world;
using runtime::detail::rank_table;

constexpr const char* some_routine = "a routine of OpenSHMEM";
constexpr const char* advice =
    "\n      link with the checking library to be told which (oshcc -g): docs/openshmem.md";

/// Whether a routine was computing with the entry of a negative number: then a register has what
/// came of it.
bool computes_with_no_address([[maybe_unused]] const ucontext_t& at) {
#if defined(__x86_64__)
  return std::ranges::any_of(at.uc_mcontext.gregs, [](greg_t value) {
    return (static_cast<std::uintptr_t>(value) ^ rank_table::no_address) >> 48 == 0;
  });
#else
  return false;
#endif
}

/// The rank of this node in whose window an address lies.
std::optional<rank_t> owner_of_window(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (rank_t rank = 0; rank < world.size; ++rank) {
    if (world.bases[rank] == 0) continue;
    const std::uintptr_t segment = world.bases[rank] + (std::uintptr_t{rank} << offset_bits);
    if (at >= segment - runtime::window_gap && at < segment + world.segment_bytes) return rank;
  }
  return std::nullopt;
}

void explain(const siginfo_t& fault, const ucontext_t& at) {
  const auto pe = runtime::detail::index_at(world.windows->entries(), fault.si_addr);
  const bool is_no_pe = pe.has_value() && fault.si_code != SI_KERNEL;
  if (the_session.now != stage::running) {
    if (is_no_pe || computes_with_no_address(at)) fail_outside_session(some_routine);
    return;
  }
  const std::string pes = "but PEs are 0 to " + std::to_string(world.size - 1) + advice;
  if (is_no_pe) fail(some_routine, "pe is " + std::to_string(*pe) + ", " + pes);
  if (computes_with_no_address(at)) fail(some_routine, "pe is negative, " + pes);
  if (const auto owner = owner_of_window(fault.si_addr); owner && *owner != world.rank) {
    fail(some_routine, "an address is not symmetric: PE " + std::to_string(*owner) +
                           " has nothing there" + advice);
  }
}

void catch_fault(int signal, siginfo_t* fault, void* context) {
  // Whatever happens now, a second fault, or the same again, is nobody's to explain.
  std::signal(signal, SIG_DFL);
  explain(*fault, *static_cast<const ucontext_t*>(context));
}

}  // namespace

bool explain_memory_faults() noexcept {
  struct sigaction before{};
  ::sigaction(SIGSEGV, nullptr, &before);
  if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) return false;
  struct sigaction ours{};
  ours.sa_sigaction = catch_fault;
  ours.sa_flags = SA_SIGINFO;
  return ::sigaction(SIGSEGV, &ours, nullptr) == 0;
}

}  // namespace acre::shmem
