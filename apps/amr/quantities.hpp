// SPDX-License-Identifier: BSD-3-Clause
// Transfer of several quantities between leaves. Each function applies its namesake of cells.hpp to
// every quantity; the values of a quantity are consecutive.
#pragma once

#include <apps/amr/cells.hpp>

#include <cstddef>
#include <span>

namespace acre::amr {

/// Applies of_one to pieces of `length` values, and joins the results.
template <class OfOne>
[[nodiscard]] values of_each_quantity(std::span<const double> all, std::size_t length,
                                      OfOne&& of_one) {
  if (all.size() == length) return of_one(all);
  values joined;
  for (; !all.empty(); all = all.subspan(length)) {
    const values one = of_one(all.first(length));
    joined.insert(joined.end(), one.begin(), one.end());
  }
  return joined;
}

/// Calls insert(piece of `from`, piece of `to`) for each of `quantities`.
template <class Insert>
void insert_each_quantity(std::span<const double> from, std::span<double> to,
                          std::size_t quantities, Insert&& insert) {
  const std::size_t of_from = from.size() / quantities;
  const std::size_t of_to = to.size() / quantities;
  for (std::size_t q = 0; q < quantities; ++q) {
    insert(from.subspan(q * of_from, of_from), to.subspan(q * of_to, of_to));
  }
}

}  // namespace acre::amr
