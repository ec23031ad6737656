// SPDX-License-Identifier: BSD-3-Clause
// Name and number of slots of a job's node.
#pragma once

#include <cstdint>
#include <string>

namespace acre::machines {

struct job_node {
  std::string name;
  std::uint32_t slots;
  friend bool operator==(const job_node&, const job_node&) = default;
};

}  // namespace acre::machines
