// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/detail/chunk_board.hpp>

#include <algorithm>
#include <atomic>

namespace acre::csr {

chunk_board::chunk_board(const team& members, std::span<const std::size_t> firsts,
                         const csr_entries& room, const site& where)
    : team_object(
          members,
          team_memory(
              members, sizeof(head) + (2 * firsts.size() + firsts.back()) * sizeof(std::uint64_t),
              alignof(std::max_align_t), "spgemm", {.number = 1, .unit = "products"}, where),
          "a product of sparse matrices made", where),
      known_(members.size()) {
  const auto behind_head = [this](const global::segment_block& of) {
    return of.data() == nullptr ? 0 : of.data() - memory().mine();
  };
  head* const mine = head_of(members.rank());
  *mine = {.next = 0,
           .chunks = firsts.size() - 1,
           .rows = firsts.back(),
           .columns = behind_head(room.columns),
           .values = behind_head(room.values)};
  std::ranges::copy(firsts, firsts_of(mine));
  std::fill_n(made_of(mine), mine->chunks, 0);
  std::ranges::fill(lengths_of(members.rank()), 0);
  members.barrier(where);
}

std::optional<chunk_board::chunk> chunk_board::take(bool from_others) {
  for (; turn_ < (from_others ? this->members().size() : 1); ++turn_) {
    const rank_t owner = (this->members().rank() + turn_) % this->members().size();
    head* const of = head_of(owner);
    if (of == nullptr) continue;
    const std::atomic_ref next(of->next);
    if (next.load(std::memory_order_relaxed) >= of->chunks) continue;
    const std::uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
    if (number >= of->chunks) continue;
    const std::uint64_t* const firsts = firsts_of(of);
    return chunk{owner, number, firsts[number], firsts[number + 1]};
  }
  return std::nullopt;
}

void chunk_board::finish(const chunk& made, std::size_t entries) const {
  std::atomic_ref(made_of(head_of(made.owner))[made.number])
      .store(entries + 1, std::memory_order_relaxed);
}

std::optional<std::size_t> chunk_board::begin_of(const chunk& of) {
  std::uint64_t* const made = made_of(head_of(of.owner));
  known& before = known_[of.owner];
  for (; before.chunks < of.number; ++before.chunks) {
    const auto entries = std::atomic_ref(made[before.chunks]).load(std::memory_order_relaxed);
    if (entries == 0) return std::nullopt;
    before.entries += entries - 1;
  }
  return before.entries;
}

std::span<std::uint64_t> chunk_board::lengths_of(rank_t owner) const {
  head* const of = head_of(owner);
  return {made_of(of) + of->chunks, of->rows};
}

}  // namespace acre::csr
