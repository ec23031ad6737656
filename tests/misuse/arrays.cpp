// SPDX-License-Identifier: BSD-3-Clause
// Invalid calls on arrays and their parts. Each yields one error of at most 20 lines, with the text
// in the comment above.
#include <acre/arrays.hpp>

#include <complex>
#include <list>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace {

struct particle {
  int number;
};

void copies(acre::array<int>& a, acre::array<particle>& particles) {
  std::vector<std::string> texts;
  // expects: use acre::transform(from, to, f) with a converting f
  acre::copy(a, texts);
  // expects: use acre::transform(from, to, f) with a converting f
  acre::copy(a, particles);
  // expects: the elements to copy to are const or computed: pass the container itself
  acre::copy(particles, std::as_const(particles));
  std::list<int> numbers;
  // expects: copies between memory and a distributed range require contiguous elements
  acre::copy(a, numbers);
  std::vector<bool> bits;
  // expects: copies between memory and a distributed range require contiguous elements
  acre::copy(a, bits);
}

void boxes(acre::matrix<int, 2>& m, std::vector<double>& doubles) {
  const acre::box_span<double, 2> here(doubles.data(), {3, 3});
  // expects: copy_async requires boxes of equal dimensions and element type: use acre::copy(from,
  // to)
  acre::copy_async(acre::whole(m), here).wait();
  // expects: copy_async requires boxes of equal dimensions and element type: use acre::copy(from,
  // to)
  acre::copy_async(here, acre::whole(m)).wait();
  // expects: both boxes must have the same number of dimensions
  acre::copy(acre::whole(m), acre::box_span<double, 3>(doubles.data(), {3, 3, 1}));
  // expects: the box to copy to has const elements
  acre::copy(acre::whole(m), acre::box_span<const int, 2>());
}

void copies_that_do_not_wait(acre::array<int>& a, std::vector<double>& doubles) {
  // expects: name the memory, and keep it until the future is ready
  acre::copy_async(std::vector<int>(5), a).wait();
  // expects: name the memory, and keep it until the future is ready
  acre::copy_async(a, std::vector<int>(5)).wait();
  // expects: copy_async does not convert elements: use acre::copy(from, to), which converts them
  acre::copy_async(a, doubles).wait();
  std::vector<int> ints(10);
  // expects: copy_async does not copy computed elements: use acre::copy(from, to)
  acre::copy_async(a | acre::views::transform([](int x) { return x; }), ints).wait();
  // expects: copy_async does not copy computed elements: use acre::copy(from, to)
  acre::copy_async(a | acre::views::transform([](int x) { return x; }), a).wait();
}

int views_of_std(acre::array<int>& a, acre::array<int>& b) {
  const auto square = [](int x) { return x * x; };
  // expects: use acre::views::transform or another of acre::views in place of std::views
  acre::sort(a | std::views::transform(square));
  // expects: use acre::views::transform or another of acre::views in place of std::views
  acre::fill(a | std::views::reverse, 1);
  // expects: use acre::views::transform or another of acre::views in place of std::views
  acre::for_each(a | std::views::filter(square), square);
  // expects: use acre::views::transform or another of acre::views in place of std::views
  acre::copy(a | std::views::take(3) | std::views::reverse, b);
  // expects: use acre::views::transform or another of acre::views in place of std::views
  acre::store_npy("squares.npy", a | std::views::transform(square));
  // expects: use acre::views::transform or another of acre::views in place of std::views
  return acre::reduce_on_all(a | std::views::transform(square));
}

