// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets of one rank's elements by lists of indices.
//
//     const std::vector<int> wanted{7, 3, 11};
//     std::vector<double> values(wanted.size());
//     acre::get_indexed(p, wanted, std::span(values));       // p[7], p[3], p[11]
//
// Small elements on other nodes share messages of 16 to 32 KiB; those above a sixteenth of a
// message are concurrent puts or gets. See strided.hpp for constant strides, gather() and scatter()
// of arrays for many ranks.
//
// Indices count elements from `base`, and may repeat; any of repeated puts may win.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/transfer/index_list.hpp>
#include <acre/global/transfer/scattered_elements.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace global {

template <class T>
struct reading_indexed {
  using element = T;
  using value = std::remove_cv_t<T>;
  static constexpr auto way = scattered_elements::direction::get;
  static constexpr const char* call = "get_indexed";
  static constexpr auto counted = runtime::counted::direct_get;
  static constexpr auto counted_bytes = runtime::counted::direct_get_bytes;

  static void move_here(const std::byte* from, value& place) { place = load_direct<value>(from); }
  static void move_nbi(global_ptr<T> from, value* place) {
    runtime::get_remote_nbi(from.bits(), place, sizeof(T));
  }
  static future<> move_async(global_ptr<T> from, value* place, const site& where) {
    return get_async(from, std::span(place, 1), where);
  }
};

template <class T>
struct writing_indexed {
  using element = T;
  using value = const T;
  static constexpr auto way = scattered_elements::direction::put;
  static constexpr const char* call = "put_indexed";
  static constexpr auto counted = runtime::counted::direct_put;
  static constexpr auto counted_bytes = runtime::counted::direct_put_bytes;

  static void move_here(std::byte* to, value& place) { store_direct(to, place); }
  static void move_nbi(global_ptr<T> to, value* place) {
    runtime::put_remote_nbi(to.bits(), place, sizeof(T));
  }
  static future<> move_async(global_ptr<T> to, value* place, const site& where) {
    return put_async(to, std::span(place, 1), where);
  }
};

template <class Way, class Indices>
class indexed_elements {
  using value = typename Way::value;
  using pointer = global_ptr<typename Way::element>;

 public:
  indexed_elements(pointer base, const Indices& indices, std::span<value> places, const site& where)
      : base_(base), indices_(indices), places_(places), where_(where) {
    check_equal_lists(indices, places.size(), Way::call, where);
  }

  void move() const {
    if (try_here()) return;
    if (travel_together()) return collect().finish(Way::call, where_);
    start_each();
    quiet();
  }
  void move_nbi() const {
    if (try_here()) return;
    if (travel_together()) return collect().finish_nbi(Way::call);
    start_each();
  }
  [[nodiscard]] future<> move_async() const {
    if (try_here()) return make_ready_future();
    if (travel_together()) return collect().finish_async(Way::call);
    std::vector<future<>> each;
    for_each([&](pointer element, value& place) {
      each.push_back(Way::move_async(element, &place, where_));
    });
    return when_all(std::move(each));
  }

 private:
  static bool travel_together() {
    return scattered_elements::is_for(sizeof(typename Way::element));
  }

  template <class Use>
  void for_each(Use&& use) const {
    value* place = places_.data();
    for (const auto index : indices_) {
      const pointer element = base_ + static_cast<std::ptrdiff_t>(index);
      check_pointer(element.bits(), sizeof(value), Way::call, where_);
      use(element, *place++);
    }
  }

  [[nodiscard]] bool try_here() const {
    if (places_.empty()) return true;
    if (!base_.is_local(where_)) return false;
    for_each([](pointer element, value& place) {
      Way::move_here(runtime::direct_address(element.bits()), place);
    });
    runtime::count(Way::counted, places_.size());
    runtime::count(Way::counted_bytes, places_.size_bytes());
    return true;
  }

  [[nodiscard]] scattered_elements collect() const {
    scattered_elements all(Way::way, sizeof(value));
    for_each([&](pointer element, value& place) {
      all.add(element.bits(),
              reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<value>*>(&place)));
    });
    return all;
  }

  void start_each() const {
    for_each([](pointer element, value& place) { Way::move_nbi(element, &place); });
  }

  pointer base_;
  const Indices& indices_;
  std::span<value> places_;
  const site& where_;
};

template <class T, class Indices>
using indexed_get = indexed_elements<reading_indexed<T>, Indices>;
template <class T, class Indices>
using indexed_put = indexed_elements<writing_indexed<T>, Indices>;

}  // namespace global

/// Reads. Cost: l per element on this node, else 2 M per message, or R per large element.
/// @throws acre::error if the numbers of values and indices differ
template <transferable T, index_list Indices>
void get_indexed(global_ptr<T> base, const Indices& indices,
                 std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
                 const site& where = site::current()) {
  global::indexed_get<T, Indices>(base, indices, values, where).move();
}

/// Writes; returns when the target's memory has the values. Cost, errors: as get_indexed().
template <writable T, index_list Indices>
void put_indexed(global_ptr<T> base, const Indices& indices,
                 std::span<const std::type_identity_t<T>> values,
                 const site& where = site::current()) {
  global::indexed_put<T, Indices>(base, indices, values, where).move();
}

/// Reads; `values` are valid after quiet().
template <transferable T, index_list Indices>
void get_indexed_nbi(global_ptr<T> base, const Indices& indices,
                     std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
                     const site& where = site::current()) {
  global::indexed_get<T, Indices>(base, indices, values, where).move_nbi();
}

/// Writes; `values` must not change until quiet().
template <writable T, index_list Indices>
void put_indexed_nbi(global_ptr<T> base, const Indices& indices,
                     std::span<const std::type_identity_t<T>> values,
                     const site& where = site::current()) {
  global::indexed_put<T, Indices>(base, indices, values, where).move_nbi();
}

/// Reads; `values` are valid when ready. Indices are reusable at return.
template <transferable T, index_list Indices>
[[nodiscard]] future<> get_indexed_async(
    global_ptr<T> base, const Indices& indices,
    std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
    const site& where = site::current()) {
  return global::indexed_get<T, Indices>(base, indices, values, where).move_async();
}

/// Writes; ready when the target's memory has the values, which must not change before.
template <writable T, index_list Indices>
[[nodiscard]] future<> put_indexed_async(global_ptr<T> base, const Indices& indices,
                                         std::span<const std::type_identity_t<T>> values,
                                         const site& where = site::current()) {
  return global::indexed_put<T, Indices>(base, indices, values, where).move_async();
}

}  // namespace acre
