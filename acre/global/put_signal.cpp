#include <acre/global/put_signal.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/put_message.hpp>

#include <cstring>
#include <string>

namespace acre::detail {

using fabric::atomic_operation;

void put_signal_far(std::uint64_t target_bits, const void* source, std::size_t bytes,
                    const signal_to_raise& signal) {
  const auto operation =
      signal.operation == signal_operation::add ? atomic_operation::add : atomic_operation::store;
  const runtime::remote_address word(signal.word_bits);
  if (runtime::fits_put_message(bytes)) {
    return runtime::put_then_signal(
        target_bits, source, bytes,
        {operation, signal.type, word.region, word.offset, signal.operand});
  }
  // A copy, as a frame that is unwound takes its values along.
  const runtime::awaited<fabric::operation> put(
      bytes, [=](fabric::operation& done, std::byte* copy) {
        std::memcpy(copy, source, bytes);
        runtime::put_remote(target_bits, copy, bytes, done);
      });
  const bool follows = runtime::world.conduit->offers().messages_follow_puts;
  if (!follows) put.wait("put_signal");
  runtime::post_remote_atomic(operation, signal.type, word, signal.operand);
  if (follows) put.wait("put_signal");
}

void throw_signal_elsewhere(rank_t target, rank_t signal) {
  throw error("put_signal",
              "the data goes to rank " + std::to_string(target) + ", but the signal to rank " +
                  std::to_string(signal),
              "use a signal word of the rank that gets the data");
}

}  // namespace acre::detail
