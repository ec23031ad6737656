// SPDX-License-Identifier: BSD-3-Clause
// Puts with a signal: a rank that sees the signal sees the data.
//
//     acre::put_signal(block, values, arrived, 1, acre::signal_operation::add);
//
// The signal is an atomic word at the target. One message carries both to other nodes; larger data
// is put before. Calls return when the source is reusable (_nbi: perhaps earlier); complete after
// quiet().
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_get.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace acre {

enum class signal_operation : std::uint8_t { set, add };

namespace global {

struct signal_to_raise {
  std::uint64_t word_bits;
  fabric::atomic_type type;
  fabric::word operand;
  signal_operation operation;
};

using far_put_signal = void(std::uint64_t target_bits, const void* source, std::size_t bytes,
                            const signal_to_raise& signal);
far_put_signal put_signal_far;
far_put_signal put_signal_far_nbi;
[[noreturn]] void throw_signal_elsewhere(rank_t target, rank_t signal);

template <class T, class Signal>
void put_signal(far_put_signal& put_far, global_ptr<T> target, std::span<const T> values,
                global_ptr<Signal> signal, Signal operand, signal_operation operation,
                const site& where) {
  if (target.rank() != signal.rank()) throw_signal_elsewhere(target.rank(), signal.rank());
  check_pointer(signal.bits(), sizeof(Signal), "put_signal", where);
  if (!target.is_local(where)) {
    if (!values.empty()) {
      check_pointer(target.bits(), values.size_bytes(), "put_signal", where);
    }
    return put_far(
        target.bits(), values.data(), values.size_bytes(),
        {signal.bits(), fabric::atomic_type_of<Signal>(), fabric::to_word(operand), operation});
  }
  put(target, values, where);
  if (operation == signal_operation::add) {
    post_atomic<fabric::atomic_operation::add>(signal, operand, std::memory_order_seq_cst, where);
  } else {
    post_atomic<fabric::atomic_operation::store>(signal, operand, std::memory_order_release, where);
  }
}

}  // namespace global

/// Writes `values`, then the signal word; both must be on one rank. Cost: M; for data too large for
/// one message W + M or W + A; to a rank of this node W + A.
/// @throws acre::error if the ranks differ
template <writable T, atomic_integer Signal>
void put_signal(global_ptr<T> target, std::span<const std::type_identity_t<T>> values,
                global_ptr<Signal> signal, std::type_identity_t<Signal> operand,
                signal_operation operation = signal_operation::set,
                const site& where = site::current()) {
  global::put_signal<T, Signal>(global::put_signal_far, target, values, signal, operand, operation,
                                where);
}

/// As put_signal(), but `values` must not change until quiet(). If messages may overtake puts, the
/// call waits for large values.
template <writable T, atomic_integer Signal>
void put_signal_nbi(global_ptr<T> target, std::span<const std::type_identity_t<T>> values,
                    global_ptr<Signal> signal, std::type_identity_t<Signal> operand,
                    signal_operation operation = signal_operation::set,
                    const site& where = site::current()) {
  global::put_signal<T, Signal>(global::put_signal_far_nbi, target, values, signal, operand,
                                operation, where);
}

template <writable T, atomic_integer Signal>
void put_signal(global_ptr<T> target, const std::type_identity_t<T>& value,
                global_ptr<Signal> signal, std::type_identity_t<Signal> operand,
                signal_operation operation = signal_operation::set,
                const site& where = site::current()) {
  put_signal(target, std::span(&value, 1), signal, operand, operation, where);
}
template <writable T, atomic_integer Signal>
void put_signal_nbi(global_ptr<T> target, const std::type_identity_t<T>& value,
                    global_ptr<Signal> signal, std::type_identity_t<Signal> operand,
                    signal_operation operation = signal_operation::set,
                    const site& where = site::current()) {
  put_signal(target, value, signal, operand, operation, where);
}

}  // namespace acre
