// SPDX-License-Identifier: BSD-3-Clause
// Unordered elements, inserted locally and then distributed evenly.
//
//     acre::bag<task> tasks(acre::world());
//     if (acre::rank() == 0) for (const task& each : read()) tasks.insert(each);   // local
//     tasks.rebalance();                                                          // collective
//     tasks.for_each([](task& each) { each.run(); });
//
// Elements are in private memory. One thread at a time uses a bag.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/bag/detail/bag_moves.hpp>
#include <acre/global/team/collectable.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/global/wire/serialization.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace container {
template <class F, class T>
inline constexpr bool takes_a_reference_to_an_element = std::invocable<F&, T&>;
}  // namespace container

/// Construction, destruction and moves: local.
template <collectable T>
  requires std::movable<T> && (!std::same_as<T, bool>)
class bag {
 public:
  using value_type = T;

  /// Null handle.
  bag() = default;
  /// Empty. No communication.
  explicit bag(const team& members) : members_(members) {}

  // --- own elements: no communication ---

  /// Cost: l, amortised.
  void insert(T value) { elements_.push_back(std::move(value)); }
  template <class R>
    requires requires(R& values) {
      { *values.begin() } -> std::convertible_to<T>;
    }
  void insert_range(R&& values) {
    for (auto&& each : values) elements_.push_back(std::forward<decltype(each)>(each));
  }
  /// Moves own elements of `other` here.
  void merge(bag& other) {
    if (&other == this) return;
    append(other.elements_);
    other.elements_.clear();
  }
  template <std::predicate<const T&> Predicate>
  std::size_t erase_if(Predicate predicate) {
    return std::erase_if(elements_, predicate);
  }
  /// Removes an element; null if empty.
  [[nodiscard]] std::optional<T> take() {
    if (elements_.empty()) return std::nullopt;
    std::optional<T> taken(std::move(elements_.back()));
    elements_.pop_back();
    return taken;
  }
  void clear() noexcept { elements_.clear(); }
  void swap(bag& other) noexcept {
    std::swap(members_, other.members_);
    elements_.swap(other.elements_);
  }
  friend void swap(bag& a, bag& b) noexcept { a.swap(b); }

  /// Own elements. Valid until the next change.
  [[nodiscard]] std::span<T> local() noexcept { return elements_; }
  [[nodiscard]] std::span<const T> local() const noexcept { return elements_; }
  [[nodiscard]] std::span<const T> own_elements() const noexcept { return elements_; }

  // --- all elements: collective ---

  /// Calls f(element) for own elements, then waits, also after exceptions of f. Cost: B.
  /// @throws acre::error if f adds or removes elements
  template <class F>
    requires container::takes_a_reference_to_an_element<F, T>
  void for_each(F&& f, const site& where = site::current()) {
    visit(elements_, f, where);
  }
  template <class F>
    requires container::takes_a_reference_to_an_element<F, const T>
  void for_each(F&& f, const site& where = site::current()) const {
    visit(elements_, f, where);
  }

  /// Number of elements on all members. Cost: 1 allreduce.
  [[nodiscard]] std::uint64_t size(const site& where = site::current()) const {
    return members("bag::size").allreduce(std::uint64_t{elements_.size()}, op::sum, where);
  }

  /// Equalises numbers of elements up to 1, by the fewest moves. Cost: 1 allgather of a word; if
  /// elements move, 2 allreduces and 1 alltoallv.
  /// @throws on all members if one cannot serialise elements or lacks memory; all then stay
  void rebalance(const site& where = site::current())
    requires std::copy_constructible<T>
  {
    const team& all = members("bag::rebalance");
    const std::vector<std::uint64_t> moves =
        container::moves_from_here(all, elements_.size(), typeid(T), where);
    if (moves.empty()) return;
    std::vector<global::owned_bytes> packed(all.size());
    std::size_t kept = elements_.size();
    global::succeed_together(all, "bag::rebalance", where, [&] {
      for (rank_t i = 0; i < all.size(); ++i) {
        if (moves[i] == 0) continue;
        kept -= moves[i];
        const auto first = elements_.begin() + static_cast<std::ptrdiff_t>(kept);
        packed[i] = pack({first, first + static_cast<std::ptrdiff_t>(moves[i])});
      }
    });
    const auto received = all.alltoallv(std::move(packed), where);
    std::vector<T> arrived;
    global::succeed_together(all, "bag::rebalance", where, [&] {
      for (const global::owned_bytes& each : received) {
        if (each.size() == 0) continue;
        auto part = deserialize<std::vector<T>>(each.span());
        for (T& element : part) arrived.push_back(std::move(element));
      }
      elements_.reserve(kept + arrived.size());
    });
    elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(kept), elements_.end());
    append(arrived);
  }

  [[nodiscard]] const team& members() const { return members("bag::members"); }
  /// False if null.
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(members_); }

 private:
  [[nodiscard]] const team& members(const char* call) const {
    if (!members_) [[unlikely]] {
      global::throw_no_object(call, "bag", "bag{team}");
    }
    return members_;
  }

  template <class Elements, class F>
  void visit(Elements& elements, F& f, const site& where) const {
    const team& all = members("bag::for_each");
    std::exception_ptr failure;
    try {
      for (std::size_t i = 0, count = elements.size(); i < count; ++i) {
        f(elements[i]);
        if (elements.size() != count) container::throw_changed_bag();
      }
    } catch (...) {
      failure = std::current_exception();
    }
    all.barrier(where);
    if (failure != nullptr) std::rethrow_exception(failure);
  }

  void append(std::vector<T>& values) {
    for (T& each : values) elements_.push_back(std::move(each));
  }

  [[nodiscard]] static global::owned_bytes pack(const std::vector<T>& elements) {
    global::owned_bytes bytes(serialized_size(elements));
    write_to(bytes.span(), elements);
    return bytes;
  }

  team members_;
  std::vector<T> elements_;
};

}  // namespace acre
