// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/product_result.hpp>

#include <acre/block/block_values.hpp>
#include <acre/block/detail/block_numbers.hpp>
#include <acre/block/for_block_elements.hpp>

#include <algorithm>
#include <complex>
#include <optional>
#include <span>
#include <utility>

namespace acre::block_matrices {

namespace {

std::pair<std::uint32_t, std::uint32_t> name_of(const block_entry& each) {
  return {each.row, each.column};
}

}  // namespace

template <class T>
product_pattern blocks_there(std::span<const block_entry> index, const product_part& part,
                             const block_matrix<T>& c) {
  const block_numbers rows(part.rows, c.rows().blocks());
  const block_numbers columns(part.columns, c.columns().blocks());
  product_pattern found;
  std::size_t row = 0;
  for (const block_entry& each : index) {
    if (rows[each.row] == block_numbers::none || columns[each.column] == block_numbers::none) {
      continue;
    }
    for (; row < rows[each.row]; ++row) found.starts.push_back(found.columns.size());
    found.columns.push_back(columns[each.column]);
  }
  found.starts.resize(part.rows.size() + 1, found.columns.size());
  return found;
}

template <class T>
bool product_result<T>::is_whole() const noexcept {
  const multiply_options& options = call_.options;
  return options.rows.first == 0 && options.columns.first == 0 &&
         options.rows.last >= c_.rows().blocks() && options.columns.last >= c_.columns().blocks();
}

template <class T>
product_pattern product_result<T>::there() {
  if (is_own_ && !call_.makes_new()) return blocks_there(c_.store().index(), part_, c_);
  if (!is_own_ && call_.options.keep_pattern) return blocks_of_cell();
  return blocks_there({}, part_, c_);
}

template <class T>
product_pattern product_result<T>::blocks_of_cell() {
  const member_grid& grid = c_.distribution().grid();
  const rank_t me = c_.members().rank();
  const rank_t row = grid.row_of(me) / cell_.rows * cell_.rows;
  const rank_t column = grid.column_of(me) / cell_.columns * cell_.columns;
  std::vector<rank_t> members;
  for (rank_t i = 0; i < cell_.rows; ++i) {
    for (rank_t j = 0; j < cell_.columns; ++j) members.push_back(grid.member(row + i, column + j));
  }
  const blocks_of_others theirs(c_.store(), members, call_.where);
  bytes_read_ += theirs.bytes_read();
  std::vector<block_entry> all;
  for (const auto& each : theirs.parts()) {
    all.insert(all.end(), each.index.begin(), each.index.end());
  }
  std::ranges::sort(all, {}, [](const block_entry& each) { return name_of(each); });
  return blocks_there<T>(all, part_, c_);
}

template <class T>
void product_result<T>::begin(product_pattern pattern) {
  pattern_ = std::move(pattern);
  if (!is_own_) {
    sums_ = global::segment_block(pattern_.elements() * sizeof(T));
    return;
  }
  index_ = global::segment_block(pattern_.columns.size() * sizeof(block_entry));
  norms_.resize(pattern_.columns.size());
  sums_ = c_.store().room_for(pattern_.elements());
  if (call_.beta != T{}) find_old_blocks();
}

template <class T>
void product_result<T>::find_old_blocks() {
  old_.resize(pattern_.columns.size());
  const std::span<const block_entry> index = c_.store().index();
  const T* const data = reinterpret_cast<const T*>(c_.store().data());
  std::size_t next = 0;
  for (std::size_t row = 0; row < part_.rows.size(); ++row) {
    for (std::size_t i = pattern_.starts[row]; i < pattern_.starts[row + 1]; ++i) {
      const std::pair at(part_.rows[row], part_.columns[pattern_.columns[i]]);
      while (next < index.size() && name_of(index[next]) < at) ++next;
      if (next < index.size() && name_of(index[next]) == at) old_[i] = data + index[next].offset;
    }
  }
}

template <class T>
void product_result<T>::finish(std::size_t i, T* block, std::size_t elements) {
  if (!is_own_) return;
  if (call_.alpha != T{1}) {
    for (std::size_t e = 0; e < elements; ++e) block[e] *= call_.alpha;
  }
  if (!old_.empty() && old_[i] != nullptr) {
    const T* const old = old_[i];
    for (std::size_t e = 0; e < elements; ++e) block[e] += call_.beta * old[e];
  }
  norms_[i] = norm_of(block, elements);
}

template <class T>
void product_result<T>::accept(multiply_report& report) {
  report.bytes_read += bytes_read_;
  if (is_own_) {
    replace_own_blocks();
    return;
  }
  add_shares(call_, c_, [&] {
    give_shares(call_, c_, part_, pattern_, sums(), report);
    sums_ = {};
  });
}

template <class T>
void product_result<T>::replace_own_blocks() {
  auto* const entries = index_.as<block_entry>();
  T* const elements = sums();
  std::size_t blocks = 0;
  std::size_t kept = 0;
  for (std::size_t row = 0; row < part_.rows.size(); ++row) {
    for (std::size_t i = pattern_.starts[row]; i < pattern_.starts[row + 1]; ++i) {
      if (norms_[i] < call_.options.filter) continue;
      const std::size_t size = pattern_.offsets[i + 1] - pattern_.offsets[i];
      if (kept != pattern_.offsets[i]) {
        std::copy_n(elements + pattern_.offsets[i], size, elements + kept);
      }
      entries[blocks] = {part_.rows[row], part_.columns[pattern_.columns[i]], norms_[i], kept};
      ++blocks;
      kept += size;
    }
  }
  c_.store().become(std::move(index_), blocks, std::move(sums_), kept);
}

template <class T>
void give_shares(const product_call<T>& call, block_matrix<T>& c, const product_part& part,
                 const product_pattern& pattern, T* data, multiply_report& report) {
  for (std::size_t row = 0; row < part.rows.size(); ++row) {
    for (std::size_t i = pattern.starts[row]; i < pattern.starts[row + 1]; ++i) {
      const std::span<T> block(data + pattern.offsets[i],
                               pattern.offsets[i + 1] - pattern.offsets[i]);
      for (T& each : block) each *= call.alpha;
      const std::uint32_t column = part.columns[pattern.columns[i]];
      if (c.distribution().owner(part.rows[row], column) != c.members().rank()) {
        report.bytes_sent += block.size_bytes();
      }
      c.add_block(part.rows[row], column, block, call.where);
    }
  }
}

namespace {

template <class T>
void filter_result(const product_call<T>& call, block_matrix<T>& c) {
  if (call.options.filter <= 0) return;
  c.store().leave_out([&](const block_entry& each) {
    return call.is_inside(each.row, each.column) && each.norm < call.options.filter;
  });
}

}  // namespace

template <class T>
void scale_result(const product_call<T>& call, block_matrix<T>& c) {
  if (call.makes_new()) {
    c.store().leave_out(
        [&](const block_entry& each) { return call.is_inside(each.row, each.column); });
    return;
  }
  c.each_local_block([&](std::size_t row, std::size_t column, const box_span<T, 2>& block) {
    if (!call.is_inside(row, column)) return;
    for (T& each : std::span(block.data(), block.size())) {
      each = call.beta == T{} ? T{} : call.beta * each;
    }
  });
  c.note_changes();
  filter_result(call, c);
}

template <class T>
void take_shares(const product_call<T>& call, block_matrix<T>& c) {
  c.finalise(
      [&](std::size_t row, std::size_t column) -> std::optional<T> {
        if (!call.is_inside(row, column)) return T{1};
        return call.makes_new() ? std::nullopt : std::optional(call.beta);
      },
      call.where);
  filter_result(call, c);
}

#define ACRE_INSTANTIATE(T)                                                                \
  template product_pattern blocks_there(std::span<const block_entry>, const product_part&, \
                                        const block_matrix<T>&);                           \
  template class product_result<T>;                                                        \
  template void scale_result(const product_call<T>&, block_matrix<T>&);                    \
  template void take_shares(const product_call<T>&, block_matrix<T>&);                     \
  template void give_shares(const product_call<T>&, block_matrix<T>&, const product_part&, \
                            const product_pattern&, T*, multiply_report&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre::block_matrices
