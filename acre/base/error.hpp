// SPDX-License-Identifier: BSD-3-Clause
// Exceptions of the library.
#pragma once

#include <acre/base/cplusplus.hpp>
#include <acre/base/site.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace acre {

/// The only exception type of Acre. what() contains rank, host, call, problem and remedy:
///
///     acre: rank 3 on node c0: hash_map::insert: the table is full (capacity 4096)
///           reserve more, or call resize() on all ranks
class error : public std::runtime_error {
 public:
  /// @param problem  what is wrong, with numbers
  /// @param advice   remedy; may be empty
  error(std::string_view call, std::string_view problem, std::string_view advice = {});
  error(const error&) = default;
  error& operator=(const error&) = default;
  // Not inline, so that one library defines the type.
  ~error() override;

  [[nodiscard]] const std::string& call() const noexcept { return call_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  [[nodiscard]] const std::string& advice() const noexcept { return advice_; }
  /// Problem and advice on a line each.
  [[nodiscard]] std::string problem_and_advice() const;

 private:
  std::string call_;
  std::string problem_;
  std::string advice_;
};

/// Sets rank and host for later errors.
void identify_process(std::uint32_t rank, std::string_view host);

/// "rank 3 on node c0"; "process 4711" outside a job.
[[nodiscard]] std::string process_identity();

/// True if `where` is known and not in the library.
[[nodiscard]] bool is_of_program(const site& where) noexcept;

/// " at file.cpp:10" if is_of_program(), else empty.
[[nodiscard]] std::string describe_place(const site& where);

}  // namespace acre
