// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/breadth_first.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/transfer/completion.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <span>

namespace acre::graph {
namespace {

constexpr std::size_t word = 64;

/// Pulls if the frontier has over 1/14 of the remaining edges.
constexpr std::uint64_t edges_to_pull = 14;
/// Pushes again if the frontier has under 1/24 of all vertices.
constexpr std::uint64_t vertices_to_push = 24;

/// @throws acre::error unless members have equal multiples of 64 rows
row_cut words_of(const row_cut& rows) {
  std::vector<std::size_t> firsts;
  for (std::size_t member = 0; member <= rows.members(); ++member) {
    const std::size_t first = rows.first_of(static_cast<rank_t>(member));
    const bool is_end = first == rows.rows();
    if (!is_end && (first % word != 0 || first != member * rows.count_of(0))) {
      throw error("breadth_first", "members' vertices are not equal multiples of 64",
                  "partition them by whole_words()");
    }
    firsts.push_back(divide_up(first, word));
  }
  return row_cut(std::move(firsts));
}

/// Pointers offset to index from 0.
template <class T>
std::vector<T*> near_elements(dense_vector<T>& all) {
  std::vector<T*> near;
  for (rank_t member = 0; member < all.cut().members(); ++member) {
    const std::size_t first = all.cut().first_of(member);
    const bool has_some = all.cut().count_of(member) != 0;
    T* const here = has_some ? all.pointer(first).local() : nullptr;
    near.push_back(here == nullptr ? nullptr : here - first);
  }
  return near;
}

std::uint64_t bits_of(const std::uint8_t* marks) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < word; i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, marks + i, sizeof(eight));
    bits |= (eight * 0x0102040810204080U >> 56) << i;
  }
  return bits;
}

bool is_in(const std::vector<std::uint64_t>& bits, std::size_t vertex) noexcept {
  return (bits[vertex / word] >> vertex % word & 1) != 0;
}

}  // namespace

breadth_first::breadth_first(const csr_graph& graph)
    : graph_(graph),
      rows_(graph.local()),
      each_(std::max<std::size_t>(graph.cut().count_of(0), 1)),
      parents_(graph.members(), graph.cut(), none),
      marks_(graph.members(), graph.cut(), 0),
      bits_(graph.members(), words_of(graph.cut()), 0),
      near_parents_(near_elements(parents_)),
      near_marks_(near_elements(marks_)),
      isolated_(bits_.local().size()),
      visited_(isolated_.size()),
      everywhere_(bits_.size()),
      far_(graph.members().size()),
      told_(graph.is_near() ? 0 : bits_.size()) {
  for (std::size_t row = 0; row < isolated_.size() * word; ++row) {
    if (row < rows_.count && rows_.begin_of(row) != rows_.end_of(row)) continue;
    isolated_[row / word] |= std::uint64_t{1} << row % word;
  }
}

void breadth_first::run(std::uint64_t root) {
  forget_last();
  frontier level{};
  if (parents_.cut().owner(root) == graph_.members().rank()) {
    const std::size_t row = root - rows_.first;
    parents_.local()[row] = static_cast<column_t>(root);
    enter(row / word, std::uint64_t{1} << row % word, level);
  }
  level = agree(level);
  std::uint64_t left = graph_.entries();
  bool pulling = false;
  for (; level.vertices != 0; ++levels_) {
    left -= std::min(left, level.edges);
    pulling = pulling ? level.vertices >= graph_.rows() / vertices_to_push
                      : level.edges > left / edges_to_pull;
    if (pulling) {
      spread_bits();
      graph_.members().barrier();
      level = agree(pull());
      ++pulls_;
    } else {
      push();
      level = agree(pop_marked());
    }
  }
}

void breadth_first::forget_last() {
  std::ranges::fill(parents_.local(), none);
  std::ranges::fill(bits_.local(), 0);
  std::ranges::fill(told_, 0);
  visited_ = isolated_;
  queue_.clear();
  levels_ = pulls_ = 0;
}

