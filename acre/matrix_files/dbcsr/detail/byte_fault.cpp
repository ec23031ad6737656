// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/dbcsr/detail/byte_fault.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/succeed_together.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace acre::matrix_files {
namespace {

constexpr std::uint64_t no_byte = ~std::uint64_t{0};

void agree(const global::team_file& file, const char* call, const std::optional<byte_fault>& mine) {
  const team& members = file.members();
  const std::vector<std::uint64_t> bytes =
      members.allgather(mine ? mine->byte : no_byte, file.where());
  const auto first = std::ranges::min_element(bytes);
  if (*first == no_byte) return;
  const auto member = static_cast<rank_t>(first - bytes.begin());
  const std::string problem = members.broadcast(mine ? mine->problem : "", member);
  const std::string advice = members.broadcast(mine ? mine->advice : "", member);
  throw error(call,
              file.path() + ", byte " + std::to_string(*first) + ": " + problem +
                  describe_place(file.where()),
              advice);
}

}  // namespace

void read_together(global::team_file& file, const char* call, const std::function<void()>& read) {
  std::optional<byte_fault> mine;
  global::succeed_together(file.members(), call, file.where(), [&] {
    try {
      read();
    } catch (const byte_fault& found) {
      mine = found;
    }
  });
  file.agree();
  agree(file, call, mine);
}

}  // namespace acre::matrix_files
