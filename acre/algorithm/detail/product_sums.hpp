// SPDX-License-Identifier: BSD-3-Clause
// Owners of c read contributions to their tiles and add them in a fixed order, for bitwise
// reproducible results.
#pragma once

#include <acre/algorithm/detail/index_set.hpp>
#include <acre/algorithm/detail/local_product.hpp>
#include <acre/algorithm/detail/product_panel.hpp>
#include <acre/algorithm/detail/product_plan.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/global_box.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::algorithm {

/// Calls f(number of the brick, part of c, position in its sums).
template <class F>
void each_common_part(const std::vector<brick>& bricks, const layout::box<2>& of, F&& f) {
  for (std::size_t number = 0; number < bricks.size(); ++number) {
    std::size_t row = 0;
    for (const interval& r : bricks[number].rows.intervals()) {
      const interval rows = common(r, along(of, 0));
      std::size_t column = 0;
      for (const interval& c : bricks[number].columns.intervals()) {
        const interval columns = common(c, along(of, 1));
        if (rows.size() != 0 && columns.size() != 0) {
          f(number, box_of(rows, columns),
            layout::coordinates<2>{row + (rows.first - r.first),
                                   column + (columns.first - c.first)});
        }
        column += c.size();
      }
      row += r.size();
    }
  }
}

template <class T>
class sums_reader {
  static constexpr std::size_t chunk = std::size_t{1} << 16;
  static constexpr std::size_t room = std::size_t{1} << 20;

 public:
  sums_reader(bool is_by_rows, const site& where) : is_by_rows_(is_by_rows), where_(where) {}

  template <class F>
  static void each_chunk(const layout::box<2>& of, F&& f) {
    const std::size_t line = std::max<std::size_t>(of.extents[1], 1);
    const std::size_t rows = std::max<std::size_t>(chunk / line, 1);
    for (std::size_t i = 0; i < of.extents[0]; i += rows) {
      const std::size_t count = std::min(rows, of.extents[0] - i);
      for (std::size_t j = 0; j < of.extents[1]; j += chunk) {
        f(layout::box<2>{.first = {of.first[0] + i, of.first[1] + j},
                         .extents = {count, std::min(chunk, of.extents[1] - j)}});
      }
    }
  }
  void add(const box_span<T, 2>& target, const global_box<const T, 2>& source) {
    tasks_.push_back({target, source});
  }
  void run() {
    if (tasks_.empty()) return;
    group now;
    group next;
    const global::quiet_on_failure reads_end;
    fetch(0, now);
    quiet();
    while (now.first != now.end) {
      fetch(now.end, next);
      for (std::size_t i = now.first; i < now.end; ++i) {
        add_box<T>(tasks_[i].target, now.sources[i - now.first], T(1));
      }
      quiet();
      std::swap(now, next);
    }
  }

 private:
  struct task {
    box_span<T, 2> target;
    global_box<const T, 2> source;
  };
  struct group {
    std::size_t first = 0;
    std::size_t end = 0;
    std::vector<box_span<const T, 2>> sources;
    base::plain_buffer<T> buffer{room};
  };

  void fetch(std::size_t first, group& into) const {
    into.first = into.end = first;
    into.sources.clear();
    std::size_t used = 0;
    for (; into.end < tasks_.size(); ++into.end) {
      const global_box<const T, 2>& source = tasks_[into.end].source;
      if (source.data().is_local()) {
        into.sources.push_back(source.local());
        continue;
      }
      if (used + source.size() > room) break;
      const box_span<T, 2> here =
          dense_box(into.buffer.data() + used, source.extents(), is_by_rows_);
      get_nbi(source, here, where_);
      into.sources.push_back(here);
      used += here.size();
    }
  }

  bool is_by_rows_;
  const site& where_;
  std::vector<task> tasks_;
};

}  // namespace acre::algorithm
