// SPDX-License-Identifier: BSD-3-Clause
// Calls on arrays and their parts that do not compile, and what the compiler says: one error each,
// whose text is in the comment above, in at most 20 lines.
#include <acre/arrays.hpp>

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
  // says: take acre::transform(from, to, f), where f makes them
  acre::copy(a, texts);
  // says: take acre::transform(from, to, f), where f makes them
  acre::copy(a, particles);
  // says: the elements that are copied to are const, or computed: give the container itself
  acre::copy(particles, std::as_const(particles));
  std::list<int> numbers;
  // says: what is copied from or to a distributed range is memory without gaps
  acre::copy(a, numbers);
  std::vector<bool> bits;
  // says: what is copied from or to a distributed range is memory without gaps
  acre::copy(a, bits);
}

void boxes(acre::matrix<int, 2>& m, std::vector<double>& doubles) {
  const acre::box_span<double, 2> here(doubles.data(), {3, 3});
  // says: to one of as many dimensions whose elements are of the same type: acre::copy(from, to)
  acre::copy_async(acre::whole(m), here).wait();
  // says: to one of as many dimensions whose elements are of the same type: acre::copy(from, to)
  acre::copy_async(here, acre::whole(m)).wait();
  // says: boxes of as many dimensions are copied to each other
  acre::copy(acre::whole(m), acre::box_span<double, 3>(doubles.data(), {3, 3, 1}));
  // says: a box of const elements is not copied to
  acre::copy(acre::whole(m), acre::box_span<const int, 2>());
}

void copies_that_do_not_wait(acre::array<int>& a, std::vector<double>& doubles) {
  // says: give the memory a name, and keep it until the future is ready
  acre::copy_async(std::vector<int>(5), a).wait();
  // says: give the memory a name, and keep it until the future is ready
  acre::copy_async(a, std::vector<int>(5)).wait();
  // says: elements are copied as they are: acre::copy(from, to) converts them, and waits
  acre::copy_async(a, doubles).wait();
  // says: in which all members take part, wait: acre::copy(from, to)
  acre::copy_async(a, a).wait();
  std::vector<int> ints(10);
  // says: acre::copy(from, to) reads views that compute their elements, and waits
  acre::copy_async(a | acre::views::transform([](int x) { return x; }), ints).wait();
}

int views_of_std(acre::array<int>& a, acre::array<int>& b) {
  const auto square = [](int x) { return x * x; };
  // says: take acre::views::transform or another one of acre::views in place of std::views
  acre::sort(a | std::views::transform(square));
  // says: take acre::views::transform or another one of acre::views in place of std::views
  acre::fill(a | std::views::reverse, 1);
  // says: take acre::views::transform or another one of acre::views in place of std::views
  acre::for_each(a | std::views::filter(square), square);
  // says: take acre::views::transform or another one of acre::views in place of std::views
  acre::copy(a | std::views::take(3) | std::views::reverse, b);
  // says: take acre::views::transform or another one of acre::views in place of std::views
  acre::store_npy("squares.npy", a | std::views::transform(square));
  // says: take acre::views::transform or another one of acre::views in place of std::views
  return acre::reduce_on_all(a | std::views::transform(square));
}

void functions(acre::array<int>& a, const acre::array<int>& constant, acre::array<particle>& p,
               std::vector<int>& memory, acre::matrix<int, 2>& m) {
  // says: give a function of an element, f(x): it takes T, const T& or, where the range is not
  acre::for_each(a, [](const std::string&) {});
  // says: give a function of an element, f(x): it takes T, const T& or, where the range is not
  acre::for_each(acre::par, a, [](particle&) {});
  // says: give a function of an index and its element, f(i, x)
  acre::for_each_with_index(a, [](int&) {});
  // says: give a value that is converted to the elements
  acre::fill(a, "text");
  // says: give a function without parameters that returns what an element becomes
  acre::generate(a, [](int i) { return i; });
  // says: give a function of an index that returns what its element becomes
  acre::generate_with_index(a, [](std::size_t) { return std::string(); });
  // says: write transform(from, to, f) or transform(left, right, to, f)
  acre::transform(a, a, [](const std::string& x) { return x; });
  // says: write transform(from, to, f) or transform(left, right, to, f)
  acre::transform(a, constant, [](int x) { return x; });
  // says: write transform(from, to, f) or transform(left, right, to, f)
  acre::transform(a, memory, [](int x) { return x; });
  // says: give a function of two elements that says whether the one comes before the other
  acre::sort(p);
  // says: give a function of two elements that says whether the one comes before the other
  acre::sort(a, [](int x) { return x == 0; });
  // says: give a function of two elements that says whether the one comes before the other
  acre::sort(a, {}, &particle::number);
  // says: give a function of two elements that says whether the one comes before the other
  static_cast<void>(acre::min_element_on_all(p));
  // says: give a function of an element that returns a bool
  static_cast<void>(acre::count_if_on_all(a, [](const std::string&) { return true; }));
  // says: the elements have no operator==, or the value is not converted to their type
  static_cast<void>(acre::find_on_all(p, particle{}));
  // says: give an initial value that is converted to the elements' type T, and an operation
  static_cast<void>(acre::reduce_on_all(p));
  // says: give an initial value of a type T, an operation that combines two of T
  static_cast<void>(acre::transform_reduce_on_all(a, 0, acre::op::sum, [](particle) { return 1; }));
  // says: a scan writes to its range, or to a second one
  acre::inclusive_scan(a, memory);
  // says: the second is a distributed range, too, whose elements are compared
  static_cast<void>(acre::equal_on_all(a, p));
  // says: write histogram_on_all(range, bins, bin_of), where bin_of(element) is an integer
  static_cast<void>(acre::histogram_on_all(p, 3, 0, 1));
  // says: npy files have no such elements
  acre::store_npy("particles.npy", p);
  // says: both are matrices, or both boxes of matrices
  acre::transpose(m, a);
}

