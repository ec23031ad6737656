// What compilers say where an algorithm is given one of std's views of a distributed range that
// hides where its elements are: std::views::transform, filter, reverse. (take, drop, counted and
// subrange keep the range's iterators, and are distributed ranges themselves.)
#pragma once

#include <acre/global/shared_future.hpp>
#include <acre/view/ranges.hpp>

#include <type_traits>
#include <utility>

namespace acre::detail {

template <class R>
struct hides_segments_of {
  static constexpr bool value = false;
};
/// A view whose base is a distributed range, and which is none.
template <class R>
concept hides_segments = hides_segments_of<std::remove_cvref_t<R>>::value;
template <class R>
  requires(!ranges::distributed_range<R>) && requires(const R& r) { r.base(); }
struct hides_segments_of<R> {
  using base = std::remove_cvref_t<decltype(std::declval<const R&>().base())>;
  static constexpr bool value = ranges::distributed_range<base> || hides_segments<base>;
};

/// What such a call returns: whatever is made of it.
struct refused {
  template <class T>
  operator T() const;
};

}  // namespace acre::detail

namespace acre {

#define ACRE_REFUSE_VIEWS_OF_STD(algorithm, result)                                            \
  template <class... Arguments>                                                                \
    requires(detail::hides_segments<Arguments> || ...)                                         \
  result algorithm(Arguments&&...) {                                                           \
    constexpr bool keeps_segments = !(detail::hides_segments<Arguments> || ...);               \
    static_assert(keeps_segments,                                                              \
                  "a view of std's hides where the elements are: take acre::views::transform " \
                  "or another one of acre::views in place of std::views");                     \
    __builtin_unreachable();                                                                   \
  }

ACRE_REFUSE_VIEWS_OF_STD(all_of_on_all, bool)
ACRE_REFUSE_VIEWS_OF_STD(any_of_on_all, bool)
ACRE_REFUSE_VIEWS_OF_STD(copy, void)
ACRE_REFUSE_VIEWS_OF_STD(copy_async, shared_future<>)
ACRE_REFUSE_VIEWS_OF_STD(count_if_on, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(count_if_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(count_on, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(count_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(equal_on_all, bool)
ACRE_REFUSE_VIEWS_OF_STD(exclusive_scan, void)
ACRE_REFUSE_VIEWS_OF_STD(fill, void)
ACRE_REFUSE_VIEWS_OF_STD(find_if_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(find_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(for_each, void)
ACRE_REFUSE_VIEWS_OF_STD(for_each_with_index, void)
ACRE_REFUSE_VIEWS_OF_STD(generate, void)
ACRE_REFUSE_VIEWS_OF_STD(generate_with_index, void)
ACRE_REFUSE_VIEWS_OF_STD(histogram_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(inclusive_scan, void)
ACRE_REFUSE_VIEWS_OF_STD(is_sorted_on_all, bool)
ACRE_REFUSE_VIEWS_OF_STD(load_npy, void)
ACRE_REFUSE_VIEWS_OF_STD(max_element_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(min_element_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(minmax_element_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(mismatch_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(none_of_on_all, bool)
ACRE_REFUSE_VIEWS_OF_STD(reduce_on, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(reduce_on_all, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(reverse, void)
ACRE_REFUSE_VIEWS_OF_STD(rotate, void)
ACRE_REFUSE_VIEWS_OF_STD(sort, void)
ACRE_REFUSE_VIEWS_OF_STD(stable_sort, void)
ACRE_REFUSE_VIEWS_OF_STD(store_npy, void)
ACRE_REFUSE_VIEWS_OF_STD(transform, void)
ACRE_REFUSE_VIEWS_OF_STD(transform_reduce_on, detail::refused)
ACRE_REFUSE_VIEWS_OF_STD(transform_reduce_on_all, detail::refused)

#undef ACRE_REFUSE_VIEWS_OF_STD

}  // namespace acre
