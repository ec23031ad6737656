#include <acre/sparse/detail/chunk_board.hpp>

#include <algorithm>
#include <atomic>

namespace acre::detail {

chunk_board::chunk_board(const team& members, std::span<const std::size_t> firsts,
                         const site& where)
    : members_(members),
      blocks_(members, sizeof(head) + (firsts.size() + firsts.back()) * sizeof(std::uint64_t),
              alignof(std::max_align_t), "spgemm", {.number = 1, .unit = "products"}, where),
      end_("a product of sparse matrices made", where) {
  head* const mine = head_of(members.rank());
  *mine = {.next = 0, .chunks = firsts.size() - 1, .rows = firsts.back()};
  std::ranges::copy(firsts, firsts_of(mine));
  std::ranges::fill(lengths_of(members.rank()), 0);
  members.barrier(where);
}

std::optional<chunk_board::chunk> chunk_board::take(bool from_others) {
  for (; turn_ < (from_others ? members_.size() : 1); ++turn_) {
    const rank_t owner = (members_.rank() + turn_) % members_.size();
    head* const of = head_of(owner);
    if (of == nullptr) continue;
    const std::atomic_ref next(of->next);
    if (next.load(std::memory_order_relaxed) >= of->chunks) continue;
    const std::uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
    if (number >= of->chunks) continue;
    const std::uint64_t* const firsts = firsts_of(of);
    return chunk{owner, firsts[number], firsts[number + 1]};
  }
  return std::nullopt;
}

std::span<std::uint64_t> chunk_board::lengths_of(rank_t owner) const {
  head* const of = head_of(owner);
  return {firsts_of(of) + of->chunks + 1, of->rows};
}

}  // namespace acre::detail
