// SPDX-License-Identifier: BSD-3-Clause
// Unordered elements, each with a unique tag by which any rank finds it.
//
//     acre::tagged_bag<std::string> texts(acre::world());
//     const std::uint64_t tag = texts.insert("some text");
//     const auto text = texts.find(tag);                        // on any rank
//
// A hash_map of tags, with a hash that makes the inserting rank the owner.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/container/bag/detail/own_tags.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash/growth.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre {

/// Moves: local. Destruction: collective, B; objects in any order, the same on all members.
/// @tparam T  trivially copyable or serializable
template <storable T>
class tagged_bag {
  using map = hash_map<std::uint64_t, T, container::tag_hash>;
  using operation = container_operation;

 public:
  using value_type = T;
  using tag_type = std::uint64_t;
  /// Range of pairs of tag and element.
  using entry_range = typename map::entry_range;

  /// Null handle.
  tagged_bag() = default;
  /// Collective, as the constructor of hash_map, with growth::automatic.
  /// @param capacity  expected elements of all members
  explicit tagged_bag(const team& members, std::uint64_t capacity = 1024,
                      const site& where = site::current())
      : elements_(members, capacity, growth::automatic, where),
        tags_(base::make_unique_object<container::own_tags>(members.rank(), members.size())) {}

  // --- one element: any thread ---

  /// Adds an element at this member. Cost: A + W in own memory.
  /// @return its tag, unique in this bag, also after erasures
  tag_type insert(const T& element, const site& where = site::current()) {
    const tag_type tag = made("tagged_bag::insert").tags_->next();
    elements_.insert(tag, element, where);
    return tag;
  }
  /// Cost: as hash_map::find().
  template <guarantee_allowing<operation::find> Guarantee = no_guarantee>
  [[nodiscard]] std::optional<T> find(tag_type tag, Guarantee guarantee = {},
                                      const site& where = site::current()) const {
    return made("tagged_bag::find").elements_.find(tag, guarantee, where);
  }
  [[nodiscard]] future<std::optional<T>> find_async(tag_type tag) const {
    return made("tagged_bag::find_async").elements_.find_async(tag);
  }
  [[nodiscard]] std::vector<std::optional<T>> find_many(std::span<const tag_type> tags,
                                                        const site& where = site::current()) const {
    return made("tagged_bag::find_many").elements_.find_many(tags, no_guarantee{}, where);
  }
  [[nodiscard]] bool contains(tag_type tag, const site& where = site::current()) const {
    return made("tagged_bag::contains").elements_.contains(tag, no_guarantee{}, where);
  }
  /// Cost: R + A; at other nodes 2 M. @return true in one of concurrent calls
  bool erase(tag_type tag, const site& where = site::current()) {
    return made("tagged_bag::erase").elements_.erase(tag, no_guarantee{}, where);
  }
  /// Cost: l.
  [[nodiscard]] member owner(tag_type tag) const {
    return made("tagged_bag::owner").elements_.owner(tag);
  }

  // --- own elements ---

  /// Copies of own pairs of tag and element. Cost: l.
  [[nodiscard]] entry_range local() const { return made("tagged_bag::local").elements_.local(); }
  [[nodiscard]] entry_range own_elements() const { return local(); }
  /// Calls f(tag, element) with copies. Cost: l.
  template <class F>
  void for_each_local(F&& f) const {
    made("tagged_bag::for_each_local").elements_.for_each_local(f);
  }
  [[nodiscard]] std::uint64_t local_size() const {
    return made("tagged_bag::local_size").elements_.local_size();
  }

  // --- all elements ---

  /// Collective, as hash_map::size().
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return made("tagged_bag::size").elements_.size(where);
  }
  /// Collective, as hash_map::clear(). Later tags differ from all earlier ones.
  void clear(const site& where = site::current()) {
    made("tagged_bag::clear").elements_.clear(where);
  }

  [[nodiscard]] const team& members() const {
    return made("tagged_bag::members").elements_.members();
  }
  /// False if null or moved from.
  [[nodiscard]] explicit operator bool() const noexcept { return tags_ != nullptr; }

 private:
  [[nodiscard]] const tagged_bag& made(const char* call) const {
    require_made(call);
    return *this;
  }
  [[nodiscard]] tagged_bag& made(const char* call) {
    require_made(call);
    return *this;
  }
  void require_made(const char* call) const {
    if (tags_ == nullptr) [[unlikely]] {
      global::throw_no_object(call, "bag", "tagged_bag{team}");
    }
  }

  map elements_;
  base::unique_object<container::own_tags> tags_;
};

}  // namespace acre
