// SPDX-License-Identifier: BSD-3-Clause
// Distributed list. Members change their own part locally; the collective commit() publishes all
// changes. Between commits all ranks see the last published list, ordered by member; its elements
// do not move.
//
//     acre::list<edge> found(acre::world());
//     found.push_back({u, v});                   // local
//     found.commit();                            // collective
#pragma once

#include <acre/array/detail/array_elements.hpp>
#include <acre/array/detail/irregular.hpp>
#include <acre/base/construct.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <ranges>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace arrays {

class list_blocks {
 public:
  list_blocks(const std::type_info& type, std::size_t element_bytes) noexcept
      : type_(type), each_(element_bytes) {}
  ~list_blocks();
  list_blocks(const list_blocks&) = delete;
  list_blocks& operator=(const list_blocks&) = delete;

  /// Returns memory for `count` elements: the current block if large enough, else a new one, if
  /// possible twice as large. Null if out of memory.
  [[nodiscard]] std::byte* room_for(std::size_t count, std::size_t alignment) noexcept;
  /// Returns a new block, which publish() makes current; not larger than the old one if `count`
  /// fits.
  [[nodiscard]] std::byte* fresh_room_for(std::size_t count, std::size_t alignment) noexcept;
  /// Exchanges block locations. Collective. Cost: 1 allgather.
  /// @throws acre::error on all members if one ran out of memory; old blocks stay
  void publish(array_memory<irregular_kind>& list, std::size_t count, const site& where);

 private:
  [[noreturn]] void throw_no_room(rank_t rank, const site& where) const;

  const std::type_info& type_;
  std::size_t each_;
  std::byte* block_ = nullptr;
  std::size_t capacity_ = 0;
  std::byte* fresh_ = nullptr;
  std::size_t fresh_capacity_ = 0;
  std::exception_ptr no_room_;
};

[[noreturn]] void throw_no_place(const char* call, std::size_t place, std::size_t size,
                                 const site& where);

}  // namespace arrays

/// Moves: local. Changes: one thread at a time. Destruction: collective, B.
template <class T>
class list : private arrays::array_elements<T, arrays::irregular_kind> {
  static_assert(arrays::is_array_element<T>,
                "ranks read and write the elements of a list<T> as bytes: T must be trivially "
                "copyable, and not a pointer. For strings use an acre::text_array");
  using elements = arrays::array_elements<T, arrays::irregular_kind>;
  using elements_memory = arrays::array_memory<arrays::irregular_kind>;

 public:
  using typename elements::const_iterator;
  using typename elements::const_reference;
  using typename elements::difference_type;
  using typename elements::iterator;
  using typename elements::reference;
  using typename elements::size_type;
  using typename elements::value_type;

  list() = default;
  /// Empty list. Called by all members, without waiting.
  explicit list(const team& of, const site& where = site::current())
      : elements(make(of, where)), changes_(base::make_unique_object<changes>()) {}

  /// Appends locally. Cost: l, amortised; no communication, no segment memory.
  void push_back(const T& value) { own().added.push_back(value); }
  template <class... Arguments>
    requires std::constructible_from<T, Arguments...>
  void emplace_back(Arguments&&... arguments) {
    own().added.push_back(T(std::forward<Arguments>(arguments)...));
  }
  template <std::ranges::input_range R>
    requires std::convertible_to<std::ranges::range_reference_t<R>, T>
  void append(R&& values) {
    for (auto&& each : values) push_back(each);
  }
  /// Inserts before local()[place] at the next commit(), after earlier insertions.
  /// @throws acre::error for an invalid place
  void insert(std::size_t place, const T& value, const site& where = site::current()) {
    if (place > local().size())
      arrays::throw_no_place("list::insert", place, local().size(), where);
    auto& inserted = own().inserted;
    const auto behind = std::ranges::upper_bound(inserted, place, {}, &insertion::place);
    inserted.insert(behind, {place, value});
  }
  /// Erases local()[place] at the next commit().
  /// @throws acre::error for an invalid place
  void erase(std::size_t place, const site& where = site::current()) {
    if (place >= local().size())
      arrays::throw_no_place("list::erase", place, local().size(), where);
    auto& erased = own().erased;
    erased.resize(local().size());
    erased[place] = true;
  }
  /// Erases matching own elements, unpublished ones included.
  template <std::predicate<const T&> Predicate>
  void erase_if(Predicate predicate) {
    std::erase_if(own().added, predicate);
    std::erase_if(own().inserted, [&](const auto& each) { return predicate(each.value); });
    for (std::size_t i = 0; i < local().size(); ++i) {
      if (predicate(local()[i])) erase(i);
    }
  }
  void clear() {
    erase_if([](const T&) { return true; });
  }
  /// Number of pending additions and insertions.
  [[nodiscard]] std::size_t pending() const noexcept {
    return changes_ == nullptr ? 0 : changes_->added.size() + changes_->inserted.size();
  }

