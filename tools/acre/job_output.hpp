// SPDX-License-Identifier: BSD-3-Clause
// Output of all ranks: their pipes, read as long as the launcher's own output accepts it.
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
  /// @param has_prefix "[3] " begins each line of rank 3
  job_output(event_queue& events, rank_t ranks, bool has_prefix);

  void add(rank_t rank, descriptor output, descriptor errors);
  /// Reads once. @return whether there may be more
  bool read(rank_t rank, source what, clock::time_point now);
  /// Reads all that a rank has written.
  void drain(rank_t rank, clock::time_point now);
  /// Reads pipes again that were not read while too much waited, and shows half lines in time.
  void check_clocks(clock::time_point now);
  /// When to call check_clocks() next.
  [[nodiscard]] clock::time_point deadline(clock::time_point now) const;
  /// Closes the pipes that are still open.
  void close_pipes(clock::time_point now);

  /// Shows a line of the launcher on its standard error.
  void say(std::string_view line, clock::time_point now) { errors_merger().say(line, now); }
  /// Takes the notice of a sink. @return the errno of writing the output, or 0
  [[nodiscard]] int take_notice();
  /// @return the errno of writing the output, or 0
  [[nodiscard]] int failure() const { return output_.failure(); }
  /// Whether all pipes are closed and all is written.
  [[nodiscard]] bool is_done() const;
  /// Does not wait for descriptors that block.
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
  std::unique_ptr<merged> errors_;  // null when it is the same file as the output
  std::vector<pipes> ranks_;
  std::vector<std::pair<rank_t, source>> paused_;  // whose pipes are not read for now
  std::array<char, 65536> buffer_;
};

}  // namespace acre::tool
