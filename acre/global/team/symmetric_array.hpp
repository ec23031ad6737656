// SPDX-License-Identifier: BSD-3-Clause
// Arrays of equal size on each member of a team, addressable by all ranks.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/construct.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <typeinfo>

namespace acre {

/// Moves are local; pointers stay valid. Destruction: collective, B; members destroy their objects
/// in the same order.
template <class T>
class symmetric_array {
  static constexpr bool travels = transferable<T>;  // compilers print the message only
  static_assert(travels,
                "ranks read and write the elements of a symmetric_array<T> as bytes: T must be "
                "trivially copyable, and not a pointer");

 public:
  using value_type = T;

  /// Makes an empty handle.
  symmetric_array() = default;

  /// Creates `size` elements on each member. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members if one has no memory or sizes differ
  symmetric_array(const team& members, std::size_t size, const T& initial,
                  const site& where = site::current()) {
    const runtime::failures_held until_it_is_there;
    held_ = base::make_unique_object<elements>(members, size, where);
    base::construct_all(std::span(held_->mine(), size), initial);
    members.barrier(where);
  }
  /// As above, with T{}. (A template, so that {} is an element.)
  template <std::same_as<site> Where = site>
    requires std::default_initializable<T>
  symmetric_array(const team& members, std::size_t size, const Where& where = site::current())
      : symmetric_array(members, size, T{}, where) {}
  /// Compile error: the team must be first.
  symmetric_array(global::the_team_before_the_size, const team&);

  /// First element of member `number`. l.
  [[nodiscard]] global_ptr<T> pointer(rank_t number, const site& where = site::current()) const {
    const elements& all = get("pointer");
    if constexpr (base::has_checks) {
      if (number >= all.members().size()) [[unlikely]] {
        global::throw_no_member(("symmetric_array::pointer" + describe_place(where)).c_str(),
                                number, all.members().size());
      }
    }
    return global_ptr<T>::from_bits(all.memory().bits_of(number));
  }
  [[nodiscard]] global_ptr<T> pointer(member who) const {
    return pointer(get("pointer").members().number_of(who));
  }

  /// This member's elements. l.
  [[nodiscard]] std::span<T> local() { return own(); }
  [[nodiscard]] std::span<const T> local() const { return own(); }

  /// Elements per member. l.
  [[nodiscard]] std::size_t size() const noexcept { return held_ == nullptr ? 0 : held_->size; }
  [[nodiscard]] const team& members() const { return get("members").members(); }
  /// Number of the object, equal on all members. l.
  [[nodiscard]] std::uint64_t identity() const { return get("identity").identity(); }
  /// False if moved from or default-constructed.
  [[nodiscard]] explicit operator bool() const noexcept { return held_ != nullptr; }

 private:
  struct elements : team_object<team_memory> {
    elements(const team& of, std::size_t count, const site& where)
        : team_object(
              of,
              team_memory(of, base::bytes_for(count, sizeof(T)), alignof(T), "symmetric_array",
                          {.number = count, .unit = "elements", .type = &typeid(T)}, where),
              "the destructor of the symmetric_array made", where),
          size(count) {}
    using team_object::memory;
    [[nodiscard]] T* mine() const noexcept { return reinterpret_cast<T*>(memory().mine()); }

    std::size_t size;
  };

  [[nodiscard]] std::span<T> own() const {
    return held_ == nullptr ? std::span<T>() : std::span<T>(held_->mine(), held_->size);
  }
  [[nodiscard]] const elements& get(const char* call) const {
    return global::require_object(held_.get(), call, "symmetric_array",
                                  "symmetric_array{team, size}");
  }

  base::unique_object<elements> held_;
};

}  // namespace acre
