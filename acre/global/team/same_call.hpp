// SPDX-License-Identifier: BSD-3-Clause
// Checks that all members of a team make the same call, by a 64-bit digest of name and arguments in
// a synchronisation. If digests differ, each member throws an acre::error that names two calls; the
// team remains usable.
//
// Constructors of containers send digest() with their own exchange (team_block.cpp). list::commit()
// and acre/agas compare in every build, others only with ACRE_CHECKS.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>

namespace acre::global {

/// Hash of the type's name, equal on all ranks and by all compilers.
[[nodiscard]] std::uint64_t number_of(const std::type_info& type) noexcept;
/// As number_of(), but 0 for lambdas, since two may be equivalent.
[[nodiscard]] std::uint64_t number_of_operation(const std::type_info& type) noexcept;

/// Name and arguments of a call that all members should make. The call site may differ.
class common_call {
 public:
  /// @param name  a literal: "sort"
  common_call(const char* name, const site& where) noexcept;

  /// Adds an argument, shown in errors as "elements: 40".
  /// @param what  a literal
  common_call& with(const char* what, std::uint64_t value) noexcept;
  /// Adds an argument whose value errors do not show.
  /// @param what  a literal: "the range"
  common_call& with_identity(const char* what, std::uint64_t bits) noexcept;
  /// Adds a type, shown in errors as "elements of double".
  common_call& with_type(const char* what, const std::type_info& type) noexcept;

  [[nodiscard]] const char* name() const noexcept { return name_; }
  [[nodiscard]] const site& where() const noexcept { return where_; }
  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }
  /// "sort (elements: 40) at user.cpp:12"
  [[nodiscard]] std::string describe() const;

 private:
  friend struct told_call;

  struct argument {
    const char* what = nullptr;
    std::uint64_t value = 0;
    const std::type_info* type = nullptr;
    bool is_told = false;
  };
  static constexpr std::size_t most_kept = 8;

  common_call& add(const argument& given) noexcept;

  const char* name_;
  site where_;
  std::uint64_t digest_;
  std::size_t count_ = 0;
  std::array<argument, most_kept> arguments_{};
};

/// Throws on all members if digests differ. Collective. Cost: 1 small allreduce; l for one member.
/// @param flags  bits that are not compared
/// @return the flags of all members, combined by or
std::uint64_t require_same_call(const team& members, const common_call& mine,
                                std::uint64_t flags = 0);

/// Compares `object`, with ACRE_CHECKS only. Cost there: 1 small allreduce.
/// @param object  equal on all members (team_block::identity())
inline void require_same_object([[maybe_unused]] const team& members,
                                [[maybe_unused]] const char* call,
                                [[maybe_unused]] std::uint64_t object,
                                [[maybe_unused]] const site& where) {
  if constexpr (base::has_checks) {
    require_same_call(members, common_call(call, where).with_identity("the object", object));
  }
}

[[noreturn]] void throw_calls_differ(const team& members, const common_call& mine);

}  // namespace acre::global
