// SPDX-License-Identifier: BSD-3-Clause
// File to which one rank appends its windows (format: windows.hpp).
#pragma once

#include "peer_table.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace acre::mpi {

class part_file {
 public:
  part_file(const std::string& folder, int rank, int ranks);

  void add_window();

 private:
  using entries = std::vector<peer_table::entry>;

  [[nodiscard]] std::string head() const;
  [[nodiscard]] std::string next_window();

  std::string name_;
  int rank_;
  int ranks_;
  unsigned windows_ = 0;
  double began_ = 0;
  entries sent_;  ///< totals before the window
  entries fetched_;
  std::size_t topologies_ = 0;
};

}  // namespace acre::mpi
