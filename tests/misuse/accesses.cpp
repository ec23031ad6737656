// SPDX-License-Identifier: BSD-3-Clause
// Invalid puts, gets, copies and atomic operations. Each yields one error of at most 20 lines,
// which names the parameter in the comment above.
#include <acre/global/memory/atomic_apply.hpp>
#include <acre/global/memory/future_put_get.hpp>

#include <complex>
#include <string>
#include <vector>

namespace {

template <class P, class X>
concept can_put = requires(P p, X x) { acre::put(p, x); };
template <class P, class X>
concept can_get = requires(P p, X x) { acre::get(p, x); };
template <class P>
concept can_add = requires(P p) { acre::fetch_add(p, 1); };
static_assert(can_put<acre::global_ptr<int>, short> &&
              can_put<acre::global_ptr<int>, std::vector<int>>);
static_assert(!can_put<acre::global_ptr<const int>, int> && !can_put<int*, int> &&
              !can_put<acre::global_ptr<int>, std::string>);
static_assert(can_get<acre::global_ptr<const int>, std::vector<int>> &&
              !can_get<acre::global_ptr<int>, std::vector<double>>);
static_assert(can_add<acre::global_ptr<int>> && can_add<acre::global_ptr<short>> &&
              !can_add<int*> && !can_add<acre::global_ptr<bool>>);

void puts(acre::global_ptr<int> p, acre::global_ptr<const int> constant, int* address,
          acre::global_ptr<std::string> text, const std::vector<double>& doubles) {
  // names: write a T, or a span of T: std::span(vector_of_T)
  // expects: values_of_its_elements
  acre::put(p, "1");
  // expects: values_of_its_elements
  acre::put_nbi(p, std::string("1"));
  // expects: values_of_its_elements
  acre::put_async(p, doubles).get();
  // names: give a global_ptr<T>, not <const T>
  // expects: a_global_ptr_to_write
  acre::put(constant, 1);
  // names: give a global_ptr: &a[i], or to_global(pointer)
  // expects: a_global_ptr_to_write
  acre::put(address, 1);
  // expects: a_global_ptr_to_write
  acre::put(*p, 1);
  // names: T is trivially copyable; send others by rpc()
  // expects: a_global_ptr_to_write
  acre::put_async(text, "1").get();
}

void gets(acre::global_ptr<int> p, int* address, acre::global_ptr<std::string> text,
          std::vector<double>& doubles) {
  // names: read into a span of T: std::span(vector_of_T)
  // expects: memory_for_its_elements
  acre::get(p, doubles);
  // expects: memory_for_its_elements
  static_cast<void>(acre::get(p, 3));
  // expects: memory_for_its_elements
  acre::get_async(p, doubles).get();
  // expects: a_global_ptr_to_read
  const int number = acre::get(address);
  // names: T is trivially copyable; fetch others by rpc()
  // expects: a_global_ptr_to_read
  const std::string copy = acre::get(text);
}

void copies(acre::global_ptr<int> p, acre::global_ptr<double> doubles,
            acre::global_ptr<const int> constant, int* address) {
  // names: both are global_ptr<T>: bytes are copied
  // expects: a_global_ptr_to_copy_to
  acre::copy(p, doubles, 3);
  // names: to a global_ptr<T>, not <const T>
  // expects: a_global_ptr_to_copy_to
  acre::copy(p, constant, 3);
  // names: to a global_ptr; get() reads into local memory
  // expects: a_global_ptr_to_copy_to
  acre::copy_async(p, address, 3).get();
  // names: from a global_ptr; put() writes local memory
  // expects: a_global_ptr_to_copy_from
  acre::copy(address, p, 3);
}

void atomics(acre::global_ptr<std::string> text, acre::global_ptr<double> number,
             acre::global_ptr<const int> constant, int* address) {
  // names: T: integers, reals, complex of <= 16 bytes
  // expects: a_global_ptr_to_a_number
  acre::fetch_add(text, 1);
  // expects: a_global_ptr_to_a_number
  acre::fetch_add(address, 1);
  // expects: a_global_ptr_to_a_number
  acre::atomic_add_nbi(constant, 1);
  // expects: a_global_ptr_to_a_number
  acre::fetch_add_async(text, 1).get();
  // names: an operand is a T for a global_ptr<T>
  // expects: a_number_of_its_type
  acre::fetch_max(number, "1");
  // names: T is an integer, not bool
  // expects: a_global_ptr_to_an_integer
  acre::fetch_and(number, 1);
  // expects: a_global_ptr_to_an_integer
  acre::atomic_compare_exchange(number, 1, 2);
}

void atomics_of_complex_numbers(acre::global_ptr<std::complex<double>> number,
                                acre::global_ptr<std::complex<long double>> long_number) {
  // names: T is an integer or floating-point type
  // expects: a_global_ptr_to_a_real_number
  acre::fetch_max(number, 1);
  // expects: a_global_ptr_to_a_number
  acre::fetch_add(long_number, 1);
  // names: T: integers, reals, complex of <= 16 bytes
  // expects: a_global_ptr_to_a_number
  acre::atomic_apply(long_number, acre::atomic_op::sum, 1);
}

void operations_of_other_types(acre::global_ptr<int> integer, acre::global_ptr<double> number) {
  // names: an acre::atomic_op that T has: op, operand
  // expects: an_atomic_op_of_the_type
  acre::atomic_apply(integer, '+', 1);
  // expects: an_atomic_op_of_the_type
  acre::atomic_apply(number, acre::atomic_op::bit_and, 1.0);
  // expects: an_atomic_op_of_the_type
  acre::atomic_apply_nbi(integer, acre::atomic_op::compare_exchange, 1);
}

void conversions(acre::global_ptr<int> p) {
  // expects: to non-scalar type | no viable conversion from
  const acre::global_ptr<double> other = p;
}

}  // namespace
