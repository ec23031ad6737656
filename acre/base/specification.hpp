// SPDX-License-Identifier: BSD-3-Clause
// Parser of specifications: "torus:8x8x6@10".
#pragma once

#include <acre/base/cplusplus.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

[[nodiscard]] std::string join(std::span<const std::uint32_t> numbers, char between = 'x');

class specification_reader {
 public:
  specification_reader(std::string_view text, std::string_view call, std::string_view advice)
      : text_(text), call_(call), advice_(advice) {}

  /// Consumes the word before the first colon, or all.
  std::string_view kind();

  [[nodiscard]] bool ended() const noexcept { return at_ == text_.size(); }
  bool take(char c);
  /// @throws acre::error unless `c` is next
  void expect(char c, std::string_view before);
  void expect_end();

  /// @throws acre::error unless a number below 2^32 is next
  std::uint32_t number();
  /// @throws acre::error unless a positive number is next
  double positive(std::string_view wanted);
  /// Consumes one or more numbers, separated by `between`.
  std::vector<std::uint32_t> numbers(char between);

  /// @throws acre::error "'torus:8xx': expected a number at position 9, found 'x'"
  [[noreturn]] void fail(std::string_view wanted) const;
  /// @throws acre::error "'donut:8' is an unknown kind of network"
  [[noreturn]] void fail_kind(std::string_view wanted) const;

 private:
  template <class Number>
  Number parse(std::string_view wanted);

  std::string_view text_;
  std::string_view call_;
  std::string_view advice_;
  std::size_t at_ = 0;
};

}  // namespace acre
