// SPDX-License-Identifier: BSD-3-Clause
// The options of acre-amr.
#pragma once

#include <apps/amr/distributed_mesh.hpp>
#include <apps/amr/problem.hpp>
#include <apps/amr/saved_mesh.hpp>
#include <tools/command_line/command_line.hpp>

#include <optional>
#include <string>

namespace acre::amr {

struct request {
  std::string kind = "advection";
  std::string start = "star";
  double gravity = 1;
  double gamma = 0;
  unsigned coarsest = 1;
  unsigned finest = 3;
  unsigned steps = 64;
  std::string centre = "0.5,0.5,0.5";
  std::string wind = "1,0.5,0.25";
  double radius = 0.25;
  std::string mode = "migrate";
  std::string balancer = "curve";
  double tolerance = 0.05;
  std::string load = "measured";
  std::optional<unsigned> shake;
  std::string checkpoint;
  std::optional<unsigned> checkpoint_every;
  std::string restart;
  std::string pictures;
  std::string report;
};

/// Adds the options to `program`, with checks. @return program
acre::command_line::command& define(acre::command_line::command& program, request& wanted);

[[nodiscard]] problem problem_of(const request& wanted);
[[nodiscard]] ways ways_of(const request& wanted);

/// @throws acre::error if a given option contradicts the file
void require_same_problem(const acre::command_line::command& program, const request& wanted,
                          const saved_mesh& from);

}  // namespace acre::amr
