// SPDX-License-Identifier: BSD-3-Clause
#include "memory_fault.hpp"

#include "failure.hpp"
#include "session.hpp"
#include <acre/runtime/rank_table.hpp>
#include <acre/runtime/static_data.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace acre::shmem {
namespace {

using runtime::rank_table;
using runtime::world;

constexpr const char* some_routine = "a routine of OpenSHMEM";
constexpr const char* advice =
    "\n      link with the checking library (oshcc -g) to find the routine: docs/openshmem.md";

template <class Predicate>
bool register_has([[maybe_unused]] const ucontext_t& at, [[maybe_unused]] Predicate&& is_it,
                  [[maybe_unused]] bool unknown) {
#if defined(__x86_64__)
  return std::ranges::any_of(at.uc_mcontext.gregs, std::forward<Predicate>(is_it));
#else
  return unknown;
#endif
}

/// True if a register contains an address computed from the window-table entry of a negative PE.
bool computes_with_no_address(const ucontext_t& at) {
  const auto is_no_address = [](auto value) {
    return (static_cast<std::uintptr_t>(value) ^ rank_table::no_address) >> 48 == 0;
  };
  return register_has(at, is_no_address, false);
}

/// The PE whose missing table entry was accessed, if a register contains the PE or the entry's
/// offset: other accesses may hit the page by accident.
std::optional<std::int64_t> pe_without_entry(const siginfo_t& fault, const ucontext_t& at) {
  const auto pe = runtime::index_at(world.windows->entries(), fault.si_addr);
  if (!pe || fault.si_code == SI_KERNEL) return std::nullopt;
  const auto is_pe = [&](auto value) {
    const auto entry_bytes = static_cast<std::int64_t>(sizeof *world.windows->entries());
    return static_cast<std::int32_t>(value) == static_cast<std::int32_t>(*pe) ||
           static_cast<std::int64_t>(value) == *pe * entry_bytes;
  };
  return register_has(at, is_pe, true) ? std::optional<std::int64_t>(*pe) : std::nullopt;
}

/// The private address that a routine must have taken for symmetric to cause this fault.
const void* taken_for_symmetric(const void* fault) {
  const std::uintptr_t page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (rank_t rank = 0; rank < world.size; ++rank) {
    if (world.bases[rank] == 0 || rank == world.rank) continue;
    const std::uintptr_t mine =
        reinterpret_cast<std::uintptr_t>(fault) - (*world.windows)[static_cast<std::int64_t>(rank)];
    unsigned char resident = 0;
    if (::mincore(reinterpret_cast<void*>(mine / page * page), 1, &resident) == 0) {
      return reinterpret_cast<const void*>(mine);
    }
  }
  return nullptr;
}

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
  const auto pe = pe_without_entry(fault, at);
  if (the_session.now != stage::running) {
    if (pe || computes_with_no_address(at)) fail_outside_session(some_routine);
    return;
  }
  const std::string pes = "but PEs are 0 to " + std::to_string(runtime::world.size - 1) + advice;
  if (pe) fail(some_routine, "pe is " + std::to_string(*pe) + ", " + pes);
  if (computes_with_no_address(at)) fail(some_routine, "pe is negative, " + pes);
  if (const auto owner = owner_of_window(fault.si_addr); owner && *owner != world.rank) {
    fail(some_routine, "an address is not symmetric: PE " + std::to_string(*owner) +
                           " has no memory there" + advice);
  }
  const void* mine = taken_for_symmetric(fault.si_addr);
  if (fault.si_code == SI_KERNEL) {
    // For a non-canonical address the processor reports no address.
    const auto is_it = [&](auto value) {
      const auto bits = static_cast<std::intptr_t>(value);
      const bool is_no_address = bits >> 47 != 0 && bits >> 47 != -1;
      if (is_no_address) mine = taken_for_symmetric(reinterpret_cast<const void*>(bits));
      return is_no_address && mine != nullptr;
    };
    static_cast<void>(register_has(at, is_it, false));
  }
  if (mine != nullptr) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%p", mine);
    fail(some_routine, std::string("an address is not symmetric: ") + text.data() +
                           " is private to this PE: its stack, its constants, or memory of malloc" +
                           advice);
  }
}

void catch_fault(int signal, siginfo_t* fault, void* context) {
  // A second fault ends the process.
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
