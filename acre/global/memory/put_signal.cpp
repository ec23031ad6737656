// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/memory/put_signal.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/put_message.hpp>

#include <cstring>
#include <string>

namespace acre::global {

using fabric::atomic_operation;

namespace {

atomic_operation atomic_of(signal_operation operation) noexcept {
  return operation == signal_operation::add ? atomic_operation::add : atomic_operation::store;
}

void put_in_one_message(std::uint64_t target_bits, const void* source, std::size_t bytes,
                        const signal_to_raise& signal) {
  const runtime::remote_address word(signal.word_bits);
  runtime::put_then_signal(
      target_bits, source, bytes,
      {atomic_of(signal.operation), signal.type, word.region, word.offset, signal.operand});
}

void send_signal(const signal_to_raise& signal) {
  put_in_one_message(signal.word_bits, nullptr, 0, signal);
}

void raise(const signal_to_raise& signal) {
  runtime::post_remote_atomic(atomic_of(signal.operation), signal.type, signal.word_bits,
                              signal.operand);
}

bool messages_follow_puts() { return runtime::world.conduit->offers().messages_follow_puts; }

}  // namespace

void put_signal_far(std::uint64_t target_bits, const void* source, std::size_t bytes,
                    const signal_to_raise& signal) {
  if (runtime::fits_put_message(bytes)) {
    return put_in_one_message(target_bits, source, bytes, signal);
  }
  const bool goes_ahead = runtime::may_put_ahead(bytes);
  // The put reads a copy, since an exception may destroy the caller's values before it ends.
  const runtime::awaited<fabric::operation> put(
      bytes, [=](fabric::operation& done, std::byte* copy) {
        std::memcpy(copy, source, bytes);
        if (goes_ahead) return runtime::put_ahead(target_bits, copy, bytes, done);
        runtime::put_remote(target_bits, copy, bytes, done);
      });
  if (goes_ahead) {
    send_signal(signal);
    return put.wait("put_signal");
  }
  const bool follows = messages_follow_puts();
  if (!follows) put.wait("put_signal");
  raise(signal);
  if (follows) put.wait("put_signal");
}

void put_signal_far_nbi(std::uint64_t target_bits, const void* source, std::size_t bytes,
                        const signal_to_raise& signal) {
  if (!messages_follow_puts()) return put_signal_far(target_bits, source, bytes, signal);
  if (runtime::fits_put_message(bytes)) {
    return put_in_one_message(target_bits, source, bytes, signal);
  }
  if (runtime::may_put_ahead(bytes)) {
    runtime::finish_anywhere<fabric::operation>([](const fabric::operation&) noexcept {},
                                                [=](fabric::operation& sent, auto&) {
                                                  runtime::put_ahead(target_bits, source, bytes,
                                                                     sent);
                                                });
    return send_signal(signal);
  }
  runtime::put_remote_nbi(target_bits, source, bytes);
  raise(signal);
}

void throw_signal_elsewhere(rank_t target, rank_t signal) {
  throw error("put_signal",
              "the data is for rank " + std::to_string(target) + ", but the signal for rank " +
                  std::to_string(signal),
              "use a signal word of the rank that receives the data");
}

}  // namespace acre::global
