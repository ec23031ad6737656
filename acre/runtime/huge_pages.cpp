#include <acre/runtime/huge_pages.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/fabric/smp_memory.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

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

/// The pages of a block. One that reaches out of it counts when what lies outside is at most a
/// quarter of the block, and of this rank's segment: otherwise up to 4 MiB of a block, at its ends,
/// would stay in small pages.
addresses pages_of(std::uintptr_t begin, std::size_t bytes) noexcept {
  const std::uintptr_t end = begin + bytes;
  const auto is_here = [](std::uintptr_t address) {
    return in_segment(reinterpret_cast<const void*>(address));
  };
  const std::uintptr_t outer_first = begin & ~std::uintptr_t{huge_page_bytes - 1};
  const std::uintptr_t outer_end = round_up(end, std::uintptr_t{huge_page_bytes});
  const bool takes_first = begin - outer_first <= bytes / 4 && is_here(outer_first);
  const bool takes_last = outer_end - end <= bytes / 4 && is_here(outer_end - 1);
  return {takes_first ? outer_first : round_up(begin, std::uintptr_t{huge_page_bytes}),
          takes_last ? outer_end : end & ~std::uintptr_t{huge_page_bytes - 1}};
}

/// A huge page in the place of the 512 there, with what they hold.
/// @return 0, or what errno says
int collapse(std::byte* page) noexcept {
  // The kernel refuses where there is nothing at all; a look brings one page.
  static_cast<void>(*static_cast<volatile std::byte*>(page));
  return ::madvise(page, huge_page_bytes, MADV_COLLAPSE) == 0 ? 0 : errno;
}

/// Where memory is in small pieces the system moves what is in the way, and where processors are
/// busy it waits for each of them: both may take longer than a huge page is worth.
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
    throw error(
        "job", "ACRE_HUGE_PAGES is reserved, but no huge page of 2 MiB is set aside",
        "let the administrator reserve some, as by sysctl vm.nr_hugepages=1024, or unset it");
  }
  return fabric::file_pages::reserved;
}

void use_huge_pages(void* block, std::size_t bytes) noexcept {
  if (bytes < least_block || !wanted.load(std::memory_order_relaxed)) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const auto [first, end] = pages_of(begin, bytes);
  constexpr int most_refusals = 4;
  int refusals = 0;
  const collapsing_time left;
  std::size_t made = 0;
  for (std::uintptr_t page = first; page < end; page += huge_page_bytes) {
    const int problem = collapse(reinterpret_cast<std::byte*>(page));
    const bool is_inside = page >= begin && page + huge_page_bytes <= begin + bytes;
    if (problem == EINVAL && is_inside) {  // a kernel or a kind of memory that has none
      wanted.store(false, std::memory_order_relaxed);
      break;
    }
    made += problem == 0 ? 1 : 0;
    refusals = problem == 0 ? 0 : refusals + 1;
    if (refusals == most_refusals || left.is_over((page - first) / huge_page_bytes + 1)) break;
  }
  count(counted::huge_page, made);
}

}  // namespace acre::runtime