void other_ranges(acre::array<int>& a, const acre::array<int>& constant, acre::matrix<int, 2>& m,
                  std::vector<int>& memory) {
  // says: this is memory of this rank alone: give an acre::array
  acre::fill(memory, 1);
  // says: give the range in place of its iterators
  acre::sort(a.begin(), a.end());
  // says: the elements of this range are const, or computed: give the container itself
  acre::rotate(constant, 1);
  // names: in two dimensions m(i, j) or m[{i, j}]
  // says: an_index_for_each_dimension
  static_cast<void>(m[1, 2]);
  // says: an_index_for_each_dimension
  static_cast<void>(m(1));
  // says: an_index_that_is_an_integer
  static_cast<void>(m(std::string("1"), 2));
}

template <class M>
concept takes_one_index = requires(M m) { m(1); } || requires(M m) { m[1]; };
static_assert(!takes_one_index<acre::matrix<int, 2>> && takes_one_index<acre::matrix<int, 1>> &&
              !takes_one_index<acre::halo<int, 2>>);

void stencils(acre::halo<double, 2>& h, acre::halo_matrix<double, 2>& m, acre::halo<double, 3>& h3,
              acre::halo_matrix<double, 3>& m3) {
  // says: give an offset for each dimension of the matrix: u(-1, 0) in two dimensions
  acre::stencil(h, m, [](auto u) { return u(-1); });
  // says: give an offset for each dimension of the matrix: u(-1, 0) in two dimensions
  acre::stencil_with_update(h3, m3, [](auto u) { return u(-1, 0) + u(1, 0); });
  // says: f(point) returns what an element of the written matrix becomes
  acre::stencil(h, m, [](auto u) { return std::to_string(*u); });
}

void elements(const acre::team& team) {
  // says: ranks read and write the elements of an array<T> as bytes
  const acre::array<std::string> names(team, 10);
  // says: ranks read and write the elements of a matrix<T, N> as bytes
  const acre::matrix<std::vector<int>, 2> rows(team, {10, 10});
  // says: ranks read and write the elements of a hosted_array<T> as bytes
  const acre::hosted_array<std::string> hosted(team, {}, 10);
  // says: ranks read and write the elements of a symmetric_array<T> as bytes
  const acre::symmetric_array<std::string> symmetric(team, 10);
}

void constructors(const acre::team& team, const std::vector<int>& memory) {
  // names: array(team, size), matrix(team, {rows, columns})
  // says: the_team_before_the_size
  const acre::array<int> numbers(10, team);
  // says: the_team_before_the_size
  const acre::matrix<int, 2> rows({10, 10}, team);
  // names: array(team, size), then acre::copy(from, array)
  // says: a_size_after_the_team
  const acre::array<int> copy(team, memory);
  // names: [](std::size_t i) { return T(...); }
  // says: an_element_or_a_function_of_its_index<
  const acre::array<int> texts(team, 10, "1");
  // names: matrix<T, 2>(team, {rows, columns})
  // says: an_extent_for_each_dimension
  const acre::matrix<int, 2> two(team, 10, 10);
  // says: an_extent_for_each_dimension
  const acre::matrix<int, 2> three(team, {10, 10, 10});
  // names: [](std::size_t i, std::size_t j) {}
  // says: an_element_or_a_function_of_its_indices
  const acre::matrix<int, 2> made(team, {10, 10}, [](int i) { return i; });
  // says: the_team_before_the_size
  const acre::coarray<int> image(3, team);
}

void missing_arguments(const acre::team& team, acre::array<int>& a, acre::matrix<double, 2>& m) {
  // names: write copy(from, to)
  // says: two_ranges
  acre::copy(a);
  // names: copy to a range, or a std::span of memory
  // says: a_range_or_memory_to_copy_to
  acre::copy(a, 3);
  // names: write rotate(range, by)
  // says: a_range_and_a_number
  acre::rotate(a);
  // names: write transpose(from, to)
  // says: a_matrix_to_write_to
  acre::transpose(m);
  // names: write multiply(a, b, c), multiply_add(a, b, c)
  // says: a_matrix_for_the_product
  acre::multiply(m, m);
  // names: write store_npy(name, range)
  // says: the_name_before_the_range
  acre::store_npy(a, "a.npy");
  // names: load_npy<double, 2>(team, name)
  // says: the_type_and_the_number_of_dimensions
  acre::load_npy("a.npy");
  // says: the_type_and_the_number_of_dimensions
  acre::load_npy<double>(team, "a.npy");
  // names: range | strided(2), or strided(range, 2)
  // says: a_step_that_is_an_integer
  acre::views::strided("2");
  // names: *p = x and a[i] = x take an x that is converted to T
  // says: operator=(X&&) | overload resolution selected deleted operator '='
  a[0] = "1";
}

}  // namespace
