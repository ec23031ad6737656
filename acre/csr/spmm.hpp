// SPDX-License-Identifier: BSD-3-Clause
// Product Y = A X of sparse A and dense X with short rows, over any semiring.
#pragma once

#include <acre/base/site.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_rows.hpp>
#include <acre/csr/detail/elements_at_hand.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/team/same_operands.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/transfer/completion.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace acre {

namespace csr {

template <class X>
class dense_rows_at_hand {
 public:
  template <class T>
  dense_rows_at_hand(const csr_matrix<T>& matrix, const dense_rows<X>& x)
      : cut_(x.cut()), width_(x.width()) {
    for (rank_t member = 0; member < cut_.members(); ++member) {
      const bool has_some = cut_.count_of(member) != 0 && width_ != 0;
      near_.push_back(has_some ? x.pointer(cut_.first_of(member)).local() : nullptr);
    }
    if (!matrix.is_near() && width_ != 0) fetch(x, elements_at_hand<X>::plan_of(matrix, cut_));
  }

  template <class T, class Use>
  void each(const csr_rows<T>& rows, std::size_t row, Use&& use) const {
    rank_t member = 0;
    for (std::size_t place = rows.begin_of(row); place < rows.end_of(row); ++place) {
      const std::size_t wanted = rows.columns[place];
      while (wanted >= cut_.first_of(member + 1)) ++member;
      if (near_[member] != nullptr) [[likely]] {
        use(place, near_[member] + (wanted - cut_.first_of(member)) * width_);
      } else {
        use(place, copies_.get() + plan_->places[place] * width_);
      }
    }
  }

 private:
  void fetch(const dense_rows<X>& x, const column_plan& plan) {
    plan_ = &plan;
    copies_ = std::make_unique_for_overwrite<X[]>(plan.needed.size() * width_);
    const global::quiet_on_failure reads_end;
    for (rank_t member = 0; member < cut_.members(); ++member) {
      if (near_[member] != nullptr) continue;
      for (std::size_t i = plan.begins[member]; i < plan.begins[member + 1];) {
        std::size_t end = i + 1;
        while (end < plan.begins[member + 1] && plan.needed[end] == plan.needed[end - 1] + 1) ++end;
        get_nbi(x.pointer(plan.needed[i]),
                std::span<X>(copies_.get() + i * width_, (end - i) * width_));
        i = end;
      }
    }
    quiet();
  }

  row_cut cut_;
  std::size_t width_;
  std::vector<const X*> near_;
  const column_plan* plan_ = nullptr;
  std::unique_ptr<X[]> copies_;
};

/// Adds `factor` times a row of X to `sums`, whose type may differ from the semiring's.
template <class S, class Y, class T, class X>
void add_multiples(Y* sums, const T& factor, const X* row_of_x, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    sums[i] = static_cast<Y>(S::add(sums[i], S::multiply(factor, row_of_x[i])));
  }
}

}  // namespace csr

/// Y = A X. Collective. Cost: B + 1 allreduce; across nodes R per run of rows of X.
/// @throws acre::error on all members for mismatched shapes, cuts or teams, or short memory
template <class S, class T, class X, class Y>
  requires semiring<S, T, X>
void spmm(const csr_matrix<T>& a, const dense_rows<X>& x, dense_rows<Y>& y,
          const site& where = site::current()) {
  global::require_same_operands(a.members(), "spmm", where, a, x, y);
  csr::check_equal("spmm", "the columns of the matrix", a.columns(), "the rows of X", x.rows(),
                   where);
  csr::check_equal("spmm", "the columns of X", x.width(), "the columns of Y", y.width(), where);
  global::check_same_team("spmm", "X", x.members(), "the matrix", a.members(), where);
  global::check_same_team("spmm", "Y", y.members(), "the matrix", a.members(), where);
  csr::check_same_cut("spmm", "Y", y.cut(), a.cut(), where);
  a.members().barrier(where);
  global::succeed_together(a.members(), "spmm", where, [&] {
    const csr::dense_rows_at_hand<X> of_x(a, x);
    const csr_rows<T> mine = a.local();
    const std::size_t width = x.width();
    for (std::size_t row = 0; width != 0 && row < mine.count; ++row) {
      Y* const sums = y.local_row(row).data();
      std::fill_n(sums, width, static_cast<Y>(S::zero()));
      of_x.each(mine, row, [&](std::size_t place, const X* row_of_x) {
        csr::add_multiples<S>(sums, mine.value(place), row_of_x, width);
      });
    }
  });
}

}  // namespace acre
