// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/names.hpp>
#include <acre/agas/object_report.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace {

struct circle {
  acre::object_ref<circle> next;
  void link(const acre::object_ref<circle>& to) { next = to; }
  friend auto acre_fields(circle& c) { return std::tie(c.next); }
};

void expect_in(const std::string& report, const std::string& part) {
  EXPECT_NE(report.find(part), std::string::npos) << part << " in:\n" << report;
}

TEST(ObjectReportSmoke, SaysWhoHoldsACircle) {
  const acre::rank_t last = acre::size() - 1;
  acre::gid first;
  if (acre::rank() == 0) {
    const auto one = acre::create_here<circle>();
    const auto two = acre::create<circle>(last).get();
    acre::invoke(one, &circle::link, two).get();
    acre::invoke(two, &circle::link, one).get();
    acre::register_name("/circle", two).get();
    first = one.name();
  }
  const auto lonely = acre::create_id_here<circle>();
  acre::drain();
  const std::string report = acre::object_report();
  first = acre::world().broadcast(first, 0);
  expect_in(report, std::to_string(2 + acre::size()) + " objects are alive, 2 of them counted: ");
  expect_in(report, to_string(first) + ", a ");
  expect_in(report, "of its credit of ");
  expect_in(report, "rank " + std::to_string(last) + " holds ");
  expect_in(report, "it has the name \"/circle\"");
  expect_in(report, "circle, on rank " + std::to_string(last) + "; not counted\n");
  acre::barrier();
  acre::destroy(lonely).get();
  if (acre::rank() == 0) {
    const auto two = acre::resolve<circle>("/circle").get();
    acre::invoke(two, &circle::link, acre::object_ref<circle>()).get();
    acre::unregister_name("/circle").get();
  }
  acre::drain();
  acre::barrier();
}

TEST(ObjectReport, KnowsWhoHoldsWhatItDescribesAmongMany) {
  {
    std::vector<acre::object_ref<circle>> many;
    for (int i = 0; i < 300; ++i) many.push_back(acre::create_here<circle>());
    acre::barrier();
    const std::string report = acre::object_report();
    expect_in(report, std::to_string(300 * acre::size()) + " objects are alive");
    expect_in(report, "and " + std::to_string(250 * acre::size()) + " more\n");
    EXPECT_EQ(report.find("no known holders"), std::string::npos) << report;
  }
  acre::drain();
}

}  // namespace
