// Puts and gets by lists of indices: elements that lie here and there in one rank's memory.
//
//     const std::vector<int> wanted{7, 3, 11};
//     std::vector<double> values(wanted.size());
//     acre::get_indexed(p, wanted, std::span(values));       // p[7], p[3], p[11]
//
// On memory that is mapped here they are loops of loads and stores. To another node small elements
// travel together, about a thousand in a message, and the owner reads or writes them; those larger
// than two kilobytes are puts and gets, all under way at once. For elements that lie in
// equal distances strided.hpp is better, and for those of many ranks there are gather() and
// scatter() of arrays.
//
// Indices are integers, and count elements from `base`; some may be equal. Of equal ones that are
// put, any value may remain.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/future_put_get.hpp>
#include <acre/global/index_list.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/scattered_elements.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace detail {

/// Calls move(element, place) for the elements in the order of their indices.
template <class T, class Indices, class Value, class Move>
void for_each_indexed(global_ptr<T> base, const Indices& indices, Value* place, const char* call,
                      const site& where, Move&& move) {
  for (const auto index : indices) {
    const global_ptr<T> element = base + static_cast<std::ptrdiff_t>(index);
    check_pointer(element.bits(), sizeof(T), call, where);
    move(element, place++);
  }
}

/// Those of another node, that go together.
template <class T, class Indices, class Value>
[[nodiscard]] scattered_elements collect_indexed(scattered_elements::direction way,
                                                 global_ptr<T> base, const Indices& indices,
                                                 Value* values, const char* call,
                                                 const site& where) {
  scattered_elements all(way, sizeof(T));
  for_each_indexed(base, indices, values, call, where, [&](global_ptr<T> element, Value* place) {
    all.add(element.bits(),
            reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<Value>*>(place)));
  });
  return all;
}

/// The whole of it, where there is nothing to do or the memory is mapped here. @return false: it is
/// not
template <class T, class Indices>
[[nodiscard]] bool get_indexed_here(global_ptr<T> base, const Indices& indices,
                                    std::span<std::remove_cv_t<T>> values, const site& where) {
  check_equal_lists(indices, values.size(), "get_indexed", where);
  if (values.empty()) return true;
  if (!base.is_local(where)) return false;
  for_each_indexed(base, indices, values.data(), "get_indexed", where,
                   [](global_ptr<T> element, std::remove_cv_t<T>* place) {
                     *place =
                         load_direct<std::remove_cv_t<T>>(runtime::direct_address(element.bits()));
                   });
  runtime::count(runtime::counted::direct_get, values.size());
  runtime::count(runtime::counted::direct_get_bytes, values.size_bytes());
  return true;
}
template <class T, class Indices>
[[nodiscard]] bool put_indexed_here(global_ptr<T> base, const Indices& indices,
                                    std::span<const T> values, const site& where) {
  check_equal_lists(indices, values.size(), "put_indexed", where);
  if (values.empty()) return true;
  if (!base.is_local(where)) return false;
  for_each_indexed(base, indices, values.data(), "put_indexed", where,
                   [](global_ptr<T> element, const T* place) {
                     store_direct(runtime::direct_address(element.bits()), *place);
                   });
  runtime::count(runtime::counted::direct_put, values.size());
  runtime::count(runtime::counted::direct_put_bytes, values.size_bytes());
  return true;
}

/// One operation of the network for each, complete after quiet(): for large elements.
template <class T, class Indices>
void get_each_nbi(global_ptr<T> base, const Indices& indices, std::span<std::remove_cv_t<T>> values,
                  const site& where) {
  for_each_indexed(base, indices, values.data(), "get_indexed", where,
                   [](global_ptr<T> element, std::remove_cv_t<T>* place) {
                     runtime::get_remote_nbi(element.bits(), place, sizeof(T));
                   });
}
template <class T, class Indices>
void put_each_nbi(global_ptr<T> base, const Indices& indices, std::span<const T> values,
                  const site& where) {
  for_each_indexed(base, indices, values.data(), "put_indexed", where,
                   [](global_ptr<T> element, const T* place) {
                     runtime::put_remote_nbi(element.bits(), place, sizeof(T));
                   });
}

}  // namespace detail

// --- blocking -----------------------------------------------------------------------

