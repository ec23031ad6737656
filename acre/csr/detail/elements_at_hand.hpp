// SPDX-License-Identifier: BSD-3-Clause
// Vector elements for a product: in place for a team of one, a full copy if all are mapped, else
// copies of the needed ones.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/detail/column_plan.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/global/transfer/indexed.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace acre::csr {

template <class X>
class elements_at_hand {
 public:
  /// Construct between two barriers; elements must not change until the second.
  template <class T, row_vector Vector>
  elements_at_hand(const csr_matrix<T>& matrix, const Vector& vector) {
    columns_ = matrix.local().columns;
    if (vector.members().size() == 1) {
      values_ = vector.local().data();
      return;
    }
    const row_cut cut = cut_of(vector);
    if (matrix.is_near()) {
      copy_all(vector, cut);
    } else {
      read_needed(plan_of(matrix, cut), vector);
    }
  }

  [[nodiscard]] const column_t* columns() const noexcept { return columns_; }
  [[nodiscard]] const X* values() const noexcept { return values_; }

  template <class T>
  static const column_plan& plan_of(const csr_matrix<T>& matrix, const row_cut& cut) {
    auto& plan = csr_access::plan(matrix);
    if (!plan || !(plan->cut == cut)) {
      const csr_rows<T> rows = matrix.local();
      plan = make_column_plan({rows.columns, rows.entries()}, cut);
    }
    return *plan;
  }

 private:
  void make_room(std::size_t elements) {
    copies_ = std::make_unique_for_overwrite<X[]>(elements);
    values_ = copies_.get();
  }

  template <class Vector>
  void copy_all(const Vector& vector, const row_cut& cut) {
    make_room(cut.rows());
    for (rank_t member = 0; member < cut.members(); ++member) {
      const std::size_t first = cut.first_of(member);
      const std::size_t count = cut.count_of(member);
      if (count != 0) get(vector.pointer(first), std::span<X>(copies_.get() + first, count));
    }
  }

  template <class Vector>
  void read_needed(const column_plan& plan, const Vector& vector) {
    columns_ = plan.places.data();
    make_room(plan.needed.size());
    std::vector<std::unique_ptr<X[]>> runs(plan.cut.members());
    const global::quiet_on_failure reads_end;
    for (rank_t member = 0; member < plan.cut.members(); ++member) {
      const std::span<const column_t> needed(plan.needed.data() + plan.begins[member],
                                             plan.needed.data() + plan.begins[member + 1]);
      if (needed.empty()) continue;
      const std::size_t reach = needed.back() - needed.front() + std::size_t{1};
      const auto base = vector.pointer(needed.front());
      if (reach <= most_of_run * needed.size()) {
        runs[member] = std::make_unique_for_overwrite<X[]>(reach);
        get_nbi(base, std::span<X>(runs[member].get(), reach));
      } else {
        std::vector<column_t> numbers(needed.begin(), needed.end());
        for (column_t& each : numbers) each -= needed.front();
        get_indexed_nbi(base, numbers,
                        std::span<X>(copies_.get() + plan.begins[member], needed.size()));
      }
    }
    quiet();
    for (rank_t member = 0; member < plan.cut.members(); ++member) {
      if (runs[member] == nullptr) continue;
      const std::size_t begin = plan.begins[member];
      for (std::size_t i = begin; i < plan.begins[member + 1]; ++i) {
        copies_[i] = runs[member][plan.needed[i] - plan.needed[begin]];
      }
    }
  }

  /// Runs with less than this fraction of needed elements are gathered.
  static constexpr std::size_t most_of_run = 8;

  const column_t* columns_ = nullptr;
  const X* values_ = nullptr;
  std::unique_ptr<X[]> copies_;
};

}  // namespace acre::csr
