// SPDX-License-Identifier: BSD-3-Clause
// Progress of all ranks, kept and shown on rank 0.
#pragma once

#include <acre/acre.hpp>

#include <apps/genome/progress_bar.hpp>

#include <cstdint>

namespace acre::genome {

/// Collective construction, use and destruction.
class shared_progress {
 public:
  explicit shared_progress(std::uint64_t total) : bar_(total) {
    if (rank() == 0) done_ = make_global<std::uint64_t>(0U);
    done_ = world().broadcast(done_, 0);
  }
  ~shared_progress() {
    if (rank() == 0) destroy_global(done_);
  }
  shared_progress(const shared_progress&) = delete;
  shared_progress& operator=(const shared_progress&) = delete;

  void add(std::uint64_t bytes) {
    atomic_add_nbi(done_, bytes);
    if (rank() == 0) bar_.update(atomic_load(done_));
  }
  void finish() { bar_.finish(); }

 private:
  progress_bar bar_;
  global_ptr<std::uint64_t> done_;
};

}  // namespace acre::genome
