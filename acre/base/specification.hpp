// SPDX-License-Identifier: BSD-3-Clause
// Reading short specifications like "torus:8x8x6@10": from left to right, with
// errors that say where they are wrong.
#pragma once

#include <acre/base/cplusplus.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre {

/// Numbers as specifications write them: "24x24x16".
[[nodiscard]] std::string join(std::span<const std::uint32_t> numbers, char between = 'x');

class specification_reader {
 public:
  /// @param call   what an error names: "topology::make_network"
  /// @param advice examples of what is right
  specification_reader(std::string_view text, std::string_view call, std::string_view advice)
      : text_(text), call_(call), advice_(advice) {}

  /// Takes the word before the first colon; all when there is none.
  std::string_view kind();

  [[nodiscard]] bool ended() const noexcept { return at_ == text_.size(); }
  /// Whether `c` comes next; takes it.
  bool take(char c);
  /// @throws acre::error unless `c` comes next
  void expect(char c, std::string_view before);
  void expect_end();

  /// @throws acre::error unless a number below 2^32 comes next
  std::uint32_t number();
  /// @throws acre::error unless a finite number above zero comes next
  double positive(std::string_view wanted);
  /// Numbers with `between` between them, one at least.
  std::vector<std::uint32_t> numbers(char between);

  /// @throws acre::error "'torus:8xx': expected a number at position 9, found 'x'"
  [[noreturn]] void fail(std::string_view wanted) const;
  /// @throws acre::error "'donut:8' names no kind of network"
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
