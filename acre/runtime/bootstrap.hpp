// SPDX-License-Identifier: BSD-3-Clause
// How a rank learns who it is, and exchanges a few bytes with the others
// before the fabric works.
//
// Whatever started the job is asked, in the language it speaks: PMI-1 over a
// descriptor (`acre run`, MPICH's mpiexec, srun --mpi=pmi2) or PMIx (Open MPI's
// mpirun, srun --mpi=pmix, prterun). The same binary runs under all of them, and alone. Nothing
// here is fast or clever: a rank needs two or three exchanges in its life.
#pragma once

#include <acre/fabric/library_session.hpp>
#include <acre/fabric/message.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre::runtime {

/// One thread at a time.
class bootstrap {
 public:
  bootstrap() = default;
  bootstrap(const bootstrap&) = delete;
  bootstrap& operator=(const bootstrap&) = delete;
  virtual ~bootstrap() = default;

  [[nodiscard]] virtual fabric::rank_t rank() const = 0;
  [[nodiscard]] virtual fabric::rank_t size() const = 0;

  /// The same on all ranks, and no other job's on these hosts. It fits in a file name.
  [[nodiscard]] virtual std::string job_name() const = 0;

  /// Gives every rank the bytes of all: `result[r]` is what rank r handed in.
  ///
  /// Every rank calls it, the same number of times; it returns when all have called.
  /// @throws acre::error when the launcher is lost or refuses
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> exchange(
      std::span<const std::byte> mine) = 0;

  /// The library that was opened to start the job, for a conduit that is of the same; or null.
  [[nodiscard]] virtual std::shared_ptr<fabric::library_session> session() const { return nullptr; }

  /// This rank ends its job well; no more calls after it. A rank that ends without
  /// it has failed, and its job with it. (A launcher that takes no second job from
  /// a process is told when the process exits.)
  virtual void finish() = 0;

  /// Called when the network has failed, before anybody hears of it: a launcher that watches the
  /// ranks knows better whose death it was, and is given the time to say so and to end the job.
  virtual void let_launcher_speak() {}

  /// Ends the whole job with this exit status.
  [[noreturn]] virtual void abort(int status, std::string_view why) = 0;
};

}  // namespace acre::runtime
