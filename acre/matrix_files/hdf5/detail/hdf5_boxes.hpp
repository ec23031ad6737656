// SPDX-License-Identifier: BSD-3-Clause
// Contiguous runs of a box in a row-major array, and boxes that cover runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::matrix_files {

[[nodiscard]] std::size_t elements_in(std::span<const std::size_t> extents) noexcept;

class box_in_file {
 public:
  box_in_file() = default;
  box_in_file(std::span<const std::size_t> array, std::span<const std::size_t> first,
              std::span<const std::size_t> box);

  [[nodiscard]] const std::vector<std::size_t>& first() const noexcept { return first_; }
  [[nodiscard]] const std::vector<std::size_t>& extents() const noexcept { return extents_; }

  /// Calls f(array element, its count) per contiguous run of the `count` box elements from `index`.
  template <class F>
  void each_run(std::size_t index, std::size_t count, F&& f) const {
    while (count != 0) {
      const std::size_t block = index / run_;
      const std::size_t inside = index - block * run_;
      const std::size_t length = std::min(count, run_ - inside);
      f(number_of_run(block) + inside, length);
      index += length;
      count -= length;
    }
  }

 private:
  [[nodiscard]] std::size_t number_of_run(std::size_t run) const noexcept;

  std::vector<std::size_t> first_;
  std::vector<std::size_t> extents_;
  std::vector<std::size_t> strides_;
  std::size_t outer_ = 0;
  std::size_t run_ = 1;
};

class merged_boxes {
 public:
  using coordinates = std::vector<std::size_t>;

  explicit merged_boxes(coordinates extents);

  /// @param index  not before the last run's end
  void add(std::size_t index, std::size_t count);
  /// Calls f(first, extents) in order; at most `most` elements each.
  template <class F>
  void each_part(std::size_t most, F&& f) const {
    for (const part& each : parts_) cut(each, most, f);
  }

 private:
  struct part {
    coordinates first;
    coordinates extents;
  };

  void push(part&& added);
  static bool merge(part& last, const part& added);
  template <class F>
  static void cut(const part& whole, std::size_t most, F& f);

  coordinates extents_;
  coordinates strides_;
  std::vector<part> parts_;
};

template <class F>
void merged_boxes::cut(const part& whole, std::size_t most, F& f) {
  const auto cut_at = std::ranges::find_if(whole.extents, [](std::size_t n) { return n != 1; });
  const std::size_t elements = elements_in(whole.extents);
  if (elements <= most || cut_at == whole.extents.end()) {
    f(whole.first, whole.extents);
    return;
  }
  // Cuts of other dimensions would change the element order.
  const auto d = static_cast<std::size_t>(cut_at - whole.extents.begin());
  const std::size_t thick = std::max(most / (elements / *cut_at), std::size_t{1});
  for (std::size_t done = 0; done < *cut_at; done += thick) {
    part slice = whole;
    slice.first[d] += done;
    slice.extents[d] = std::min(thick, *cut_at - done);
    cut(slice, most, f);
  }
}

}  // namespace acre::matrix_files