void breadth_first::enter(std::size_t number, std::uint64_t bits, frontier& level) {
  bits_.local()[number] = bits;
  visited_[number] |= bits;
  for (; bits != 0; bits &= bits - 1) {
    const std::size_t row = number * word + static_cast<std::size_t>(std::countr_zero(bits));
    queue_.push_back(static_cast<column_t>(row));
    ++level.vertices;
    level.edges += rows_.end_of(row) - rows_.begin_of(row);
  }
}

breadth_first::frontier breadth_first::agree(frontier mine) const {
  return graph_.members().allreduce(mine, [](const frontier& a, const frontier& b) {
    return frontier{a.vertices + b.vertices, a.edges + b.edges};
  });
}

void breadth_first::push() {
  for (const column_t row : queue_) push_row(row);
  if (!graph_.is_near()) exchange_far();
  graph_.members().barrier();
}

void breadth_first::push_row(column_t row) {
  const auto vertex = static_cast<column_t>(rows_.first + row);
  for (const column_t neighbour : rows_.columns_of(row)) {
    const std::size_t owner = neighbour / each_;
    if (near_parents_[owner] != nullptr) [[likely]] {
      const std::atomic_ref parent(near_parents_[owner][neighbour]);
      if (parent.load(std::memory_order_relaxed) != none) continue;
      parent.store(vertex, std::memory_order_relaxed);
      std::atomic_ref(near_marks_[owner][neighbour]).store(1, std::memory_order_relaxed);
    } else if (!is_in(told_, neighbour)) {
      told_[neighbour / word] |= std::uint64_t{1} << neighbour % word;
      far_[owner].push_back({neighbour, vertex});
    }
  }
}

void breadth_first::exchange_far() {
  std::vector<found> all;
  std::vector<std::size_t> counts;
  for (auto& each : far_) {
    all.insert(all.end(), each.begin(), each.end());
    counts.push_back(each.size());
    each.clear();
  }
  const auto came = graph_.members().alltoallv(std::span(all), counts);
  const rank_t me = graph_.members().rank();
  for (const auto& [vertex, parent] : came.values) {
    const std::atomic_ref mine(near_parents_[me][vertex]);
    if (mine.load(std::memory_order_relaxed) != none) continue;
    mine.store(parent, std::memory_order_relaxed);
    std::atomic_ref(near_marks_[me][vertex]).store(1, std::memory_order_relaxed);
  }
}

breadth_first::frontier breadth_first::pop_marked() {
  frontier level{};
  queue_.clear();
  std::uint8_t* const marks = marks_.local().data();
  const std::size_t whole = rows_.count / word;
  for (std::size_t number = 0; number < bits_.local().size(); ++number) {
    std::uint64_t bits = 0;
    if (number < whole) {
      bits = bits_of(marks + number * word);
    } else {
      for (std::size_t i = number * word; i < rows_.count; ++i) {
        bits |= std::uint64_t{marks[i]} << i % word;
      }
    }
    if (bits != 0) {
      std::memset(marks + number * word, 0, std::min(word, rows_.count - number * word));
    }
    enter(number, bits, level);
  }
  return level;
}

breadth_first::frontier breadth_first::pull() {
  frontier level{};
  queue_.clear();
  const auto parents = parents_.local();
  for (std::size_t number = 0; number < visited_.size(); ++number) {
    std::uint64_t reached = 0;
    for (std::uint64_t left = ~visited_[number]; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t row = number * word + bit;
      for (const column_t neighbour : rows_.columns_of(row)) {
        if (!is_in(everywhere_, neighbour)) continue;
        parents[row] = neighbour;
        reached |= std::uint64_t{1} << bit;
        break;
      }
    }
    enter(number, reached, level);
  }
  return level;
}

void breadth_first::spread_bits() {
  const row_cut& cut = bits_.cut();
  for (rank_t member = 0; member < cut.members(); ++member) {
    if (cut.count_of(member) == 0) continue;
    get_nbi(std::as_const(bits_).pointer(cut.first_of(member)),
            std::span(everywhere_).subspan(cut.first_of(member), cut.count_of(member)));
  }
  quiet();
}

}  // namespace acre::graph
