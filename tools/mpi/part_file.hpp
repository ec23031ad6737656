// SPDX-License-Identifier: BSD-3-Clause
// The file in which one rank writes its windows (windows.hpp says what is in it).
#pragma once

#include "peer_table.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace acre::mpi {

class part_file {
 public:
  part_file(const std::string& folder, int rank, int ranks);

  /// Adds the window that ends now: what was counted since the one before.
  void add_window();

 private:
  using entries = std::vector<peer_table::entry>;

  [[nodiscard]] std::string head() const;
  [[nodiscard]] std::string next_window();

  std::string name_;
  int rank_;
  int ranks_;
  unsigned windows_ = 0;
  double began_ = 0;  ///< the window
  entries sent_;      ///< all until then
  entries fetched_;
  std::size_t topologies_ = 0;
};

}  // namespace acre::mpi
