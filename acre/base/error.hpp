// SPDX-License-Identifier: BSD-3-Clause
// The one error type of Acre.
//
// An error says who failed (rank and host), in which call, what happened, and
// what to do about it. base/ knows nothing of jobs, so the runtime tells it
// once who this process is.
#pragma once

#include <acre/base/cplusplus.hpp>
#include <acre/base/site.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace acre {

/// Thrown by every C++ call of Acre that cannot do what it was asked to.
///
/// `what()` reads
///
///     acre: rank 3 on node c0: hash_map::insert: the table is full (capacity 4096)
///           reserve more, or call resize() on all ranks
class error : public std::runtime_error {
 public:
  /// @param call    the call that failed, as the user wrote it: "hash_map::insert"
  /// @param problem what happened, with the numbers that explain it
  /// @param advice  what to do; may be empty
  error(std::string_view call, std::string_view problem, std::string_view advice = {});

  [[nodiscard]] const std::string& call() const noexcept { return call_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  [[nodiscard]] const std::string& advice() const noexcept { return advice_; }
  /// The problem, and the advice in a line of its own.
  [[nodiscard]] std::string problem_and_advice() const;

 private:
  std::string call_;
  std::string problem_;
  std::string advice_;
};

/// Tells all later errors of this process who they come from.
void identify_process(std::uint32_t rank, std::string_view host);

/// "rank 3 on node c0", or "process 4711" outside a job.
[[nodiscard]] std::string process_identity();

/// Whether a place is in a program's own code: not unknown, and not in the library, whose lines
/// tell users nothing.
[[nodiscard]] bool is_of_program(const site& where) noexcept;

/// " at file.cpp:10" for the end of a sentence; nothing for a place that nobody gave.
[[nodiscard]] std::string describe_place(const site& where);

}  // namespace acre
