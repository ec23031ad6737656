// SPDX-License-Identifier: BSD-3-Clause
// Output pipes of all ranks, read while the launcher's output accepts data.
#pragma once

#include "events.hpp"
#include "output.hpp"
#include <acre/base/descriptor.hpp>

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace acre::tool {

class job_output {
 public:
  /// @param has_prefix prefixes lines with "[3] "
  job_output(event_queue& events, rank_t ranks, bool has_prefix);

  void add(rank_t rank, descriptor output, descriptor errors);
  /// @return whether more may follow
  bool read(rank_t rank, source what, clock::time_point now);
  void drain(rank_t rank, clock::time_point now);
  /// Resumes paused pipes; shows overdue partial lines.
  void check_clocks(clock::time_point now);
  [[nodiscard]] clock::time_point deadline(clock::time_point now) const;
  void close_pipes(clock::time_point now);

  void say(std::string_view line, clock::time_point now) { errors_merger().say(line, now); }
  /// Handles a sink's notice. @return errno of failed output, or 0
  [[nodiscard]] int pop_notice();
  [[nodiscard]] int failure() const { return output_.failure(); }
  [[nodiscard]] bool is_done() const;
  void give_up();

 private:
  struct pipe_end {
    descriptor from;
    stream lines;
    merger* merge = nullptr;
  };
  struct pipes {
    pipe_end output;
    pipe_end errors;
  };
  struct merged {
    merged(int to, int notice) : out(to, notice) {}
    sink out;
    merger lines{out};
  };

  [[nodiscard]] merger& errors_merger() { return errors_ ? errors_->lines : merger_; }
  [[nodiscard]] pipe_end& end_of(rank_t rank, source what);
  void resume_paused(clock::time_point now);

  event_queue& events_;
  const bool has_prefix_;
  descriptor notice_;
  sink output_;
  merger merger_{output_};
  std::unique_ptr<merged> errors_;  // null: same file as output
  std::vector<pipes> ranks_;
  std::vector<std::pair<rank_t, source>> paused_;
  std::array<char, 65536> buffer_;
};

}  // namespace acre::tool