/// Reads. Cost: l each, or 2 M for each message.
/// @throws acre::error when there are not as many values as indices
template <transferable T, index_list Indices>
void get_indexed(global_ptr<T> base, const Indices& indices,
                 std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
                 const site& where = site::current()) {
  if (detail::get_indexed_here(base, indices, values, where)) return;
  if (detail::scattered_elements::is_for(sizeof(T))) {
    detail::collect_indexed(detail::scattered_elements::direction::get, base, indices,
                            values.data(), "get_indexed", where)
        .finish("get_indexed", where);
  } else {
    detail::get_each_nbi(base, indices, values, where);
    quiet();
  }
}

/// Writes; returns when the target's memory has the values. Cost: l each, or 2 M for each message.
/// @throws acre::error when there are not as many values as indices
template <writable T, index_list Indices>
void put_indexed(global_ptr<T> base, const Indices& indices,
                 std::span<const std::type_identity_t<T>> values,
                 const site& where = site::current()) {
  if (detail::put_indexed_here(base, indices, values, where)) return;
  if (detail::scattered_elements::is_for(sizeof(T))) {
    detail::collect_indexed(detail::scattered_elements::direction::put, base, indices,
                            values.data(), "put_indexed", where)
        .finish("put_indexed", where);
  } else {
    detail::put_each_nbi(base, indices, values, where);
    quiet();
  }
}

// --- complete after quiet() -----------------------------------------------------------

/// Reads; `values` are valid after quiet().
template <transferable T, index_list Indices>
void get_indexed_nbi(global_ptr<T> base, const Indices& indices,
                     std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
                     const site& where = site::current()) {
  if (detail::get_indexed_here(base, indices, values, where)) return;
  if (detail::scattered_elements::is_for(sizeof(T))) {
    detail::collect_indexed(detail::scattered_elements::direction::get, base, indices,
                            values.data(), "get_indexed", where)
        .finish_nbi("get_indexed");
  } else {
    detail::get_each_nbi(base, indices, values, where);
  }
}

/// Writes; `values` must stay as they are until quiet().
template <writable T, index_list Indices>
void put_indexed_nbi(global_ptr<T> base, const Indices& indices,
                     std::span<const std::type_identity_t<T>> values,
                     const site& where = site::current()) {
  if (detail::put_indexed_here(base, indices, values, where)) return;
  if (detail::scattered_elements::is_for(sizeof(T))) {
    detail::collect_indexed(detail::scattered_elements::direction::put, base, indices,
                            values.data(), "put_indexed", where)
        .finish_nbi("put_indexed");
  } else {
    detail::put_each_nbi(base, indices, values, where);
  }
}

// --- with a future ------------------------------------------------------------------

/// Reads; `values` are valid when the future is ready. The indices are free at return.
template <transferable T, index_list Indices>
[[nodiscard]] future<> get_indexed_async(
    global_ptr<T> base, const Indices& indices,
    std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
    const site& where = site::current()) {
  if (detail::get_indexed_here(base, indices, values, where)) return make_ready_future();
  if (detail::scattered_elements::is_for(sizeof(T))) {
    return detail::collect_indexed(detail::scattered_elements::direction::get, base, indices,
                                   values.data(), "get_indexed", where)
        .finish_async("get_indexed");
  }
  std::vector<future<>> each;
  detail::for_each_indexed(base, indices, values.data(), "get_indexed", where,
                           [&](global_ptr<T> element, std::remove_cv_t<T>* place) {
                             each.push_back(get_async(element, std::span(place, 1), where));
                           });
  return when_all(std::move(each));
}

/// Writes; the future is ready when the target's memory has the values, which must stay as they
/// are until then.
template <writable T, index_list Indices>
[[nodiscard]] future<> put_indexed_async(global_ptr<T> base, const Indices& indices,
                                         std::span<const std::type_identity_t<T>> values,
                                         const site& where = site::current()) {
  if (detail::put_indexed_here(base, indices, values, where)) return make_ready_future();
  if (detail::scattered_elements::is_for(sizeof(T))) {
    return detail::collect_indexed(detail::scattered_elements::direction::put, base, indices,
                                   values.data(), "put_indexed", where)
        .finish_async("put_indexed");
  }
  std::vector<future<>> each;
  detail::for_each_indexed(base, indices, values.data(), "put_indexed", where,
                           [&](global_ptr<T> element, const T* place) {
                             each.push_back(put_async(element, std::span(place, 1), where));
                           });
  return when_all(std::move(each));
}

}  // namespace acre
