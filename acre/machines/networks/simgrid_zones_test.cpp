// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/simgrid_platform.hpp>
#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

using names = std::vector<std::string>;

described_network read(const std::string& inside) {
  return read_simgrid_platform(
      source_text("platform.xml", "<platform version=\"4.1\">\n" + inside + "</platform>\n"));
}
std::string wrong(const std::string& inside) {
  return wrong_with(read_simgrid_platform,
                    "<platform version=\"4.1\">\n" + inside + "</platform>\n");
}

names way(const described_network& machine, topology::node_t from, topology::node_t to) {
  std::vector<topology::link_t> crossed;
  machine.network->route(from, to, crossed);
  EXPECT_EQ(crossed.size(), machine.network->distance(from, to));
  names found;
  for (const topology::link_t link : crossed) found.push_back(machine.network->link_name(link));
  return found;
}

const std::string two_clusters =
    "<zone id=\"all\" routing=\"Full\">\n"
    " <cluster id=\"a\" prefix=\"a-\" suffix=\".org\" radical=\"0-1\" bw=\"1GBps\"/>\n"
    " <cluster id=\"b\" prefix=\"b-\" suffix=\".org\" radical=\"0-2\" bw=\"1GBps\" "
    "bb_bw=\"2GBps\"\n"
    "          router_id=\"gate\"/>\n"
    " <link id=\"between\" bandwidth=\"4GBps\"/>\n"
    " <zoneRoute src=\"a\" dst=\"b\" gw_src=\"a-a_router.org\" gw_dst=\"gate\">\n"
    "  <link_ctn id=\"between\"/>\n"
    " </zoneRoute>\n"
    "</zone>\n";

TEST(SimgridZones, JoinsClustersThroughTheirGates) {
  const auto machine = read(two_clusters);
  EXPECT_EQ(machine.node_names, (names{"a-0.org", "a-1.org", "b-0.org", "b-1.org", "b-2.org"}));
  EXPECT_EQ(way(machine, 0, 1), (names{"a link 0 up", "a link 1 down"}));
  EXPECT_EQ(way(machine, 2, 4), (names{"b link 0 up", "b_backbone", "b link 2 down"}));
  EXPECT_EQ(way(machine, 1, 3), (names{"a link 1 up", "between", "b_backbone", "b link 1 down"}));
  EXPECT_EQ(way(machine, 3, 1), (names{"b link 1 up", "b_backbone", "between", "a link 1 down"}));
  EXPECT_EQ(machine.network->bandwidth(0, 4), 1e9);
  ASSERT_EQ(machine.network->levels(), 1U);
  EXPECT_EQ(machine.network->group(0, 0), machine.network->group(1, 0));
  EXPECT_NE(machine.network->group(0, 0), machine.network->group(2, 0));
  EXPECT_TRUE(machine.warnings.empty());
}

TEST(SimgridZones, ChainsRoutesByTheFewestLinks) {
  const auto machine = read(
      "<zone id=\"z\" routing=\"Floyd\">\n"
      "<host id=\"x\"/><host id=\"y\"/><router id=\"r\"/><router id=\"s\"/>\n"
      "<link id=\"1\" bandwidth=\"1GBps\"/><link id=\"2\" bandwidth=\"1GBps\"/>\n"
      "<link id=\"3\" bandwidth=\"1GBps\" sharing_policy=\"SPLITDUPLEX\"/>\n"
      "<route src=\"x\" dst=\"r\"><link_ctn id=\"1\"/></route>\n"
      "<route src=\"r\" dst=\"s\"><link_ctn id=\"2\"/></route>\n"
      "<route src=\"s\" dst=\"y\"><link_ctn id=\"3_UP\"/></route>\n"
      "<route src=\"x\" dst=\"y\"><link_ctn id=\"1\"/><link_ctn id=\"1\"/><link_ctn id=\"1\"/>\n"
      "<link_ctn id=\"1\"/></route></zone>\n");
  EXPECT_EQ(way(machine, 0, 1), (names{"1", "2", "3 up"}));
  EXPECT_EQ(way(machine, 1, 0), (names{"3 down", "2", "1"}));
}

TEST(SimgridZones, MakesAStarOfHostLinksAndCabinets) {
  const auto machine = read(
      "<zone id=\"z\" routing=\"Cluster\">\n"
      "<host id=\"x\"/><link id=\"l\" bandwidth=\"1GBps\"/><host_link id=\"x\" up=\"l\" "
      "down=\"l\"/>\n"
      "<cabinet id=\"c\" prefix=\"c\" suffix=\"\" radical=\"1-2\" bw=\"1GBps\"/>\n"
      "<backbone id=\"b\" bandwidth=\"8GBps\"/></zone>\n");
  EXPECT_EQ(machine.node_names, (names{"x", "c1", "c2"}));
  EXPECT_EQ(way(machine, 0, 2), (names{"l", "b", "c link 2 down"}));
}

