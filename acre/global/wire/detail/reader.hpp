// SPDX-License-Identifier: BSD-3-Clause
// Reader of message payloads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <typeinfo>

namespace acre {

inline constexpr std::size_t payload_alignment = 8;

namespace global {

[[noreturn]] void throw_truncated(std::size_t needed, std::size_t left);
[[noreturn]] void throw_absurd_count(std::uint64_t count, std::size_t left);
[[noreturn]] void throw_bad_index(std::size_t index, std::size_t alternatives);
[[noreturn]] void throw_trailing(std::size_t left);
[[noreturn]] void throw_too_deep();
[[noreturn]] void throw_too_deep_to_send();
[[noreturn]] void throw_misaligned();
[[noreturn]] void throw_valueless();
[[noreturn]] void throw_unlisted_class(const std::type_info& type, const std::type_info& base);
[[noreturn]] void throw_no_room(std::size_t needed, std::size_t left);

}  // namespace global

/// Reads values in the order of writing. Never reads outside the payload or allocates more than its
/// size justifies: damaged bytes give an acre::error or a wrong value. Views live as long as the
/// payload.
class reader {
 public:
  explicit reader(std::span<const std::byte> payload) noexcept
      : base_(payload.data()), cursor_(base_), end_(base_ + payload.size()) {}

  /// @throws acre::error if the payload ends inside the value, or the value is invalid
  template <class T>
  [[nodiscard]] T read();

  template <class T>
  void read_into(T& target);

  [[nodiscard]] std::size_t remaining() const noexcept {
    return static_cast<std::size_t>(end_ - cursor_);
  }

  void expect_end() const {
    if (cursor_ != end_) global::throw_trailing(remaining());
  }

  [[nodiscard]] const std::byte* take(std::size_t bytes) {
    if (bytes > remaining()) [[unlikely]] {
      global::throw_truncated(bytes, remaining());
    }
    const std::byte* taken = cursor_;
    cursor_ += bytes;
    return taken;
  }

  /// Reads a count of elements, each of at least `least` > 0 bytes.
  /// @throws acre::error if the payload is too short for them
  [[nodiscard]] std::size_t read_count(std::size_t least) {
    std::uint64_t count;
    std::memcpy(&count, take(sizeof count), sizeof count);
    if (count > remaining() / least) [[unlikely]] {
      global::throw_absurd_count(count, remaining());
    }
    return count;
  }

  void skip_padding(std::size_t alignment) {
    const auto offset = static_cast<std::size_t>(cursor_ - base_);
    static_cast<void>(take((alignment - offset % alignment) % alignment));
  }

  [[nodiscard]] reader take_part(std::size_t bytes) {
    reader part = *this;
    part.end_ = take(bytes) + bytes;
    return part;
  }

  class nested {
   public:
    explicit nested(reader& from) : from_(from) {
      if (++from_.depth_ > max_depth) global::throw_too_deep();
    }
    nested(const nested&) = delete;
    nested& operator=(const nested&) = delete;
    ~nested() { --from_.depth_; }

   private:
    reader& from_;
  };

  static constexpr std::uint32_t max_depth = 1000;

 private:
  const std::byte* base_;
  const std::byte* cursor_;
  const std::byte* end_;
  std::uint32_t depth_ = 0;
};

}  // namespace acre
