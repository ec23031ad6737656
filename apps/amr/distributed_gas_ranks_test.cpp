// SPDX-License-Identifier: BSD-3-Clause
// The gas and its gravity on many ranks.
#include <acre/matrix_files/files_test.hpp>

#include <apps/amr/distributed_mesh.hpp>
#include <apps/amr/outcome_test.hpp>
#include <gtest/gtest.h>

#include <cstdint>

namespace acre::amr {
namespace {

constexpr std::uint32_t steps = 2;

problem star() {
  problem given;
  given.kind = physics::euler;
  given.velocity = {1, -0.75, -0.5};
  given.centre = {0.3, 0.4, 0.7};
  given.radius = 0.15;
  given.finest = 2;
  given.gravity = 2;
  given.regrid_every = 1;
  return given;
}

const outcome& expected() {
  static const outcome found = serial_outcome(star(), steps);
  return found;
}

TEST(DistributedGas, IsThatOfOneProcessWhereNodesStayOrMoveInTheMiddleOfSteps) {
  for (const ways& each : {ways{.mode = keeping::stay}, ways{.shake = 3}}) {
    distributed_mesh mesh(star(), each);
    mesh.advance(steps);
    EXPECT_EQ((outcome{mesh.measure(), mesh.fingerprint()}), expected());
  }
}

TEST(DistributedGas, GoesOnFromAFileWithTheSameBits) {
  const files_test::folder folder;
  {
    distributed_mesh mesh(star(), {});
    mesh.advance(1);
    mesh.save(folder / "mesh");
  }
  distributed_mesh mesh(load_mesh(folder / "mesh"), {});
  mesh.advance(steps - 1);
  EXPECT_EQ((outcome{mesh.measure(), mesh.fingerprint()}), expected());
}

}  // namespace
}  // namespace acre::amr
