// SPDX-License-Identifier: BSD-3-Clause
// Whether all members of a team mean the same by a call that they make together.
//
//     const common_call asked = common_call("rotate", where).with("elements", n).with("by", by);
//     require_same_call(members, asked);        // acre::error on all members when some differ
//
// Each member makes one word of the call: a digest of its name and of the arguments that must be
// alike. The word travels with a synchronisation of all members. If all words are equal, that is
// all. Otherwise every member sees it, the members exchange what they called in words for people,
// and each throws an acre::error that names two calls that differ. Nothing has been done by then,
// the team remains usable, and no member waits.
//
// Calls that exchange data at their start carry digest() with it, at no cost, and call
// throw_calls_differ() where the digests differ (team_block.cpp: constructors of containers).
// Others call require_same_call(): object calls in every build; algorithms, and the collectives of
// teams (detail/collective_meaning.hpp), in builds with ACRE_CHECKS.
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

/// A number that is the same for a type on all ranks, whichever compiler built their programs.
[[nodiscard]] std::uint64_t number_of(const std::type_info& type) noexcept;
/// A number for a type of function objects that has a name; 0 for lambdas, as two of them may do
/// the same.
[[nodiscard]] std::uint64_t number_of_operation(const std::type_info& type) noexcept;

/// The name of a call and those of its arguments that all members must give alike. The place of
/// the call may differ; it is for errors.
class common_call {
 public:
  /// @param name  as errors name the call: "sort"; a literal, which other ranks may ask for
  common_call(const char* name, const site& where) noexcept;

  /// An argument that errors tell as "elements: 40". @param what  a literal
  common_call& with(const char* what, std::uint64_t value) noexcept;
  /// An argument whose value says nothing to people: which object, a fingerprint. Errors say only
  /// that it differs. @param what  a literal: "the range"
  common_call& with_identity(const char* what, std::uint64_t bits) noexcept;
  /// A type, that errors tell as "elements of double". @param what  a literal: "elements of"
  common_call& with_type(const char* what, const std::type_info& type) noexcept;

  [[nodiscard]] const char* name() const noexcept { return name_; }
  [[nodiscard]] const site& where() const noexcept { return where_; }
  /// Equal on two members if they mean the same.
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
  /// Further arguments are in the digest only.
  static constexpr std::size_t most_kept = 8;

  common_call& add(const argument& given) noexcept;

  const char* name_;
  site where_;
  std::uint64_t digest_;
  std::size_t count_ = 0;
  std::array<argument, most_kept> arguments_{};
};

/// Throws on all members when the digests of their calls differ. Collective, a synchronisation of
/// all members. Cost: 1 small allreduce of 24 bytes; on one member l.
/// @param flags  of this member, not compared
/// @return the flags of all members together
/// @throws acre::error that names two of the calls
std::uint64_t require_same_call(const team& members, const common_call& mine,
                                std::uint64_t flags = 0);

/// In builds with ACRE_CHECKS, the same for a call on an object. Cost: there 1 small allreduce
/// @param object  a number that is the same on all members (team_block::identity())
inline void require_same_object([[maybe_unused]] const team& members,
                                [[maybe_unused]] const char* call,
                                [[maybe_unused]] std::uint64_t object,
                                [[maybe_unused]] const site& where) {
  if constexpr (base::has_checks) {
    require_same_call(members, common_call(call, where).with_identity("the object", object));
  }
}

/// Exchanges what the members call, and throws. Collective: for calls that have compared digests
/// and seen on all members that they differ.
[[noreturn]] void throw_calls_differ(const team& members, const common_call& mine);

}  // namespace acre::global
