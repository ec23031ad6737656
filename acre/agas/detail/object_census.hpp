// What a rank has to say of the objects that are alive: it travels.
#pragma once

#include <acre/agas/gid.hpp>

#include <cstdint>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace acre::detail {

/// Credit of an object: what a rank holds, or home has issued.
struct credit_line {
  gid name;
  std::uint64_t credit = 0;
  std::uint32_t references = 0;  ///< at home: 1 for that of a collection
};

/// What is on a rank.
struct object_census {
  std::vector<std::pair<std::string, std::uint64_t>> types;  ///< and how many of each
  std::vector<gid> here;                                     ///< the first of them
  std::uint64_t counted = 0;                                 ///< how many of all are

  friend auto acre_fields(object_census& c) { return std::tie(c.types, c.here, c.counted); }
};

/// What a rank knows of objects, wherever they are.
struct object_ties {
  std::vector<credit_line> issued;  ///< by this home
  std::vector<credit_line> held;
  std::vector<std::pair<std::string, gid>> names;  ///< that lie here

  friend auto acre_fields(object_ties& t) { return std::tie(t.issued, t.held, t.names); }
};

// What a rank holds of objects, and what names it has for them.
void add_held_credit(const std::unordered_set<gid>& objects, std::vector<credit_line>& lines);
void add_bound_names(const std::unordered_set<gid>& objects,
                     std::vector<std::pair<std::string, gid>>& names);

/// When a job starts: reads the setting. When it ends: all ranks call it, while objects are still
/// there.
void check_object_report();
void report_objects_at_end();

// When a job ends, after that: references and names of this rank are no more.
void forget_credit() noexcept;
void forget_names() noexcept;

}  // namespace acre::detail
