// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/team_memory.hpp>

#include <algorithm>

namespace acre {

team_memory::team_memory(const team& members, std::size_t bytes, std::size_t alignment,
                         const char* call, common_size asked, const site& where) {
  note(members, allocate(members, {.first = 0, .number = members.size()}, bytes, alignment, call,
                         asked, where));
}

team_memory::team_memory(const team& members, const std::vector<std::uint64_t>& offsets,
                         std::byte* mine, owner whose)
    : team_block(members, mine, whose) {
  note(members, offsets);
}

void team_memory::note(const team& members, const std::vector<std::uint64_t>& offsets) {
  offset_ = offsets[0];
  const bool all_equal = std::ranges::count(offsets, offset_) == std::ssize(offsets);
  if (!all_equal || !members.is_world()) {
    for (rank_t member = 0; member < members.size(); ++member) {
      blocks_.push_back(std::uint64_t{members.world_rank(member)} << offset_bits | offsets[member]);
    }
  }
  note_mapped(members.size());
}

void team_memory::note_mapped(rank_t members) {
  if (members > runtime::node_size()) return;
  std::vector<std::byte*> mapped(members);
  for (rank_t member = 0; member < members; ++member) {
    mapped[member] = runtime::direct_address(bits_of(member));
    if (mapped[member] == nullptr) return;
  }
  mapped_ = std::move(mapped);
}

}  // namespace acre
