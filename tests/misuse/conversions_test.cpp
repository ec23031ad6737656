// SPDX-License-Identifier: BSD-3-Clause
// Valid calls that refusing overloads must not affect, and algorithms over elements and indices of
// all kinds, compiled with warnings about conversions.
#include <acre/algorithm/policy.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/array/array.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/global/memory/future_put_get.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>

#include <functional>
#include <string_view>

namespace {

template <class R>
void look(const R& range) {
  static_cast<void>(acre::min_element_on_all(range));
  static_cast<void>(acre::minmax_element_on_all(range));
  static_cast<void>(acre::reduce_on_all(range));
  static_cast<void>(acre::reduce_on_all(acre::par, range));
}

[[maybe_unused]] void of_short_elements(acre::array<short>& a) {
  look(a);
  look(a | acre::views::strided(2));
  look(a | acre::views::transform([](short x) { return static_cast<short>(-x); }));
  acre::inclusive_scan(a);
  acre::exclusive_scan(a);
}

struct one {
  int x;
};
struct number {
  operator long() const { return 3; }
};
struct place {
  operator acre::global_ptr<long>() const { return {}; }
};

[[maybe_unused]] void in_braces(const acre::team& team, acre::global_ptr<one> p) {
  acre::put(p, {1});
  acre::put_nbi(p, {1});
  acre::put_async(p, {1}).get();
  const acre::array<one> a(team, 10, {1});
  const acre::matrix<one, 2> m(team, {3, 4}, {1});
  const acre::hosted_array<one> h(team, {0}, 10, {1});
}

[[maybe_unused]] void converted(const acre::team& team, acre::global_ptr<long> p) {
  static_cast<void>(team.allreduce<long>(number{}));
  static_cast<void>(team.reduce<long>(number{}, 0));
  static_cast<void>(team.inclusive_scan<long>(number{}));
  acre::put<long>(place{}, 5L);
  acre::put<long>(std::reference_wrapper(p), 5L);
  acre::fetch_add<long>(place{}, 5L);
}

// A program's own functions with Acre's names, which argument-dependent lookup finds too.
template <class V>
void put(std::string_view /*key*/, const V& /*value*/) {}
template <class V>
void get(std::string_view /*key*/, const V& /*value*/) {}
[[maybe_unused]] void of_users(const acre::team& team, acre::global_ptr<long> p) {
  put("key", p);
  put("key", team);
  get("key", p);
}

}  // namespace
