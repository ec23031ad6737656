// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/contig_set.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace acre::contigs {
namespace {

TEST(ContigSet, IsInOneOrderAndKnowsItsNumbers) {
  const contig_set contigs({"CCC", "AAAAAAAA", "AAA", "CCCCCC"});
  EXPECT_EQ(contigs.sequences(), (std::vector<std::string>{"AAAAAAAA", "CCCCCC", "AAA", "CCC"}));
  const contig_statistics all = contigs.statistics();
  EXPECT_EQ(all.number, 4U);
  EXPECT_EQ(all.bases, 20U);
  EXPECT_EQ(all.longest, 8U);
  EXPECT_EQ(all.n50, 6U);
  EXPECT_EQ(contig_set({"AAAA", "CCCC"}).statistics().n50, 4U);
  EXPECT_EQ(contig_set().statistics().n50, 0U);
}

}  // namespace
}  // namespace acre::contigs
