// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/node_memory.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/rank_box.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace acre::launch {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t below_first =
    (runtime::node_box_bytes + runtime::rank_box_bytes + runtime::huge_page_bytes - 1) &
    ~(runtime::huge_page_bytes - 1);
constexpr std::size_t below_each =
    (runtime::rank_box_bytes + runtime::huge_page_bytes - 1) & ~(runtime::huge_page_bytes - 1);

/// Writes nonzero pages, sanitizer red zones included.
[[gnu::no_sanitize_address, gnu::no_sanitize_thread]] bool write_pages(int file,
                                                                       std::uint64_t offset,
                                                                       std::span<std::byte> pages) {
  for (std::size_t done = 0; done < pages.size(); done += page) {
    const auto* const words = reinterpret_cast<const volatile std::uint64_t*>(pages.data() + done);
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < page / sizeof *words; ++i) any |= words[i];
    if (any == 0) continue;
    if (::syscall(SYS_pwrite64, file, pages.data() + done, page, offset + done) != page) {
      return false;
    }
  }
  return true;
}

/// A -static-pie program is loaded among the libraries, whose addresses may be in use.
constexpr auto advice_for_windows =
    "link it with -pie or -static, not -static-pie, and without sanitizers; run the program "
    "itself, not the loader with the program as an argument";

}  // namespace

node_layout::node_layout(std::size_t ranks, std::size_t segment_bytes,
                         std::size_t static_bytes) noexcept
    : ranks_(ranks), segment_bytes_(segment_bytes), static_bytes_(static_bytes) {}

std::uint64_t node_layout::segment(std::size_t rank) const noexcept {
  return below_first + (segment_bytes_ + below_each) * rank;
}
std::uint64_t node_layout::static_data(std::size_t rank) const noexcept {
  return segment(ranks_) + static_bytes_ * rank;
}
std::size_t node_layout::file_bytes() const noexcept { return static_data(ranks_); }

std::vector<mapped_rank> map_whole(fabric::smp_memory& file, const node_layout& layout,
                                   std::byte*& node) {
  node = file.map();
  std::vector<mapped_rank> ranks(layout.ranks());
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i].segment = node + layout.segment(i);
  return ranks;
}

std::vector<mapped_rank> map_windows(fabric::smp_memory& file, const node_layout& layout,
                                     std::size_t self, std::span<std::byte> mine,
                                     std::byte*& node) {
  node = file.reserve(runtime::node_box_bytes);
  file.map_over(node, 0, runtime::node_box_bytes);
  const std::size_t window_bytes = runtime::window_gap + layout.segment_bytes();
  // With ulimit -s unlimited, libraries lie below the program.
  std::byte* next = node < mine.data() ? mine.data() + window_bytes : nullptr;
  std::vector<mapped_rank> ranks(layout.ranks());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::uint64_t box = layout.segment(i) - runtime::rank_box_bytes;
    const std::size_t box_and_segment = runtime::rank_box_bytes + layout.segment_bytes();
    if (i == self) {
      ranks[i] = {.segment = mine.data() + runtime::window_gap, .window = mine.data()};
      if (!file.map_where_free(ranks[i].segment - runtime::rank_box_bytes, box, box_and_segment)) {
        throw error("job",
                    "the addresses after the program's static data, which its segment requires, "
                    "are in use: " +
                        std::string(std::strerror(errno)),
                    advice_for_windows);
      }
      continue;
    }
    ranks[i].window = file.reserve(window_bytes, next);
    if (next != nullptr) next = ranks[i].window + window_bytes;
    ranks[i].segment = ranks[i].window + runtime::window_gap;
    // The carry of an addition distinguishes neighbours from other ranks (world.windows).
    if (ranks[i].window < mine.data()) {
      throw error("job", "the program is loaded above the memory that is free for its neighbours",
                  advice_for_windows);
    }
    file.map_over(ranks[i].segment - runtime::rank_box_bytes, box, box_and_segment);
    file.map_over(ranks[i].window, layout.static_data(i), layout.static_bytes());
  }
  if (!write_pages(file.descriptor(), layout.static_data(self), mine)) {
    throw error("job",
                "cannot move the program's static data: " + std::string(std::strerror(errno)),
                "the host may be out of memory");
  }
  file.map_over(mine.data(), layout.static_data(self), mine.size());
  return ranks;
}

}  // namespace acre::launch
