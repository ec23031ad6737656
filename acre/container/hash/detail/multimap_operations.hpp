// SPDX-License-Identifier: BSD-3-Clause
// Operations on the values of a key: one access to its bucket each.
#pragma once

#include <acre/container/guarantee.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/value_list.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/runtime/running_code.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

template <class F, class V, class... Operands>
concept visitor_of =
    std::is_trivially_copyable_v<F> && (serializable<Operands> && ...) && requires {
      requires std::same_as<std::invoke_result_t<F&, V&, const received_t<Operands>&...>, void>;
      requires std::same_as<std::invoke_result_t<F&, V&, const Operands&...>, void>;
    };

namespace container {

template <class V>
using stored_list = stored_t<value_list<V>>;
template <class V>
using list_form = stored_form<value_list<V>>;

template <class V>
struct appended_value {
  const V& value;
  void change_stored(stored_list<V>& list) const {
    list_form<V>::append(list, std::span(&value, 1));
  }
};
template <class V>
struct appended_list {
  const value_list<V>& values;
  void change_stored(stored_list<V>& list) const { list_form<V>::append(list, values.values); }
};

template <class Part, class K, class V>
outcome append_to(Part& part, typename Part::bucket_type* home, const K& key, std::uint64_t hash,
                  const V& value) {
  return part.upsert(home, key, hash, appended_value<V>{value}, [&] {
    value_list<V> alone;
    alone.values.push_back(value);
    return alone;
  });
}

template <class V>
struct append_operation : at_once<container_operation::insert, V> {
  template <class Part, class K, class Result>
  static outcome run(Part& part, const K& key, std::uint64_t hash, Result&, const V& value) {
    return append_to(part, part.home(hash), key, hash, value);
  }
};

template <class V>
struct find_values_operation : at_once<container_operation::find> {
  using result_type = std::vector<V>;
  static constexpr bool brings_value = true;

  template <class Part, class Key>
  static outcome run(Part& part, const Key& key, std::uint64_t hash,
                     std::optional<std::vector<V>>& values) {
    std::optional<value_list<V>> list;
    const outcome what = part.find_into(list, key, hash);
    if (list) values.emplace(std::move(list->values));
    return what;
  }
};

template <container_operation Kind, class... Operands>
struct counting_operation : at_once<Kind, Operands...> {
  using result_type = std::uint64_t;
  static constexpr bool brings_value = true;
};

template <class V>
struct count_values_operation : counting_operation<container_operation::find> {
  template <class Part, class Key>
  static outcome run(Part& part, const Key& key, std::uint64_t hash,
                     std::optional<std::uint64_t>& number) {
    const auto list = part.find_stored(key, hash);
    if (list) number = list->count;
    return list ? outcome::found : outcome::absent;
  }
};

template <class V>
struct erase_key_operation : counting_operation<container_operation::erase> {
  template <class Part, class Key>
  static outcome run(Part& part, const Key& key, std::uint64_t hash,
                     std::optional<std::uint64_t>& number) {
    return part.change_or_erase(key, hash, [&](stored_list<V>& list) {
      number = list.count;
      list_form<V>::release(list);
      return false;
    });
  }
};

template <class V>
struct erase_value_operation : counting_operation<container_operation::erase, V> {
  template <class Part, class Key>
  static outcome run(Part& part, const Key& key, std::uint64_t hash,
                     std::optional<std::uint64_t>& number, const V& value) {
    return part.change_or_erase(key, hash, [&](stored_list<V>& list) {
      const runtime::under_container_lock held;
      number = list_form<V>::remove_if(list, [&](const V& each) { return each == value; });
      if (list.count != 0) return true;
      list_form<V>::release(list);
      return false;
    });
  }
};

/// Other nodes: in the owner's own calls.
template <class V, class F, class... Operands>
struct visit_operation : counting_operation<container_operation::update, carried_function<F>,
                                            received_t<Operands>...> {
  static constexpr at_owner::run_by runner = at_owner::run_by::owner;

  template <class Part, class K, class... Given>
  static outcome run(Part& part, const K& key, std::uint64_t hash,
                     std::optional<std::uint64_t>& number, const carried_function<F>& carried,
                     const Given&... operands) {
    F f = carried.unpack();
    return part.modify(key, hash, [&](value_list<V>& list) {
      const runtime::under_container_lock held;
      for (V& each : list.values) f(each, operands...);
      number = list.values.size();
    });
  }
};

}  // namespace container
}  // namespace acre
