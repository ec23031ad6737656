// SPDX-License-Identifier: BSD-3-Clause
// Calls a test with every container, for any element type.
#pragma once

#include <acre/acre.hpp>
#include <acre/ordered.hpp>

#include <tuple>
#include <type_traits>

namespace acre::container {

template <class Make>
struct named_container {
  const char* name;
  Make maker;

  template <class T>
  [[nodiscard]] auto make(const team& members, const site& where = site::current()) const {
    return maker(std::type_identity<T>(), members, where);
  }
};
// For Clang 16.
template <class Make>
named_container(const char*, Make) -> named_container<Make>;

template <class T>
using type_of = std::type_identity<T>;

inline constexpr std::tuple every_container{
    named_container{"array",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return array<T>(members, 100, where);
                    }},
    named_container{"hosted_array",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return hosted_array<T>(members, hosted_by{0}, 100, T{}, where);
                    }},
    named_container{"symmetric_array",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return symmetric_array<T>(members, 100, T{}, where);
                    }},
    named_container{"hash_map",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return hash_map<T, T>(members, 100, growth::manual, where);
                    }},
    named_container{"hash_set",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return hash_set<T>(members, 100, growth::manual, where);
                    }},
    named_container{"hash_multimap",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return hash_multimap<T, T>(members, 100, growth::manual, where);
                    }},
    named_container{"counting_map",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return counting_map<T>(members, 100, growth::manual, where);
                    }},
    named_container{"circular_queue",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return circular_queue<T>(members, hosted_by{0}, 100, {}, where);
                    }},
    named_container{"fast_queue",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return fast_queue<T>(members, hosted_by{0}, 100, {}, where);
                    }},
    named_container{"deque",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return deque<T>(members, hosted_by{0}, where);
                    }},
    named_container{"tagged_bag",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return tagged_bag<T>(members, 100, where);
                    }},
    named_container{"bloom_filter",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return bloom_filter<T>(members, 100, 0.01, where);
                    }},
    named_container{"sorted_map",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return sorted_map<T, T>(members, {}, where);
                    }},
    named_container{"priority_queue",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return priority_queue<T>(members, where);
                    }},
    named_container{"disjoint_set",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return disjoint_set<T>(members, 100, where);
                    }},
    named_container{"distributor",
                    []<class T>(type_of<T>, const team& members, const site& where) {
                      return distributor<T>(members, distributor<T>::default_memory, where);
                    }},
};

template <class F>
void for_each_container(F&& f) {
  std::apply([&](const auto&... each) { (f(each), ...); }, every_container);
}

}  // namespace acre::container