void functions(acre::array<int>& a, const acre::array<int>& constant, acre::array<particle>& p,
               std::vector<int>& memory, acre::matrix<int, 2>& m) {
  // expects: pass a function f(x) of an element: x is T, const T& or, if the range is not
  acre::for_each(a, [](const std::string&) {});
  // expects: pass a function f(x) of an element: x is T, const T& or, if the range is not
  acre::for_each(acre::par, a, [](particle&) {});
  // expects: pass a function f(i, x) of an index and its element
  acre::for_each_with_index(a, [](int&) {});
  // expects: pass a value that converts to the type of the elements
  acre::fill(a, "text");
  // expects: pass a function without parameters that returns the new element
  acre::generate(a, [](int i) { return i; });
  // expects: pass a function of an index that returns the new element
  acre::generate_with_index(a, [](std::size_t) { return std::string(); });
  // expects: write transform(from, to, f) or transform(left, right, to, f)
  acre::transform(a, a, [](const std::string& x) { return x; });
  // expects: write transform(from, to, f) or transform(left, right, to, f)
  acre::transform(a, constant, [](int x) { return x; });
  // expects: write transform(from, to, f) or transform(left, right, to, f)
  acre::transform(a, memory, [](int x) { return x; });
  // expects: pass a function of two elements that returns true if the first precedes the second
  acre::sort(p);
  // expects: pass a function of two elements that returns true if the first precedes the second
  acre::sort(a, [](int x) { return x == 0; });
  // expects: pass a function of two elements that returns true if the first precedes the second
  acre::sort(a, {}, &particle::number);
  // expects: pass a function of two elements that returns true if the first precedes the second
  static_cast<void>(acre::min_element_on_all(p));
  // expects: pass a function of an element that returns a bool
  static_cast<void>(acre::count_if_on_all(a, [](const std::string&) { return true; }));
  // expects: the elements have no operator==, or the value does not convert to their type
  static_cast<void>(acre::find_on_all(p, particle{}));
  // expects: pass an initial value that converts to the elements' type T, and an operation
  static_cast<void>(acre::reduce_on_all(p));
  // expects: pass an initial value of a type T, an operation that combines two T
  static_cast<void>(acre::transform_reduce_on_all(a, 0, acre::op::sum, [](particle) { return 1; }));
  // expects: a scan writes to its range, or to a second one
  acre::inclusive_scan(a, memory);
  // expects: the second argument must be a distributed range whose elements compare
  static_cast<void>(acre::equal_on_all(a, p));
  // expects: write histogram_on_all(range, bins, bin_of) with an integer bin_of(element)
  static_cast<void>(acre::histogram_on_all(p, 3, 0, 1));
  // expects: npy files do not support this element type
  acre::store_npy("particles.npy", p);
  // expects: both must be two-dimensional matrices, or both boxes
  acre::transpose(m, a);
}

void other_ranges(acre::array<int>& a, const acre::array<int>& constant, acre::matrix<int, 2>& m,
                  std::vector<int>& memory) {
  // expects: this is memory of this rank only: pass an acre::array
  acre::fill(memory, 1);
  // expects: pass the range in place of its iterators
  acre::sort(a.begin(), a.end());
  // expects: the elements of this range are const or computed: pass the container itself
  acre::rotate(constant, 1);
  // names: in two dimensions m(i, j) or m[{i, j}]
  // expects: an_index_for_each_dimension
  static_cast<void>(m[1, 2]);
  // expects: an_index_for_each_dimension
  static_cast<void>(m(1));
  // expects: an_index_that_is_an_integer
  static_cast<void>(m(std::string("1"), 2));
}

template <class M>
concept takes_one_index = requires(M m) { m(1); } || requires(M m) { m[1]; };
static_assert(!takes_one_index<acre::matrix<int, 2>> && takes_one_index<acre::matrix<int, 1>> &&
              !takes_one_index<acre::halo<int, 2>>);

void stencils(acre::halo<double, 2>& h, acre::halo_matrix<double, 2>& m, acre::halo<double, 3>& h3,
              acre::halo_matrix<double, 3>& m3) {
  // expects: pass one offset for each dimension of the matrix: u(-1, 0) in two dimensions
  acre::stencil(h, m, [](auto u) { return u(-1); });
  // expects: pass one offset for each dimension of the matrix: u(-1, 0) in two dimensions
  acre::stencil_with_update(h3, m3, [](auto u) { return u(-1, 0) + u(1, 0); });
  // expects: f(point) must return the new element of the written matrix
  acre::stencil(h, m, [](auto u) { return std::to_string(*u); });
}

