// Merges of sorted runs in plain memory, stable: of equal elements those of the earlier run come
// first.
//
// Which of two runs the next element comes from is as hard to foresee as a coin; so the loops
// choose by arithmetic, and go without branches.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace acre::detail {

/// Room for elements that are copied as their bytes; not initialised.
template <class T>
class plain_buffer {
 public:
  plain_buffer() = default;
  explicit plain_buffer(std::size_t count)
      : elements_(std::allocator<T>().allocate(count), deleter{count}), count_(count) {}

  [[nodiscard]] T* data() const noexcept { return elements_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::span<T> span() const noexcept { return {data(), count_}; }

 private:
  struct deleter {
    std::size_t count = 0;
    void operator()(T* elements) const noexcept { std::allocator<T>().deallocate(elements, count); }
  };
  std::unique_ptr<T, deleter> elements_;
  std::size_t count_ = 0;
};

template <class T>
void move_elements(T* to, std::span<const T> from) noexcept {
  if (to != from.data() && !from.empty()) std::memmove(to, from.data(), from.size_bytes());
}

/// An order of elements: less(projection(a), projection(b)).
template <class Less, class Projection>
struct projected_order {
  const Less& less;
  const Projection& projection;

  template <class T>
  [[nodiscard]] bool operator()(const T& a, const T& b) const {
    return std::invoke(less, std::invoke(projection, a), std::invoke(projection, b));
  }
};

/// From the first elements on. The later run may lie at the end of the target.
template <class T, class Before>
void merge_from_front(std::span<const T> earlier, std::span<const T> later, T* target,
                      const Before& before) {
  const T* a = earlier.data();
  const T* const a_end = a + earlier.size();
  const T* b = later.data();
  const T* const b_end = b + later.size();
  while (a != a_end && b != b_end) {
    const bool takes_later = before(*b, *a);
    std::memcpy(target++, takes_later ? b : a, sizeof(T));
    b += takes_later ? 1 : 0;
    a += takes_later ? 0 : 1;
  }
  move_elements(target, std::span<const T>(a, a_end));
  move_elements(target + (a_end - a), std::span<const T>(b, b_end));
}

/// From the last elements on. The earlier run may lie at the beginning of the target.
template <class T, class Before>
void merge_from_back(std::span<const T> earlier, std::span<const T> later, T* target,
                     const Before& before) {
  const T* const a = earlier.data();
  const T* a_end = a + earlier.size();
  const T* const b = later.data();
  const T* b_end = b + later.size();
  T* end = target + earlier.size() + later.size();
  while (a != a_end && b != b_end) {
    const bool takes_earlier = before(b_end[-1], a_end[-1]);
    std::memcpy(--end, takes_earlier ? a_end - 1 : b_end - 1, sizeof(T));
    a_end -= takes_earlier ? 1 : 0;
    b_end -= takes_earlier ? 0 : 1;
  }
  move_elements(target + (a_end - a), std::span<const T>(b, b_end));
  move_elements(target, std::span<const T>(a, a_end));
}

/// Merges runs that lie one after the other, two and two, as often as it takes.
/// @param ends     of the runs in `source`
/// @param source   scratch afterwards
/// @param target   of the same size
template <class T, class Before>
void merge_runs(std::vector<std::size_t> ends, std::span<T> source, std::span<T> target,
                const Before& before) {
  std::span<T> from = source;
  std::span<T> to = target;
  while (ends.size() > 1) {
    std::vector<std::size_t> merged;
    std::size_t first = 0;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      const std::size_t middle = ends[i];
      const std::size_t last = i + 1 < ends.size() ? ends[i + 1] : middle;
      merge_from_front<T>(from.subspan(first, middle - first), from.subspan(middle, last - middle),
                          to.data() + first, before);
      merged.push_back(last);
      first = last;
    }
    ends = std::move(merged);
    std::swap(from, to);
  }
  move_elements<T>(target.data(), from);
}

}  // namespace acre::detail
