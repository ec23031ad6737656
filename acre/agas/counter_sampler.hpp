// SPDX-License-Identifier: BSD-3-Clause
// Samples counters of movable objects into a file.
//
//     acre::agas_sampler sampler("agas.csv", {"/agas{locality#*/total}/count/route"}, 100ms);
//     for (…) { step(); sampler.sample_when_due(); }
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

/// Samples have a row per queried rank: seconds since construction, rank, requested counters.
class agas_sampler {
 public:
  /// @param file   .csv, or .json: an array of rows, complete after each sample
  /// @throws acre::error if the file cannot be written or a name is invalid
  agas_sampler(const std::string& file, std::vector<std::string> names,
               std::chrono::milliseconds every);
  agas_sampler(agas_sampler&&) noexcept;
  agas_sampler& operator=(agas_sampler&&) noexcept;
  ~agas_sampler();

  /// Samples if `every` has passed; returns true then. Cost: a clock read, or sample().
  bool sample_when_due();

  /// Samples now. Cost: read_agas_counters().
  void sample();

 private:
  using clock = std::chrono::steady_clock;

  void write_head();
  void write_row(double seconds, std::span<const agas_counter_value> of_rank);
  void write_end();

  std::string path_;
  std::unique_ptr<base::new_file> file_;
  std::string text_;
  bool is_json_;
  bool is_first_row_ = true;
  std::vector<std::string> names_;
  std::vector<std::string> columns_;
  std::chrono::milliseconds every_;
  clock::time_point start_;
  clock::time_point due_;
};

}  // namespace acre