void elements(const acre::team& team) {
  // expects: For text use an acre::text_array, std::array<char, N> or an acre::hash_map
  const acre::array<std::string> names(team, 10);
  // expects: ranks read and write the elements of a matrix<T, N> as bytes
  const acre::matrix<std::vector<int>, 2> rows(team, {10, 10});
  // expects: ranks read and write the elements of a hosted_array<T> as bytes
  const acre::hosted_array<std::string> hosted(team, {}, 10);
  // expects: ranks read and write the elements of a symmetric_array<T> as bytes
  const acre::symmetric_array<std::string> symmetric(team, 10);
}

void constructors(const acre::team& team, const std::vector<int>& memory) {
  // names: array(team, size), matrix(team, {rows, columns})
  // expects: the_team_before_the_size
  const acre::array<int> numbers(10, team);
  // expects: the_team_before_the_size
  const acre::matrix<int, 2> rows({10, 10}, team);
  // names: array(team, size), then acre::copy(from, array)
  // expects: a_size_after_the_team
  const acre::array<int> copy(team, memory);
  // names: [](std::size_t i) { return T(...); }
  // expects: an_element_or_a_function_of_its_index<
  const acre::array<int> texts(team, 10, "1");
  // names: matrix<T, 2>(team, {rows, columns})
  // expects: an_extent_for_each_dimension
  const acre::matrix<int, 2> two(team, 10, 10);
  // expects: an_extent_for_each_dimension
  const acre::matrix<int, 2> three(team, {10, 10, 10});
  // names: [](std::size_t i, std::size_t j) {}
  // expects: an_element_or_a_function_of_its_indices
  const acre::matrix<int, 2> made(team, {10, 10}, [](int i) { return i; });
  // expects: the_team_before_the_size
  const acre::coarray<int> image(3, team);
}

void missing_arguments(const acre::team& team, acre::array<int>& a, acre::matrix<double, 2>& m) {
  // names: write copy(from, to)
  // expects: two_ranges
  acre::copy(a);
  // names: copy to a range, or a std::span of memory
  // expects: a_range_or_memory_to_copy_to
  acre::copy(a, 3);
  // names: write rotate(range, by)
  // expects: a_range_and_a_number
  acre::rotate(a);
  // names: write transpose(from, to)
  // expects: a_matrix_to_write_to
  acre::transpose(m);
  // names: write multiply(a, b, c), multiply_add(a, b, c)
  // expects: a_matrix_for_the_product
  acre::multiply(m, m);
  // names: write store_npy(name, range)
  // expects: the_name_before_the_range
  acre::store_npy(a, "a.npy");
  // names: load_npy<double, 2>(team, name)
  // expects: the_type_and_the_number_of_dimensions
  acre::load_npy("a.npy");
  // expects: the_type_and_the_number_of_dimensions
  acre::load_npy<double>(team, "a.npy");
  // names: range | strided(2), or strided(range, 2)
  // expects: a_step_that_is_an_integer
  acre::views::strided("2");
  // names: *p = x and a[i] = x take an x that is converted to T
  // expects: operator=(X&&) | overload resolution selected deleted operator '='
  a[0] = "1";
}

void sums(acre::array<int>& a, acre::array<std::complex<double>>& c, acre::array<double>& d) {
  const auto square = [](double x) { return x * x; };
  // expects: dot_on_all multiplies floats, or doubles, with elements of the same type
  static_cast<void>(acre::dot_on_all(a, a));
  // expects: dot_on_all multiplies floats, or doubles, with elements of the same type
  static_cast<void>(acre::dot_on_all(d, a, acre::op::reproducible_sum));
  // expects: norm_on_all takes floats or doubles
  static_cast<void>(acre::norm_on_all(c));
  // expects: pass an initial value that converts to the elements' type T, and an operation
  static_cast<void>(acre::reduce_on_all(a, 0, acre::op::reproducible_sum));
  // expects: pass an initial value of a type T, an operation that combines two T
  static_cast<void>(acre::transform_reduce_on_all(d, 0, acre::op::reproducible_sum, square));
  // expects: acre::op::sum, which also adds acre::reproducible_sum<T>
  static_cast<void>(acre::world().allreduce(1, acre::op::reproducible_sum));
  // expects: acre::op::sum, which also adds acre::reproducible_sum<T>
  static_cast<void>(acre::world().inclusive_scan(0.5, acre::op::reproducible_sum));
}

}  // namespace
