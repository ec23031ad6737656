// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/object_census.hpp>

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/name_table.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/exchange_at_end.hpp>

#include <cstdio>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace acre::agas {
namespace {

struct object_census {
  std::vector<std::pair<std::string, std::uint64_t>> types;
  std::vector<gid> here;
  std::uint64_t counted = 0;

  friend auto acre_fields(object_census& c) { return std::tie(c.types, c.here, c.counted); }
};

struct object_ties {
  std::vector<credit_line> issued;
  std::vector<credit_line> held;
  std::vector<std::pair<std::string, gid>> names;

  friend auto acre_fields(object_ties& t) { return std::tie(t.issued, t.held, t.names); }
};

constexpr std::size_t most_described = 50;

std::string number_of_things(std::uint64_t number, const char* thing) {
  return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

object_census take_census() {
  object_census census;
  std::map<std::uint16_t, std::uint64_t> types;
  const auto add = [&](const gid& name) {
    ++types[name.type()];
    census.counted += name.is_counted() ? 1 : 0;
    if (census.here.size() < most_described) census.here.push_back(name);
  };
  {
    const held_lock hold(space().lock);
    for (std::uint32_t slot = 0; slot < space().directory.size(); ++slot) {
      const directory_entry& entry = space().directory[slot];
      if (entry.here != nullptr) add(entry.here->name);
    }
    space().guests.for_each([&](const gid&, hosted_object*& object) { add(object->name); });
  }
  for (const auto& [number, amount] : types) {
    const object_type* const type = type_of_number(number);
    census.types.emplace_back(type == nullptr ? "?" : name_of(*type), amount);
  }
  return census;
}

void add_issued_credit(const std::unordered_set<gid>& objects, std::vector<credit_line>& lines) {
  const held_lock hold(space().lock);
  for (const gid& name : objects) {
    const directory_entry* const entry = name.home() == rank() ? space().entry_of(name) : nullptr;
    if (entry == nullptr || entry->issued == 0) continue;
    const bool is_member = entry->next_free == object_space::in_collection;
    lines.push_back({.name = name, .credit = entry->issued, .references = is_member});
  }
}

object_ties find_ties(std::span<const object_census> ranks) {
  std::unordered_set<gid> objects;
  for (const object_census& each : ranks) objects.insert(each.here.begin(), each.here.end());
  object_ties ties;
  add_issued_credit(objects, ties.issued);
  add_held_credit(objects, ties.held);
  add_bound_names(objects, ties.names);
  return ties;
}

std::string describe_holders(const gid& name, std::span<const object_ties> ranks) {
  std::string issued;
  std::string holders;
  std::string names;
  for (rank_t r = 0; r < ranks.size(); ++r) {
    for (const credit_line& each : ranks[r].issued) {
      if (each.name != name) continue;
      issued = "; of its credit of " + std::to_string(each.credit) + "\n";
      if (each.references != 0) names += "  it is a member of a collection, which holds 1\n";
    }
    for (const credit_line& each : ranks[r].held) {
      if (each.name != name) continue;
      holders += std::string(holders.empty() ? "  rank " : ", rank ") + std::to_string(r) +
                 " holds " + std::to_string(each.credit) + " by " +
                 number_of_things(each.references, "reference");
    }
    for (const auto& [text, bound] : ranks[r].names) {
      if (bound == name) names += "  it has the name \"" + text + "\"\n";
    }
  }
  if (!name.is_counted()) return "; not counted\n" + names;
  if (issued.empty()) issued = "; of its credit\n";
  return issued + (holders.empty() ? "  no known holders\n" : holders + "\n") + names;
}

std::string report_of(std::span<const object_census> ranks, std::span<const object_ties> ties) {
  std::map<std::string, std::uint64_t> types;
  std::uint64_t alive = 0;
  std::uint64_t counted = 0;
  std::uint64_t shown = 0;
  for (const object_census& each : ranks) {
    for (const auto& [type, number] : each.types) {
      types[type] += number;
      alive += number;
    }
    counted += each.counted;
  }
  std::string text = number_of_things(alive, "object") + (alive == 1 ? " is" : " are") +
                     " alive, " + std::to_string(counted) + " of them counted";
  const char* between = ": ";
  for (const auto& [type, number] : types) {
    text += between + std::to_string(number) + " " + type;
    between = ", ";
  }
  text += "\n";
  for (rank_t r = 0; r < ranks.size(); ++r) {
    for (const gid& each : ranks[r].here) {
      text +=
          describe_object(each) + ", on rank " + std::to_string(r) + describe_holders(each, ties);
      ++shown;
    }
  }
  if (shown < alive) text += "and " + std::to_string(alive - shown) + " more\n";
  return text;
}

void write_object_report(const std::string& wanted, const std::string& text) {
  if (wanted == "on") {
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  write_whole("ACRE_OBJECT_REPORT", wanted, text);
}

template <class T>
std::vector<T> exchange_last(const T& mine) {
  std::vector<T> all;
  if (size() == 1) {
    all.push_back(mine);
    return all;
  }
  for (const auto& each : launch::exchange_at_end(serialize(mine))) {
    all.push_back(deserialize<T>(each));
  }
  return all;
}

}  // namespace

std::string report_objects() {
  const auto ranks = world().allgather(take_census());
  return report_of(ranks, world().allgather(find_ties(ranks)));
}

void check_object_report() {
  const auto wanted = environment_choice("ACRE_OBJECT_REPORT", {"off", "on", "*.txt"});
  if (wanted && *wanted != "off" && *wanted != "on" && rank() == 0) {
    require_place("ACRE_OBJECT_REPORT", *wanted);
  }
}

void report_objects_at_end() {
  const auto wanted = environment("ACRE_OBJECT_REPORT");
  if (!wanted || *wanted == "off") return;
  const auto ranks = exchange_last(take_census());
  const auto ties = exchange_last(find_ties(ranks));
  if (rank() == 0) write_object_report(*wanted, report_of(ranks, ties));
}

}  // namespace acre::agas
