// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/member_counts.hpp>

#include <memory>

namespace acre::global {

member_counts::member_counts(const team& members, std::size_t each, std::size_t place,
                             const char* name, const char* ending, const site& where)
    : members_(members), place_(place), end_(ending, where) {
  blocks_ = team_memory(members, each * sizeof(std::uint64_t), alignof(std::uint64_t), name, where);
  std::uninitialized_fill_n(words(), each, std::uint64_t{0});
}

member_counts::~member_counts() {
  const bool has_left = size() != 0 && !end_.is_orderly();
  for (rank_t each = 0; has_left && each < members_.size(); ++each) {
    say_that_one_has_left(members_, each, at(each));
  }
  end_.release(blocks_, members_);
}

}  // namespace acre::global
