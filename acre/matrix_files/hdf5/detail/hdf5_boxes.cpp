// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/hdf5/detail/hdf5_boxes.hpp>

#include <functional>
#include <numeric>
#include <utility>

namespace acre::matrix_files {
namespace {

std::vector<std::size_t> strides_of(std::span<const std::size_t> extents) {
  std::vector<std::size_t> strides(extents.size(), 1);
  for (std::size_t d = extents.size(); d-- > 1;) strides[d - 1] = strides[d] * extents[d];
  return strides;
}

}  // namespace

std::size_t elements_in(std::span<const std::size_t> extents) noexcept {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

box_in_file::box_in_file(std::span<const std::size_t> array, std::span<const std::size_t> first,
                         std::span<const std::size_t> box)
    : first_(first.begin(), first.end()),
      extents_(box.begin(), box.end()),
      strides_(strides_of(array)) {
  // A contiguous run spans all completely covered dimensions.
  std::size_t d = extents_.size();
  while (d > 0) {
    --d;
    run_ *= extents_[d];
    outer_ = d;
    if (extents_[d] != array[d]) break;
  }
  run_ = std::max(run_, std::size_t{1});
}

std::size_t box_in_file::number_of_run(std::size_t run) const noexcept {
  std::size_t number = extents_.empty() ? 0 : first_[outer_] * strides_[outer_];
  for (std::size_t d = outer_; d-- > 0;) {
    number += (first_[d] + run % extents_[d]) * strides_[d];
    run /= extents_[d];
  }
  return number;
}

merged_boxes::merged_boxes(coordinates extents)
    : extents_(std::move(extents)), strides_(strides_of(extents_)) {}

void merged_boxes::add(std::size_t index, std::size_t count) {
  while (count != 0) {
    // Largest piece from here: indices of dimension d, inner dimensions complete.
    std::size_t d = 0;
    while (index % strides_[d] != 0 || count < strides_[d]) ++d;
    part piece{coordinates(extents_.size()), coordinates(extents_.size(), 1)};
    std::size_t rest = index;
    for (std::size_t each = 0; each < extents_.size(); ++each) {
      piece.first[each] = rest / strides_[each];
      rest %= strides_[each];
      if (each > d) piece.extents[each] = extents_[each];
    }
    piece.extents[d] = std::min(count / strides_[d], extents_[d] - piece.first[d]);
    const std::size_t elements = piece.extents[d] * strides_[d];
    index += elements;
    count -= elements;
    push(std::move(piece));
  }
}

void merged_boxes::push(part&& added) {
  parts_.push_back(std::move(added));
  while (parts_.size() > 1 && merge(parts_[parts_.size() - 2], parts_.back())) parts_.pop_back();
}

bool merged_boxes::merge(part& last, const part& added) {
  std::size_t d = 0;
  while (d < last.first.size() && last.first[d] == added.first[d]) ++d;
  if (d == last.first.size() || last.first[d] + last.extents[d] != added.first[d]) return false;
  for (std::size_t each = 0; each < last.first.size(); ++each) {
    if (each < d && (last.extents[each] != 1 || added.extents[each] != 1)) return false;
    if (each > d &&
        (last.first[each] != added.first[each] || last.extents[each] != added.extents[each])) {
      return false;
    }
  }
  last.extents[d] += added.extents[d];
  return true;
}

}  // namespace acre::matrix_files
