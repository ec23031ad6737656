// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/open_conduit.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/loopback.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace acre::fabric {
namespace {

TEST(OpenConduit, OpensByName) {
  EXPECT_EQ(open_conduit("loopback", {})->offers().name, "loopback");
}

TEST(OpenConduit, NamesWhatThereIs) {
  const auto names = conduit_names();
  EXPECT_NE(std::ranges::find(names, "loopback"), names.end());
  try {
    static_cast<void>(open_conduit("carrier pigeons", {}));
    FAIL() << "it was opened";
  } catch (const error& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("carrier pigeons"), std::string::npos) << text;
    EXPECT_NE(text.find("loopback"), std::string::npos) << text;
  }
}

TEST(OpenConduit, KnowsWhichConduitsUseAddresses) {
  const auto names = conduit_names();
  const bool has_ofi = std::ranges::find(names, "ofi") != names.end();
  EXPECT_EQ(uses_addresses("ofi"), has_ofi);
  EXPECT_EQ(uses_addresses(""), uses_addresses(names.size() > 1 ? names.front() : "none"));
  EXPECT_FALSE(uses_addresses("loopback"));
  EXPECT_FALSE(uses_addresses("smp"));
}

TEST(OpenConduit, UsesTheSessionThatIsItsLibrarys) {
  class other final : public library_session {};
  EXPECT_NE(open_conduit("loopback", {.session = std::make_shared<other>()}), nullptr);
  const auto wire = std::make_shared<loopback_wire>(loopback_limits{.max_payload = 123});
  EXPECT_EQ(open_conduit("loopback", {.session = wire})->offers().max_payload, 123U);
}

TEST(OpenConduit, FillsTheLineThatItIsGiven) {
  direct_line line;
  {
    const auto opened = open_conduit("loopback", {.line = &line});
    EXPECT_EQ(&opened->line(), &line);
    ASSERT_NE(line.put, nullptr);
    ASSERT_NE(line.send, nullptr);
    EXPECT_EQ(line.read(line.counter), 0U);
    line.issued = 3;
  }
  EXPECT_EQ(line.issued, line.completed);
}

TEST(Loopback, JoinsNoProcesses) {
  const auto one = open_conduit("loopback", {});
  const auto other = open_conduit("loopback", {});
  EXPECT_THROW(one->connect(0, std::vector{one->descriptor(), other->descriptor()}), error);
}

}  // namespace
}  // namespace acre::fabric
