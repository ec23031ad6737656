// SPDX-License-Identifier: BSD-3-Clause
// Boundary conditions of halos, per dimension and side.
//
//     acre::halo h(m, {.edges = {acre::periodic,                               // dimension 0
//                                {acre::fixed(1.0), acre::untouched}}});       // 1: before, after
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/invoke.hpp>
#include <acre/base/shared_object.hpp>
#include <acre/base/unique_object.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace acre {

/// Margins keep their content.
struct untouched_t {};
inline constexpr untouched_t untouched{};
struct periodic_t {};
inline constexpr periodic_t periodic{};
template <class V>
struct fixed {
  V value;
};
template <class V>
fixed(V) -> fixed<V>;
/// Margins receive f(coordinates in the matrix), which are negative before it.
template <class F>
struct computed {
  F f;
};
template <class F>
computed(F) -> computed<F>;

template <std::size_t N>
using signed_coordinates = std::array<std::ptrdiff_t, N>;

template <class T, std::size_t N>
class halo_edge {
 public:
  halo_edge() = default;
  halo_edge(untouched_t) {}
  halo_edge(periodic_t) : is_periodic_(true) {}
  template <std::convertible_to<T> V>
  halo_edge(fixed<V> edge) : value_(static_cast<T>(edge.value)) {}
  template <class F>
    requires std::is_invocable_r_v<T, F, const signed_coordinates<N>&>
  halo_edge(computed<F> edge)
      : computation_(shared_computation::make(new computation_by<F>(std::move(edge.f)))) {}

  [[nodiscard]] bool is_periodic() const noexcept { return is_periodic_; }
  [[nodiscard]] bool has_values() const noexcept {
    return value_.has_value() || computation_ != nullptr;
  }
  [[nodiscard]] T at(const signed_coordinates<N>& where) const {
    return value_ ? *value_ : (*computation_)->at(where);
  }

 private:
  struct computation {
    virtual ~computation() = default;
    [[nodiscard]] virtual T at(const signed_coordinates<N>& where) = 0;
  };
  template <class F>
  struct computation_by final : computation {
    explicit computation_by(F by) : f(std::move(by)) {}
    [[nodiscard]] T at(const signed_coordinates<N>& where) override {
      return static_cast<T>(base::invoke(f, where));
    }
    F f;
  };
  using shared_computation = base::shared_object<base::unique_object<computation>>;

  // At most one of these is set; <variant> would be too large a header.
  bool is_periodic_ = false;
  std::optional<T> value_;
  shared_computation computation_;
};

template <class T, std::size_t N>
struct halo_edge_pair {
  halo_edge<T, N> before;
  halo_edge<T, N> after;

  halo_edge_pair() = default;
  halo_edge_pair(const halo_edge<T, N>& first, const halo_edge<T, N>& last)
      : before(first), after(last) {}
  template <class Edge>
    requires std::constructible_from<halo_edge<T, N>, Edge>
  halo_edge_pair(const Edge& both) : before(both), after(both) {}
};

/// Edges of all dimensions. Default: untouched. In a corner the first dimension with a non-periodic
/// edge decides.
template <class T, std::size_t N>
class halo_edges {
 public:
  halo_edges() = default;
  template <class Edge>
    requires std::constructible_from<halo_edge<T, N>, Edge>
  halo_edges(const Edge& all) {
    of_.fill(halo_edge_pair<T, N>(all));
  }
  /// @throws acre::error unless one pair for all dimensions, or one each
  halo_edges(std::initializer_list<halo_edge_pair<T, N>> dimensions) {
    if (dimensions.size() == 1) of_.fill(*dimensions.begin());
    if (dimensions.size() != 1 && dimensions.size() != N) {
      throw error("halo",
                  "edges for " + std::to_string(dimensions.size()) +
                      " dimensions do not match the dimensions of the halo, " + std::to_string(N),
                  "give one pair for all dimensions, or one for each: {{before, after}, periodic}");
    }
    if (dimensions.size() == N) std::copy(dimensions.begin(), dimensions.end(), of_.begin());
  }

  [[nodiscard]] const halo_edge_pair<T, N>& operator[](std::size_t d) const noexcept {
    return of_[d];
  }

 private:
  std::array<halo_edge_pair<T, N>, N> of_{};
};

}  // namespace acre
