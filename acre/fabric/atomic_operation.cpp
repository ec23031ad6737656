// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/atomic_operation.hpp>

namespace acre::fabric {
namespace {

template <atomic_operation Operation, class T>
word execute(void* where, word operand, word expected) noexcept {
  return to_word(apply_atomic<Operation>(static_cast<T*>(where), from_word<T>(operand),
                                         from_word<T>(expected), std::memory_order_seq_cst));
}

template <class T>
bool dispatch(atomic_operation operation, void* where, word operand, word expected,
              word& before) noexcept {
  using enum atomic_operation;
  switch (operation) {
    case load:
      before = execute<load, T>(where, operand, expected);
      return true;
    case store:
      before = execute<store, T>(where, operand, expected);
      return true;
    case exchange:
      before = execute<exchange, T>(where, operand, expected);
      return true;
    case compare_exchange:
      before = execute<compare_exchange, T>(where, operand, expected);
      return true;
    case add:
      before = execute<add, T>(where, operand, expected);
      return true;
    case min:
      before = execute<min, T>(where, operand, expected);
      return true;
    case max:
      before = execute<max, T>(where, operand, expected);
      return true;
    default:
      break;
  }
  if constexpr (atomic_integer<T>) {
    switch (operation) {
      case bit_and:
        before = execute<bit_and, T>(where, operand, expected);
        return true;
      case bit_or:
        before = execute<bit_or, T>(where, operand, expected);
        return true;
      case bit_xor:
        before = execute<bit_xor, T>(where, operand, expected);
        return true;
      default:
        break;
    }
  }
  return false;
}

}  // namespace

bool apply_atomic(atomic_operation operation, atomic_type type, void* where, word operand,
                  word expected, word& before) noexcept {
  using enum atomic_type;
  switch (type) {
    case int32:
      return dispatch<std::int32_t>(operation, where, operand, expected, before);
    case uint32:
      return dispatch<std::uint32_t>(operation, where, operand, expected, before);
    case int64:
      return dispatch<std::int64_t>(operation, where, operand, expected, before);
    case uint64:
      return dispatch<std::uint64_t>(operation, where, operand, expected, before);
    case float32:
      return dispatch<float>(operation, where, operand, expected, before);
    case float64:
      return dispatch<double>(operation, where, operand, expected, before);
  }
  return false;
}

}  // namespace acre::fabric
