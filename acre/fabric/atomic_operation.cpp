// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/atomic_operation.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <tuple>
#include <utility>

namespace acre::fabric {
namespace {

/// In the order of atomic_type.
using executed_types = std::tuple<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
                                  double, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                  std::complex<float>, std::complex<double>, long double>;

using executor = wide_word (*)(void* where, wide_word operand, wide_word expected);

template <atomic_operation Operation, class T>
wide_word execute(void* where, wide_word operand, wide_word expected) {
  const auto before =
      to_word(apply_atomic<Operation>(static_cast<T*>(where), from_word<T>(operand),
                                      from_word<T>(expected), std::memory_order_seq_cst));
  if constexpr (is_wide<T>) {
    return before;
  } else {
    return {before, 0};
  }
}

template <class T, std::size_t... Operation>
constexpr std::array<executor, atomic_operation_count> row(std::index_sequence<Operation...>) {
  return {[] {
    constexpr auto operation = static_cast<atomic_operation>(Operation);
    if constexpr (is_defined<operation, T>()) {
      return executor(&execute<operation, T>);
    } else {
      return executor(nullptr);
    }
  }()...};
}
template <std::size_t... Type>
constexpr auto rows(std::index_sequence<Type...>) {
  static_assert(((atomic_type_of<std::tuple_element_t<Type, executed_types>>() ==
                  static_cast<atomic_type>(Type)) &&
                 ...));
  static_assert(((size_of(static_cast<atomic_type>(Type)) ==
                  sizeof(std::tuple_element_t<Type, executed_types>)) &&
                 ...));
  return std::array{row<std::tuple_element_t<Type, executed_types>>(
      std::make_index_sequence<atomic_operation_count>())...};
}

constexpr auto executors = rows(std::make_index_sequence<atomic_type_count>());

executor find_executor(atomic_operation operation, atomic_type type) noexcept {
  const auto row = static_cast<std::size_t>(type);
  const auto column = static_cast<std::size_t>(operation);
  return row < executors.size() && column < atomic_operation_count ? executors[row][column]
                                                                   : nullptr;
}

}  // namespace

bool is_defined(atomic_operation operation, atomic_type type) noexcept {
  return find_executor(operation, type) != nullptr;
}

bool apply_atomic(atomic_operation operation, atomic_type type, void* where, wide_word operand,
                  wide_word expected, wide_word& before) {
  const executor execute = find_executor(operation, type);
  if (execute == nullptr) return false;
  before = execute(where, operand, expected);
  return true;
}

}  // namespace acre::fabric
