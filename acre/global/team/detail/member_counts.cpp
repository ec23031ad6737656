// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/member_counts.hpp>

#include <memory>

namespace acre::global {

member_counts::member_counts(const team& members, std::size_t each, std::size_t place,
                             const char* name, const char* ending, const site& where)
    : team_object(
          members,
          team_memory(members, each * sizeof(std::uint64_t), alignof(std::uint64_t), name, where),
          ending, where),
      place_(place) {
  std::uninitialized_fill_n(words(), each, std::uint64_t{0});
}

member_counts::~member_counts() {
  const bool has_left = size() != 0 && !end().is_orderly();
  for (rank_t each = 0; has_left && each < members().size(); ++each) {
    say_that_one_has_left(members(), each, at(each));
  }
}

}  // namespace acre::global
