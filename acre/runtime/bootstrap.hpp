// SPDX-License-Identifier: BSD-3-Clause
// Rank number and small exchanges before the fabric works, by PMI-1 over a descriptor (`acre run`,
// MPICH's mpiexec, srun --mpi=pmi2), PMIx (Open MPI's mpirun, srun --mpi=pmix, prterun), or alone.
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

/// Not thread-safe.
class bootstrap {
 public:
  bootstrap() = default;
  bootstrap(const bootstrap&) = delete;
  bootstrap& operator=(const bootstrap&) = delete;
  virtual ~bootstrap() = default;

  [[nodiscard]] virtual fabric::rank_t rank() const = 0;
  [[nodiscard]] virtual fabric::rank_t size() const = 0;

  /// Equal on all ranks, unique on these hosts, valid as a file name.
  [[nodiscard]] virtual std::string job_name() const = 0;

  /// Collective: result[r] is `mine` of rank r.
  /// @throws acre::error if the launcher is lost or refuses
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> exchange(
      std::span<const std::byte> mine) = 0;

  /// Collective: returns when all ranks have called it.
  virtual void barrier() { static_cast<void>(exchange({})); }

  /// MPI's appnum: number of this rank's program in the launcher's command.
  [[nodiscard]] virtual std::int64_t program_number() { return 0; }

  /// Library of the launcher, or null.
  [[nodiscard]] virtual std::shared_ptr<fabric::library_session> session() const { return nullptr; }

  /// Last call of a rank that ends well; otherwise rank and job have failed.
  virtual void finish() = 0;

  /// Called before this rank reports a failure that another rank may have caused. Gives the
  /// launcher time to report it and end the job.
  virtual void let_launcher_speak() {}

  [[noreturn]] virtual void abort(int status, std::string_view why) = 0;
};

}  // namespace acre::runtime
