// What a rank has to say of the objects that are alive: it travels.
#pragma once

#include <acre/agas/gid.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::detail {

/// Credit of an object: what a rank holds, or home has issued.
struct credit_line {
  gid name;
  std::uint64_t credit = 0;
  std::uint32_t references = 0;  ///< at home: 1 for that of a collection
};

struct object_census {
  std::vector<std::pair<std::string, std::uint64_t>> types;  ///< of what is here, and how many
  std::vector<gid> here;
  std::vector<credit_line> issued;  ///< by this home, of what is alive
  std::vector<credit_line> held;
  std::vector<std::pair<std::string, gid>> names;  ///< that lie here
  std::uint64_t counted = 0;                       ///< how many of those here are

  friend auto acre_fields(object_census& c) {
    return std::tie(c.types, c.here, c.issued, c.held, c.names, c.counted);
  }
};

/// Of each list the first.
[[nodiscard]] object_census take_object_census();

// What others add to it, `most` at most.
void add_held_credit(std::vector<credit_line>& lines, std::size_t most);
void add_bound_names(std::vector<std::pair<std::string, gid>>& names, std::size_t most);

/// When a job starts: reads the setting. When it ends: all ranks call it, while objects are still
/// there.
void check_object_report();
void report_objects_at_end();

// When a job ends, after that: references and names of this rank are no more.
void forget_credit() noexcept;
void forget_names() noexcept;

}  // namespace acre::detail
