// SPDX-License-Identifier: BSD-3-Clause
// Counters of objects that move, over time, in a file.
//
//     acre::agas_sampler sampler("agas.csv", {"/agas{locality#*/total}/count/route"}, 100ms);
//     for (…) { step(); sampler.sample_when_due(); }
//
// Nothing happens behind the program's back: it says when there is time for a sample.
#pragma once

#include <acre/agas/counters.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace acre {

namespace base {
class new_file;
}

/// Of one rank, for itself or for others. A sample is a row for each rank that is asked: seconds
/// since the sampler was made, the rank, and the counters; nothing where a counter was not wanted
/// of that rank.
class agas_sampler {
 public:
  /// @param file   ends in .csv or .json; an array of rows then, which is whole after each sample
  /// @param names  as read_agas_counters() takes them
  /// @throws acre::error when the file cannot be written, or a name is none
  agas_sampler(const std::string& file, std::vector<std::string> names,
               std::chrono::milliseconds every);
  agas_sampler(agas_sampler&&) noexcept;
  agas_sampler& operator=(agas_sampler&&) noexcept;
  ~agas_sampler();

  /// Takes a sample if so much time has passed since the last one. Cost: a look at the clock, or as
  /// sample().
  /// @return whether it has
  bool sample_when_due();

  /// Takes one now. Cost: as read_agas_counters().
  void sample();

 private:
  using clock = std::chrono::steady_clock;

  void write_head();
  void write_row(double seconds, std::span<const agas_counter_value> of_rank);
  void write_end();

  std::string path_;
  std::unique_ptr<base::new_file> file_;
  std::string text_;  ///< not yet written
  bool is_json_;
  bool is_first_row_ = true;
  std::vector<std::string> names_;
  std::vector<std::string> columns_;
  std::chrono::milliseconds every_;
  clock::time_point start_;
  clock::time_point due_;
};

}  // namespace acre
