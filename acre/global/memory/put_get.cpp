// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/memory/put_get.hpp>

#include <acre/runtime/completion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

namespace acre::global {

void copy_between_ranks(std::uint64_t from, std::uint64_t to, std::size_t bytes) {
  constexpr std::size_t most = std::size_t{1} << 20;
  runtime::awaited<fabric::operation> piece;
  // Backward if the target overlaps at a higher address.
  const bool is_from_end = to > from && to - from < bytes;
  for (std::size_t done = 0; done < bytes; done += most) {
    const std::size_t now = std::min(most, bytes - done);
    const std::size_t first = is_from_end ? bytes - done - now : done;
    const auto read = [&](fabric::operation& record, std::byte* buffer) {
      runtime::get_remote(from + first, buffer, now, record);
    };
    const auto write = [&](fabric::operation& record, std::byte* buffer) {
      runtime::put_remote(to + first, buffer, now, record);
    };
    if (piece) {
      piece.start_again(read);
    } else {
      piece = runtime::awaited<fabric::operation>(now, read);
    }
    piece.wait("copy");
    piece.start_again(write);
    piece.wait("copy");
  }
}

namespace {

/// Written and read by this thread.
thread_local std::exception_ptr failure;

/// Calls f(word) for a word of `bytes`.
template <class F>
void with_word(std::size_t bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

}  // namespace

bool read_other(std::uint64_t bits, std::size_t bytes, void* to) noexcept {
  try {
    with_word(bytes, [&](auto kind) {
      using word = decltype(kind);
      *static_cast<word*>(to) = get(global_ptr<word>::from_bits(bits), unknown_place);
    });
    return true;
  } catch (...) {
    failure = std::current_exception();
    return false;
  }
}

void rethrow_failure() { std::rethrow_exception(std::exchange(failure, nullptr)); }

}  // namespace acre::global
