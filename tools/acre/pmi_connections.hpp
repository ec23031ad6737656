// SPDX-License-Identifier: BSD-3-Clause
// PMI connections of a launcher to its ranks.
#pragma once

#include "events.hpp"
#include "pmi_server.hpp"
#include <acre/base/descriptor.hpp>

#include <array>
#include <string>
#include <vector>

namespace acre::tool {

class pmi_connections {
 public:
  pmi_connections(event_queue& events, rank_t ranks, std::string job_name, std::string lifeline);

  void add(rank_t rank, descriptor socket);
  /// Reads all available bytes.
  /// @return whether the rank has closed the connection
  [[nodiscard]] bool read(rank_t rank);
  void write(rank_t rank);
  void answer();

  [[nodiscard]] pmi_server& server() noexcept { return server_; }

 private:
  struct connection {
    descriptor socket;
    bool wants_room = false;
  };

  event_queue& events_;
  pmi_server server_;
  std::vector<connection> ranks_;
  std::array<char, 65536> buffer_;
};

}  // namespace acre::tool
