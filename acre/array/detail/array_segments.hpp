// SPDX-License-Identifier: BSD-3-Clause
// Segments and local runs of a part of an array.
#pragma once

#include <acre/array/detail/array_memory.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/layout/runs.hpp>
#include <acre/layout/segments.hpp>
#include <acre/view/global_span.hpp>

#include <cstddef>
#include <iterator>
#include <span>

namespace acre::arrays {

/// Must outlive its iterators.
template <class T, class Kind>
class array_segments {
  using walk = layout::segments<typename Kind::pattern>;

 public:
  class iterator {
   public:
    using value_type = global_span<T>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;

    iterator() = default;
    iterator(const array_memory<Kind>* elements, typename walk::iterator at) noexcept
        : elements_(elements), at_(at) {}

    [[nodiscard]] global_span<T> operator*() const noexcept {
      const auto [member, offset, count] = *at_;
      const layout::place first{.member = member, .offset = offset};
      return {elements_->template pointer<T>(first), count};
    }
    iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      ++*this;
      return before;
    }
    [[nodiscard]] std::size_t index() const noexcept { return at_.index(); }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.at_ == b.at_; }

   private:
    const array_memory<Kind>* elements_ = nullptr;
    typename walk::iterator at_;
  };

  array_segments(const array_memory<Kind>* elements, std::size_t first, std::size_t last) noexcept
      : elements_(elements), walk_(elements->pattern(), first, last) {}

  [[nodiscard]] iterator begin() const noexcept { return {elements_, walk_.begin()}; }
  [[nodiscard]] iterator end() const noexcept { return {elements_, walk_.end()}; }

 private:
  const array_memory<Kind>* elements_;
  walk walk_;
};

template <class T, class Kind, class F>
void each_own_run(const array_memory<Kind>& elements, std::size_t first, std::size_t last, F&& f) {
  layout::each_run(elements.pattern(), elements.members().rank(), first, last,
                   [&](std::size_t index, const layout::segment& run) {
                     f(index, std::span<T>(elements.template own<T>() + run.offset, run.count));
                   });
}

}  // namespace acre::arrays
