// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/csv/lines.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/csv/detail/file_lines.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace acre {

text_array load_lines(const team& members, const std::string& path, const site& where) {
  const runtime::failures_held until_all_is_done;
  auto file = global::team_file::open(members, path, "load_lines", where);
  std::string text;
  std::vector<std::string_view> lines;
  global::succeed_together(members, "load_lines", where, [&] {
    text = matrix_files::share_of_lines(file, 0, members.rank(), members.size());
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      lines.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  });
  file.finish();
  return {members, lines, where};
}

void store_lines(const std::string& path, const text_array& text, const site& where) {
  const runtime::failures_held until_all_is_done;
  const team& members = text.members();
  std::string bytes;
  global::succeed_together(members, "store_lines", where, [&] {
    std::size_t index = text.first_local();
    for (const std::string_view each : text.local()) {
      if (each.find('\n') != std::string_view::npos) {
        throw error(
            "store_lines",
            "string " + std::to_string(index) + " contains a line break" + describe_place(where),
            "use checkpoint() for strings with line breaks");
      }
      bytes.append(each);
      bytes += '\n';
      ++index;
    }
  });
  auto file = global::team_file::create(members, path, "store_lines", where);
  file.share();
  const std::size_t offset = members.exclusive_scan(bytes.size(), std::size_t{0}, op::sum, where);
  file.write(offset, std::as_bytes(std::span(bytes)));
  file.finish();
}

}  // namespace acre
