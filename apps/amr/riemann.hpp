// SPDX-License-Identifier: BSD-3-Clause
// The exact solution of a Riemann problem of an ideal gas: two uniform states that meet at time 0
// (Godunov, Mat. Sb. 47, 1959).
#pragma once

namespace acre::amr {

struct tube_state {
  double density = 1;
  double velocity = 0;
  double pressure = 1;
};

class riemann_solution {
 public:
  /// The states must not part so fast that a vacuum results.
  riemann_solution(const tube_state& left, const tube_state& right, double gamma);

  /// State at `speed`, the distance from the first contact over the time since.
  [[nodiscard]] tube_state at(double speed) const;

 private:
  tube_state left_;
  tube_state right_;
  double gamma_;
  double pressure_;  ///< between the outer waves
  double velocity_;
};

}  // namespace acre::amr
