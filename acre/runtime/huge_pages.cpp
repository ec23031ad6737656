// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/huge_pages.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/fabric/smp_memory.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <sys/mman.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

namespace acre::runtime {
namespace {

constexpr std::size_t least_block = 2 * huge_page_bytes;

std::atomic<bool> wanted{true};

struct addresses {
  std::uintptr_t first;
  std::uintptr_t end;
};

/// Includes a page partly outside if that part is at most a quarter of the block and within the
/// segment: otherwise up to 4 MiB would stay in small pages.
addresses pages_of(std::uintptr_t begin, std::size_t bytes) noexcept {
  const std::uintptr_t end = begin + bytes;
  const auto is_here = [](std::uintptr_t address) {
    return address - reinterpret_cast<std::uintptr_t>(world.segment) < world.segment_bytes;
  };
  const std::uintptr_t outer_first = begin & ~std::uintptr_t{huge_page_bytes - 1};
  const std::uintptr_t outer_end = round_up(end, std::uintptr_t{huge_page_bytes});
  const bool takes_first = begin - outer_first <= bytes / 4 && is_here(outer_first);
  const bool takes_last = outer_end - end <= bytes / 4 && is_here(outer_end - 1);
  return {takes_first ? outer_first : round_up(begin, std::uintptr_t{huge_page_bytes}),
          takes_last ? outer_end : end & ~std::uintptr_t{huge_page_bytes - 1}};
}

int collapse(std::uintptr_t first, std::uintptr_t end) noexcept {
  for (std::uintptr_t page = first; page < end; page += huge_page_bytes) {
    static_cast<void>(*reinterpret_cast<volatile std::byte*>(page));
  }
  void* const block = reinterpret_cast<void*>(first);
  return ::madvise(block, end - first, MADV_COLLAPSE) == 0 ? 0 : errno;
}

class collapsing_time {
 public:
  [[nodiscard]] bool is_over(std::size_t pages) const noexcept {
    using namespace std::chrono_literals;
    const auto spent = std::chrono::steady_clock::now() - begun_;
    return spent > 50ms && spent > pages * 2ms;
  }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace

fabric::file_pages choose_huge_pages() {
  const std::string choice =
      environment_choice("ACRE_HUGE_PAGES", {"on", "off", "reserved"}).value_or("on");
  wanted.store(choice == "on", std::memory_order_relaxed);
  if (choice != "reserved") return fabric::file_pages::usual;
  if (fabric::free_reserved_bytes() == 0) {
    throw error("job", "ACRE_HUGE_PAGES is reserved, but this host has no free huge page of 2 MiB",
                "reserve huge pages (sysctl vm.nr_hugepages=1024), or unset ACRE_HUGE_PAGES");
  }
  return fabric::file_pages::reserved;
}

void use_huge_pages(void* block, std::size_t bytes) noexcept {
  if (bytes < least_block || !wanted.load(std::memory_order_relaxed)) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const auto [first, end] = pages_of(begin, bytes);
  constexpr std::size_t most_at_once = 32;
  constexpr int most_refusals = 4;
  std::size_t at_once = 4;
  int refusals = 0;
  const collapsing_time left;
  std::size_t made = 0;
  for (std::uintptr_t page = first; page < end && refusals < most_refusals;) {
    const std::uintptr_t next = std::min(page + at_once * huge_page_bytes, end);
    const int problem = collapse(page, next);
    if (problem != 0 && at_once > 1) {
      at_once = 1;
      continue;
    }
    const bool is_inside = page >= begin && next <= begin + bytes;
    if (problem == EINVAL && is_inside) {
      wanted.store(false, std::memory_order_relaxed);
      break;
    }
    made += problem == 0 ? (next - page) / huge_page_bytes : 0;
    refusals = problem == 0 ? 0 : refusals + 1;
    if (problem == 0) at_once = std::min(2 * at_once, most_at_once);
    page = next;
    if (left.is_over((page - first) / huge_page_bytes)) break;
  }
  count(counted::huge_page, made);
}

}  // namespace acre::runtime
