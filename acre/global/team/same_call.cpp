// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/same_call.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/hash_bytes.hpp>
#include <acre/base/type_name.hpp>
#include <acre/global/team/detail/collective_bytes.hpp>
#include <acre/global/team/detail/collective_meaning.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/running_code.hpp>

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace acre::global {

struct told_call {
  std::string text;
  std::string name;
  std::vector<std::string> whats;
  std::vector<std::uint64_t> values;

  [[nodiscard]] static told_call of(const common_call& call) {
    told_call told{.text = call.describe(), .name = call.name_, .whats = {}, .values = {}};
    for (const auto& each : std::span(call.arguments_).first(call.count_)) {
      told.whats.emplace_back(each.what);
      told.values.push_back(each.value);
    }
    return told;
  }
  friend auto acre_fields(told_call& call) {
    return std::tie(call.text, call.name, call.whats, call.values);
  }
  [[nodiscard]] bool means(const told_call& other) const {
    return name == other.name && whats == other.whats && values == other.values;
  }
};

namespace {

constexpr const char* same_calls =
    "make the same call on all members of a team, with the same objects and equal arguments";

constexpr const char* type_of_values = "values of";

std::string difference_of(const told_call& a, const told_call& b) {
  if (a.name != b.name) return {};
  for (std::size_t i = 0; i < std::min(a.whats.size(), b.whats.size()); ++i) {
    if (a.whats[i] != b.whats[i]) return b.whats[i];
    if (a.values[i] == b.values[i]) continue;
    if (a.whats[i] == "of") return "the element type";
    return a.whats[i] == type_of_values ? "the type of the values" : a.whats[i];
  }
  return {};
}

}  // namespace

std::uint64_t number_of(const std::type_info& type) noexcept {
  return base::hash_bytes(type.name());
}

std::uint64_t number_of_operation(const std::type_info& type) noexcept {
  // Mangled lambdas contain Ul…, or $_… (Clang). Other names that do, except acre::op's, are not
  // compared either.
  const std::string_view name = type.name();
  const bool may_be_lambda = (name.find("Ul") != name.npos && !name.starts_with("N4acre2op")) ||
                             name.find("$_") != name.npos;
  return may_be_lambda ? 0 : base::hash_bytes(name);
}

common_call::common_call(const char* name, const site& where) noexcept
    : name_(name), where_(where), digest_(base::hash_bytes(name)) {}

common_call& common_call::with(const char* what, std::uint64_t value) noexcept {
  return add({.what = what, .value = value, .is_told = true});
}

common_call& common_call::with_identity(const char* what, std::uint64_t bits) noexcept {
  return add({.what = what, .value = bits});
}

common_call& common_call::with_type(const char* what, const std::type_info& type) noexcept {
  return add({.what = what, .value = global::number_of(type), .type = &type, .is_told = true});
}

common_call& common_call::add(const argument& given) noexcept {
  digest_ = mix_bits(digest_ + base::hash_bytes(given.what));
  digest_ = mix_bits(digest_ + given.value + 1);
  if (count_ < most_kept) arguments_[count_++] = given;
  return *this;
}

std::string common_call::describe() const {
  std::string text;
  for (const argument& each : std::span(arguments_).first(count_)) {
    if (!each.is_told) continue;
    text += text.empty() ? " (" : ", ";
    text += each.what;
    text += each.type != nullptr ? " " + base::readable_name(*each.type)
                                 : ": " + std::to_string(each.value);
  }
  if (!text.empty()) text += ")";
  return name_ + text + describe_place(where_);
}

void throw_calls_differ(const team& members, const common_call& mine) {
  const runtime::failures_held until_all_is_said;
  const auto all = in_the_name_of(mine.name(), mine.where(), [&] {
    return members.allgather(told_call::of(mine), mine.where());
  });
  const rank_t me = members.rank();
  rank_t other = 0;
  while (other < all.size() && all[other].means(all[me])) ++other;
  if (other == all.size()) {
    throw error(mine.name(), "the members' calls differ" + describe_place(mine.where()),
                same_calls);
  }
  const auto say = [&](rank_t member) {
    return "rank " + std::to_string(members.world_rank(member)) + " calls " + all[member].text;
  };
  std::string problem = say(std::min(me, other)) + ", but " + say(std::max(me, other));
  if (const std::string what = difference_of(all[me], all[other]); !what.empty()) {
    problem += ": they differ in " + what;
  }
  throw error(mine.name(), problem, same_calls);
}

std::uint64_t require_same_call(const team& members, const common_call& mine, std::uint64_t flags) {
  const runtime::failures_held until_it_is_said;
  const compared_words all = in_the_name_of(mine.name(), mine.where(), [&] {
    runtime::require_no_served_call(mine.name());
    return compare_words(reference_of(members), collective_kind::call, mine.digest(), mine.where(),
                         mine.name(), flags);
  });
  if (all.least != all.greatest) throw_calls_differ(members, mine);
  return all.flags;
}

void require_same_meaning(const team& members, const collective_meaning& mine, const site& where) {
  common_call call(mine.name, where);
  if (mine.root != collective_mark::no_root) call.with("root", mine.root);
  call.with_type(type_of_values, *mine.type);
  if (mine.operation != nullptr) {
    call.with_identity("the operation", number_of_operation(*mine.operation));
  }
  const runtime::failures_held until_it_is_said;
  const compared_words all = compare_words(reference_of(members), mine.kind, call.digest(), where);
  if (all.least == all.greatest) return;
  throw_calls_differ(members, call);
}

}  // namespace acre::global
