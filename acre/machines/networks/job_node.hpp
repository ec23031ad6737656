// SPDX-License-Identifier: BSD-3-Clause
// A node of a job, and the number of its slots.
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
