// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/cpu_domains.hpp>

#include <acre/base/temporary_folder_test.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using numbers = std::vector<std::size_t>;

/// Two sockets of two domains of one CPU each; CPU 4 has no information.
class CpuDomains : public testing::Test {
 protected:
  CpuDomains() {
    for (std::size_t cpu = 0; cpu < 4; ++cpu) {
      const auto at = folder_.path() / "cpu" / ("cpu" + std::to_string(cpu));
      std::filesystem::create_directories(at / "topology");
      std::filesystem::create_directories(at / ("node" + std::to_string(3 - cpu)));
      std::filesystem::create_directories(at / "node_of_no_number");
      std::ofstream(at / "topology" / "physical_package_id") << cpu / 2 << "\n";
    }
  }
  acre::base_test::temporary_folder folder_;
};

TEST_F(CpuDomains, AreThoseOfTheGivenCpus) {
  EXPECT_EQ(acre::base::sockets_of({0b11}, folder_.path()), (numbers{0}));
  EXPECT_EQ(acre::base::sockets_of({0b1111}, folder_.path()), (numbers{0, 1}));
  EXPECT_EQ(acre::base::numa_domains_of({0b11}, folder_.path()), (numbers{2, 3}));
  EXPECT_EQ(acre::base::numa_domains_of({0b1000}, folder_.path()), (numbers{0}));
}

TEST_F(CpuDomains, OmitUnknownCpus) {
  EXPECT_EQ(acre::base::sockets_of({0b10100, 1}, folder_.path()), (numbers{1}));
  EXPECT_EQ(acre::base::numa_domains_of({0b10000}, folder_.path()), (numbers{}));
  std::ofstream(folder_.path() / "cpu/cpu0/topology/physical_package_id") << "-1\n";
  EXPECT_EQ(acre::base::sockets_of({1}, folder_.path()), (numbers{}));
}

TEST(UsableCpus, AreSome) {
  const acre::base::cpu_mask mask = acre::base::usable_cpus();
  ASSERT_FALSE(mask.empty());
  EXPECT_NE(mask.back(), 0U);
}

}  // namespace