  /// Publishes all changes; invalidates pointers, iterators and spans. Collective. Cost: B, 1
  /// allgather and a copy of additions; of all local elements if the block grew or after insert or
  /// erase.
  /// @throws acre::error on all members if out of memory; the list is unchanged
  void commit(const site& where = site::current()) {
    changes& mine = own();
    const runtime::failures_held until_it_is_there;
    members().barrier(where);
    const std::size_t count = apply(mine);
    mine.blocks.publish(this->memory_to_change(), count, where);
    mine.added.clear();
    mine.inserted.clear();
    mine.erased.clear();
  }

  /// Local elements. Cost: l.
  using elements::local;
  /// All members' elements.
  using elements::begin;
  using elements::empty;
  using elements::end;
  using elements::size;
  [[nodiscard]] const team& members() const {
    return arrays::irregular_memory(this->memory_or_null(), "list").members();
  }
  /// Cost: a binary search for the owner; then R or W.
  using elements::operator[];
  using elements::at;
  using elements::pointer;
  [[nodiscard]] explicit operator bool() const noexcept { return this->is_made(); }

 private:
  struct insertion {
    std::size_t place;
    T value;
  };
  struct changes {
    std::vector<T> added;
    std::vector<insertion> inserted;
    std::vector<bool> erased;  ///< one flag per local element, or empty
    arrays::list_blocks blocks{typeid(T), sizeof(T)};
  };

  [[nodiscard]] static base::unique_object<elements_memory> make(const team& of,
                                                                 const site& where) {
    const std::vector<std::size_t> none(of.size());
    const std::vector<std::uint64_t> nowhere(of.size());
    return base::make_unique_object<elements_memory>(
        of, arrays::irregular_pattern(none),
        team_memory(of, nowhere, nullptr, team_memory::owner::team), where,
        "the destructor of the list made");
  }
  [[nodiscard]] changes& own() {
    static_cast<void>(members());
    return *changes_;
  }

  /// Applies this member's changes; publish() reports failure.
  [[nodiscard]] std::size_t apply(changes& mine) noexcept {
    const std::span<const T> before = local();
    const bool is_appended = mine.inserted.empty() && mine.erased.empty();
    const auto erased = static_cast<std::size_t>(std::ranges::count(mine.erased, true));
    const std::size_t count = before.size() - erased + mine.inserted.size() + mine.added.size();
    std::byte* const room = is_appended ? mine.blocks.room_for(count, alignof(T))
                                        : mine.blocks.fresh_room_for(count, alignof(T));
    if (room == nullptr || count == 0) return count;
    T* to = reinterpret_cast<T*>(room);
    if (!is_appended) {
      to = merge(mine, before, to);
    } else {
      base::move_elements(to, before);
      to += before.size();
    }
    base::move_elements(to, std::span<const T>(mine.added));
    return count;
  }
  [[nodiscard]] static T* merge(const changes& mine, std::span<const T> before, T* to) noexcept {
    auto next = mine.inserted.begin();
    for (std::size_t i = 0; i <= before.size(); ++i) {
      for (; next != mine.inserted.end() && next->place == i; ++next) {
        base::construct(to++, next->value);
      }
      if (i == before.size()) break;
      if (mine.erased.empty() || !mine.erased[i]) base::construct(to++, before[i]);
    }
    return to;
  }

  base::unique_object<changes> changes_;
};

}  // namespace acre
