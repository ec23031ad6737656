// Algorithms whose loops run over elements and indices of all kinds, in programs that are compiled
// with warnings of conversions.
#include <acre/algorithm/policy.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/array/array.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>

namespace {

template <class R>
void look(const R& range) {
  static_cast<void>(acre::min_element_on_all(range));
  static_cast<void>(acre::minmax_element_on_all(range));
  static_cast<void>(acre::reduce_on_all(range));
  static_cast<void>(acre::reduce_on_all(acre::par, range));
}

[[maybe_unused]] void of_short_elements(acre::array<short>& a) {
  look(a);
  look(a | acre::views::strided(2));
  look(a | acre::views::transform([](short x) { return static_cast<short>(-x); }));
  acre::inclusive_scan(a);
  acre::exclusive_scan(a);
}

}  // namespace
