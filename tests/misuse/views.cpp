// Views that do not fit what is asked of them, and what the compiler says: one error each, whose
// text is in the comment above, and the concept that it names.
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/sort.hpp>
#include <acre/array/array.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>

#include <utility>

namespace {

void algorithms(acre::array<int>& a) {
  // says: no matching function for call to
  // names: writable_range
  acre::fill(a | acre::views::transform([](int x) { return x * x; }), 0);
  // says: no matching function for call to
  // names: memory_range
  acre::sort(a | acre::views::strided(2));
  // says: no matching function for call to
  // names: own_reference_of
  acre::for_each(std::as_const(a), [](int& x) { ++x; });
}

void views() {
  // says: no matching function for call to
  // names: borrowed_range
  static_cast<void>(acre::views::strided(acre::array<int>(3), 2));
}

}  // namespace