TEST(SimgridZones, TakesAFatPipeForALinkThatIsNeverBusyAndSaysSo) {
  const auto machine = read(
      "<zone id=\"z\" routing=\"Full\"><host id=\"x\"/><host id=\"y\"/>\n"
      "<link id=\"l\" bandwidth=\"1GBps\" sharing_policy=\"FATPIPE\"/>\n"
      "<route src=\"x\" dst=\"y\"><link_ctn id=\"l\"/></route></zone>\n");
  EXPECT_EQ(machine.network->bandwidth(0, 1), 1e15);
  EXPECT_EQ(
      machine.warnings,
      (names{"platform.xml:3: link 'l' is a FATPIPE, which has unlimited bandwidth: 10^6 GB/s "
             "are assumed"}));
}

TEST(SimgridZones, TakesAMissingRouteToAGatewayForOneWithoutLinks) {
  const auto machine = read(
      "<zone id=\"all\" routing=\"Full\">\n"
      "<zone id=\"a\" routing=\"Full\"><host id=\"x\"/><router id=\"g\"/></zone>\n"
      "<zone id=\"b\" routing=\"Full\"><host id=\"y\"/></zone>\n"
      "<link id=\"l\" bandwidth=\"1GBps\"/>\n"
      "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"g\" gw_dst=\"y\"><link_ctn id=\"l\"/></zoneRoute>\n"
      "</zone>\n");
  EXPECT_EQ(way(machine, 0, 1), (names{"l"}));
  EXPECT_EQ(way(machine, 1, 0), (names{"l"}));
  EXPECT_EQ(machine.warnings,
            (names{"platform.xml:3: in zone 'a' no route leads from 'x' to 'g': missing routes to "
                   "and from a gateway are assumed to cross no link"}));
}

TEST(SimgridZones, NamesTheLineThatIsWrong) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = two_clusters;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_NE(wrong(with("gw_dst=\"gate\"", "gw_dst=\"door\""))
                .find("file:7: host or router 'door' not found"),
            std::string::npos);
  EXPECT_NE(
      wrong(with("gw_dst=\"gate\"", "gw_dst=\"a-0.org\"")).find("file:7: the gateway 'a-0.org'"),
      std::string::npos);
  EXPECT_NE(wrong(with("link_ctn id=\"between\"", "link_ctn id=\"beyond\""))
                .find("file:8: link 'beyond' not found"),
            std::string::npos);
  EXPECT_NE(wrong(with("id=\"b\" prefix=\"b-\"", "id=\"b\" topology=\"TORUS\" prefix=\"b-\""))
                .find("file:4: a cluster of topology 'TORUS' is not alone in the file"),
            std::string::npos);
  EXPECT_NE(wrong(with("<zoneRoute src=\"a\" dst=\"b\"",
                       "<zoneRoute symmetrical=\"NO\" src=\"a\" dst=\"b\""))
                .find("file:2: in zone 'all' no route leads from 'b' to 'a'"),
            std::string::npos);
  EXPECT_NE(
      wrong(with("routing=\"Full\"", "routing=\"Magic\"")).find("file:2: the routing 'Magic'"),
      std::string::npos);
}

TEST(SimgridZones, RefusesWhatItDoesNotKnow) {
  for (const char* inside :
       {"<zone id='z' routing='Vivaldi'><host id='x'/><host id='y'/></zone>",
        "<zone id='z' routing='Full'><peer id='x'/></zone>",
        "<zone id='z' routing='Full'><host id='x'/><host id='x'/></zone>",
        "<zone id='z' routing='Full'><host/></zone>", "<zone id='z' routing='Full'/>",
        "<zone id='z' routing='Cluster'><host id='x'/></zone>",
        "<zone id='z' routing='Cluster'><zone id='y' routing='Full'><host id='x'/></zone></zone>",
        "<zone id='z' routing='Full'><link id='l' bandwidth='1Mbps,2Mbps'/><host id='x'/></zone>",
        "<zone id='z' routing='Full'><host id='x'/><bypassRoute/></zone>",
        "<zone id='z' routing='Full'><host id='x'/><zone id='y' routing='Full'><host "
        "id='w'/></zone>"
        "<route src='x' dst='w'/></zone>",
        "<zone id='z' routing='Full'><host id='x'/><zoneRoute src='z' dst='z' gw_src='x' "
        "gw_dst='x'/></zone>"}) {
    EXPECT_NE(wrong(inside), "no error") << inside;
  }
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "<zone id='" + std::to_string(i) + "' routing='Full'>";
  deep += "<host id='x'/><host id='y'/>";
  for (int i = 0; i < 40; ++i) deep += "</zone>";
  EXPECT_NE(wrong(deep).find("too deeply"), std::string::npos);
}

}  // namespace
}  // namespace acre::machines
