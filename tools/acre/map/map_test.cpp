// SPDX-License-Identifier: BSD-3-Clause
#include "map.hpp"

#include "command_line.hpp"
#include "option_words.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>
#include <variant>

namespace {

using acre::tool::listed_nodes;
using acre::tool::map_format;
using acre::tool::map_options;
using acre::tool::traffic_file;
using acre::tool::traffic_pattern;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

map_options usual() {
  map_options options;
  options.topology = "torus:4x4";
  options.slots = 4;
  options.traffic = traffic_pattern{"cart:8x8"};
  options.seconds = 300;
  options.trials = 1000;
  return options;
}

class Map : public testing::Test {
 public:
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;

 protected:
  Map() {
    std::filesystem::create_directory(folder_);
    acre::tool::add_map(acre_, parsed_);
  }
  ~Map() override {  // NOLINT(cppcoreguidelines-virtual-class-destructor)
    std::filesystem::remove_all(folder_);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

  /// Output; the exit status is in `status_`.
  std::string said(const map_options& options) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    status_ = acre::tool::map(options);
    complaint_ = testing::internal::GetCapturedStderr();
    return testing::internal::GetCapturedStdout();
  }

  std::string folder_ = testing::TempDir() + "acre-map-" + std::to_string(::getpid());
  map_options options_ = usual();
  int status_ = 0;
  std::string complaint_;
  map_options parsed_;
  acre::command_line::command acre_{"", "acre"};
};

std::vector<std::int64_t> numbers_in(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream stream(text);
  return {std::istream_iterator<std::int64_t>(stream), {}};
}

bool is_permutation(std::vector<std::int64_t> numbers, std::size_t count) {
  std::ranges::sort(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != static_cast<std::int64_t>(i)) return false;
  }
  return numbers.size() == count;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST_F(Map, ComparesTheBestFirstAndMarksTheDefault) {
  const std::string table = said(options_);
  EXPECT_EQ(status_, 0);
  EXPECT_TRUE(table.starts_with("mapping "));
  EXPECT_NE(table.find("\npacked (default) "), std::string::npos);
  EXPECT_EQ(table.find("\nscotch ") != std::string::npos, bool{ACRE_HAVE_SCOTCH});
  EXPECT_LT(table.find("\nblocks "), table.find("\npacked "));
}

TEST_F(Map, ShowsTimesWhereSmallMessagesMakeThemOthersThanLoads) {
  std::string table = said(options_);
  EXPECT_EQ(table.find("busiest link"), std::string::npos) << table;
  options_.traffic = traffic_pattern{"cart:8x8@1"};
  options_.microseconds = 1;
  options_.explain = true;
  table = said(options_);
  EXPECT_NE(table.find("  in phases  busiest link  "), std::string::npos) << table;
  EXPECT_NE(table.find("\n  The next best is "), std::string::npos) << table;
  EXPECT_NE(table.find(" instead of "), std::string::npos) << table;
}

TEST_F(Map, ShowsEachOrderOnce) {
  options_.traffic = traffic_pattern{"cart:64"};
  options_.topology = "torus:16";
  const std::string table = said(options_);
  EXPECT_NE(table.find("\nthe same order as packed: "), std::string::npos) << table;
  EXPECT_EQ(table.find("\nrows "), std::string::npos) << table;
}

TEST_F(Map, EveryFormatHoldsEachRankOnce) {
  options_.format = map_format::order;
  EXPECT_TRUE(is_permutation(numbers_in(said(options_)), 64));
  options_.format = map_format::mpich;
  EXPECT_TRUE(is_permutation(numbers_in(said(options_)), 64));
  options_.format = map_format::slurm;
  EXPECT_EQ(lines_of(said(options_)), 64U);
  options_.format = map_format::rankfile;
  std::string ranks = said(options_);
  EXPECT_EQ(lines_of(ranks), 64U);
  EXPECT_TRUE(ranks.starts_with("rank 0=node"));
  options_.format = map_format::intel;
  const std::string machines = said(options_);
  std::size_t total = 0;
  std::istringstream stream(machines);
  for (std::string line; std::getline(stream, line);) {
    total += std::stoul(line.substr(line.find(':') + 1));
  }
  EXPECT_EQ(total, 64U);
}

TEST_F(Map, RefusesFormatsThatLeaveNoSlotFreeBeforeItSearches) {
  options_.traffic = traffic_pattern{"cart:6x10"};
  options_.seconds = 86400;
  options_.trials = UINT64_MAX;
  for (const map_format format : {map_format::order, map_format::mpich}) {
    options_.format = format;
    EXPECT_EQ(said(options_), "");
    EXPECT_EQ(status_, 1);
    EXPECT_TRUE(
        complaint_.starts_with("acre: map: 60 ranks leave some of 64 slots free, which "
                               "this format does not support\n      use as many slots"))
        << complaint_;
  }
}

TEST_F(Map, RefusesFilesThatItCannotWriteBeforeItSearches) {
  options_.seconds = 86400;
  options_.trials = UINT64_MAX;
  options_.format = map_format::order;
  options_.output = path("nowhere/order");
  EXPECT_EQ(said(options_), "");
  EXPECT_NE(complaint_.find("nowhere/order cannot be written"), std::string::npos) << complaint_;
}

TEST_F(Map, SaysOnStandardErrorWhatItAssumed) {
  options_.topology = path("topology.conf");
  std::ofstream(options_.topology) << "SwitchName=a Nodes=n[0-7]\nSwitchName=b Nodes=n[8-15]\n";
  options_.order = acre::tool::algorithm_from("packed");
  EXPECT_TRUE(said(options_).starts_with("mapping "));
  EXPECT_EQ(complaint_, "acre: map: warning: " + options_.topology +
                            ":1: no switch is above 'a', 'b': a switch that connects them is "
                            "assumed, with the widest of their bandwidths\n");
}

TEST_F(Map, JsonHoldsTheOrderBothWays) {
  options_.format = map_format::json;
  options_.nodes = listed_nodes{"0-14,15"};
  options_.traffic = traffic_pattern{"cart:6x6"};
  const auto document = nlohmann::json::parse(said(options_));
  const auto slots = document.at("slot_of_rank").get<std::vector<std::size_t>>();
  const auto ranks = document.at("rank_of_slot").get<std::vector<std::int64_t>>();
  ASSERT_EQ(slots.size(), 36U);
  ASSERT_EQ(ranks.size(), 64U);
  for (std::size_t rank = 0; rank < slots.size(); ++rank) {
    EXPECT_EQ(ranks[slots[rank]], static_cast<std::int64_t>(rank));
    EXPECT_EQ(document.at("node_of_rank").at(rank),
              document.at("problem").at("nodes").at(slots[rank] / 4).at("name"));
  }
  EXPECT_EQ(std::ranges::count(ranks, -1), 28);
  EXPECT_EQ(document.at("problem").at("topology"), "torus:4x4");
  EXPECT_GE(document.at("speed_up").get<double>(), 1);
  EXPECT_EQ(document.at("metrics").at("mean_hops").get<double>(),
            document.at("metrics").at("hop_bytes").get<double>() /
                document.at("problem").at("bytes").get<double>());
  EXPECT_GE(document.at("tried").size(), 5U);
}

TEST_F(Map, TakesTheAlgorithmThatIsNamed) {
  options_.format = map_format::order;
  options_.order = acre::tool::algorithm_from("packed");
  const std::string packed = said(options_);
  EXPECT_TRUE(packed.starts_with("0\n1\n2\n3\n"));
  for (const char* name :
       {"blocks-rows", "blocks, rows", "round-robin", "Round Robin",
        ACRE_HAVE_SCOTCH ? "scotch" : "snake", "reverse-cuthill-mckee", "blocks-hilbert-refined"}) {
    options_.order = acre::tool::algorithm_from(name);
    const std::string order = said(options_);
    EXPECT_EQ(status_, 0) << complaint_;
    EXPECT_TRUE(is_permutation(numbers_in(order), 64)) << name;
    EXPECT_NE(order, packed) << name;
  }
  options_.order = acre::tool::algorithm_from("nonesuch");
  EXPECT_EQ(said(options_), "");
  EXPECT_EQ(status_, 1);
  EXPECT_TRUE(complaint_.starts_with("acre: map: mapping 'nonesuch' not found for this job\n"));
}

TEST_F(Map, WritesTheOrderToAFileAndTheTableToTheTerminal) {
  options_.output = path("order");
  options_.format = map_format::order;
  EXPECT_TRUE(said(options_).starts_with("mapping "));
  EXPECT_TRUE(is_permutation(numbers_in(content_of(options_.output)), 64));
  options_.output = "/nowhere/at all";
  said(options_);
  EXPECT_EQ(status_, 1);
  EXPECT_EQ(complaint_,
            "acre: map: /nowhere/at all cannot be written: No such file or directory\n"
            "      create the directory first\n");
}

TEST_F(Map, ReadsTrafficFromAFile) {
  const std::string matrix = path("ring.mtx");
  options_.traffic = traffic_file{.matrix = matrix};
  std::ofstream(matrix)
      << "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 5\n2 3 5\n3 1 5\n";
  options_.format = map_format::order;
  options_.nodes = listed_nodes{"5"};
  options_.slots = 3;
  EXPECT_TRUE(is_permutation(numbers_in(said(options_)), 3));
  std::ofstream(matrix, std::ios::app) << "9 9 9\n";
  said(options_);
  EXPECT_EQ(
      complaint_,
      "acre: machines::read_matrix_market: ring.mtx, line 6: the file has more entries than the 3 "
      "of the size line\n      correct the size line\n");
}

TEST_F(Map, ExplainsWithTheNamesOfLinks) {
  options_.explain = true;
  options_.topology = "tree:2x4x2";
  const std::string text = said(options_);
  EXPECT_NE(text.find("\nIn the default order, packed, the busiest link is "), std::string::npos);
  EXPECT_NE(text.find("\n  within a group of 2 nodes "), std::string::npos);
  EXPECT_NE(text.find("\n  between groups of 8 nodes "), std::string::npos);
  EXPECT_NE(text.find("\n  level 1 switch up (8 links) "), std::string::npos);
  EXPECT_NE(text.find("\nBytes by the links they cross\n"), std::string::npos);
}

TEST_F(Map, ExplainsJobsThatNeedNoLink) {
  options_.explain = true;
  options_.topology = "torus:1";
  options_.traffic = traffic_pattern{"cart:4"};
  const std::string text = said(options_);
  EXPECT_NE(text.find("In the default order, packed, no link is used.\nIt is the chosen order.\n"),
            std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST_F(Map, KeepsExplanationsOutOfAnOrder) {
  options_.explain = true;
  options_.format = map_format::order;
  EXPECT_TRUE(is_permutation(numbers_in(said(options_)), 64));
  EXPECT_TRUE(complaint_.starts_with("\nIn the default order"));
}

TEST_F(Map, PutsRanksIntoTheCoresOfTheirNodes) {
  options_.topology = "tree:4";
  options_.slots.reset();
  options_.inside = acre::tool::node_shape{2, 2, 4};
  options_.traffic = traffic_pattern{"cart:2x2x16"};
  options_.order = acre::tool::algorithm_from("round-robin");
  options_.explain = true;
  const std::string text = said(options_);
  EXPECT_EQ(status_, 0) << complaint_;
  EXPECT_NE(text.find("\nround robin, arranged inside nodes "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  between groups of 8 cores "), std::string::npos) << text;
  options_.slots = 17;
  said(options_);
  EXPECT_EQ(status_, 1);
  EXPECT_NE(complaint_.find("has 17 slots, but 2x2x4 = 16 cores"), std::string::npos) << complaint_;
}

TEST_F(Map, RefusesManyRanksBeforeItMakesTheirTraffic) {
  options_.traffic = traffic_pattern{"cart:1000x1000x1000"};
  said(options_);
  EXPECT_EQ(complaint_,
            "acre: mapping: 1000000000 ranks do not fit into 64 slots\n"
            "      use more nodes, or more slots per node\n");
  options_.slots = 100'000;
  options_.traffic = traffic_pattern{"rows:1x1000000"};
  said(options_);
  EXPECT_NE(complaint_.find("at most 2^28"), std::string::npos) << complaint_;
}

#if ACRE_HAVE_CAIRO
TEST_F(Map, DrawsPictures) {
  options_.pictures = {path("a.svg"), path("a.png")};
  said(options_);
  EXPECT_EQ(status_, 0) << complaint_;
  EXPECT_TRUE(content_of(path("a.svg")).starts_with("<?xml"));
  EXPECT_TRUE(content_of(path("a.png")).starts_with("\x89PNG"));
  options_.pictures = {path("a.gif")};
  said(options_);
  EXPECT_EQ(status_, 1);
}

TEST_F(Map, DrawsHeatMapsOfTheTraffic) {
  options_.heat_maps = {path("a.svg"), path("a.png")};
  EXPECT_NE(said(options_), "");
  EXPECT_TRUE(content_of(path("a.svg")).starts_with("<?xml"));
  EXPECT_TRUE(content_of(path("a.png")).starts_with("\x89PNG"));
  std::filesystem::remove(path("a.svg"));
  options_.topology = "";
  EXPECT_EQ(said(options_), "") << "without a network the picture is all";
  EXPECT_EQ(status_, 0) << complaint_;
  EXPECT_TRUE(content_of(path("a.svg")).starts_with("<?xml"));
  options_.heat_maps = {path("nowhere/a.svg")};
  said(options_);
  EXPECT_EQ(status_, 1);
  EXPECT_NE(complaint_.find("cannot be written"), std::string::npos);
}
#else
TEST_F(Map, NamesTheLibraryThatDrawsPictures) {
  options_.pictures = {path("a.svg")};
  said(options_);
  EXPECT_EQ(status_, 1);
  EXPECT_NE(complaint_.find("this build of Acre has no cairo"), std::string::npos) << complaint_;
}
#endif

#if !ACRE_HAVE_HWLOC
TEST_F(Map, NamesTheLibraryThatInspectsThisMachine) {
  options_.inside = acre::tool::this_node{};
  said(options_);
  EXPECT_EQ(status_, 1);
  EXPECT_NE(complaint_.find("this build of Acre has no hwloc"), std::string::npos) << complaint_;
}
#endif

TEST_F(Map, UnderstandsItsCommandLine) {
  EXPECT_FALSE(
      acre_.parse("map -t torus:4x4 -p cart:8x8 --slots 4 --format slurm --picture a.svg b.png"));
  EXPECT_EQ(parsed_.topology, "torus:4x4");
  EXPECT_EQ(parsed_.slots, 4U);
  EXPECT_EQ(parsed_.format, map_format::slurm);
  EXPECT_EQ(parsed_.pictures.size(), 2U);
}

TEST_F(Map, WritesAnOrderWhereOnlyAFileIsNamed) {
  EXPECT_FALSE(acre_.parse("map -t torus:4x4 -p cart:8x8 --output ranks"));
  EXPECT_EQ(parsed_.format, map_format::order);
}

TEST_F(Map, WantsAPatternOrAMatrixAndNotBoth) {
  EXPECT_TRUE(acre_.parse("map -t torus:4x4"));
  EXPECT_TRUE(acre_.parse("map -t torus:4x4 -p cart:8 -m a.mtx"));
  EXPECT_TRUE(acre_.parse("map -t torus:4x4 -p cart:8 --format yaml"));
  EXPECT_TRUE(acre_.parse("map -t torus:4x4 -p cart:8 --latency nan"));
  EXPECT_TRUE(acre_.parse("map -t torus:4x4 -p cart:8 --time -1"));
  EXPECT_TRUE(acre_.parse("map -t torus:4x4 -p cart:8 --latency 1 --messages a.mtx"));
}

TEST_F(Map, TakesStandardInputOnce) {
  EXPECT_FALSE(acre_.parse("map -t tree:2 -p cart:2 --nodes - --output -"));
  EXPECT_EQ(std::get<listed_nodes>(parsed_.nodes).list, "/dev/stdin");
  EXPECT_EQ(parsed_.output, "");
  EXPECT_FALSE(acre_.parse("map -t tree:2 -p cart:2 --nodes 0-1 --inside -"));
  EXPECT_EQ(std::get<acre::tool::node_file>(parsed_.inside).path, "/dev/stdin");
  const auto why = acre_.parse("map -t - -p cart:2 --nodes - --inside 2");
  ASSERT_TRUE(why);
  EXPECT_EQ(why->problem,
            "--topology and --nodes both read standard input: name a file for one of them");
  EXPECT_TRUE(acre_.parse("map -t tree:2 -p cart:2 --picture ''"));
}

TEST_F(Map, WantsANetworkUnlessItOnlyDrawsTheTraffic) {
  EXPECT_TRUE(acre_.parse("map -p cart:8"));
  EXPECT_FALSE(acre_.parse("map -p cart:8 --heat-map a.svg"));
}

TEST_F(Map, MeasuresAnOrderThatIsGiven) {
  options_.format = map_format::order;
  const std::string packed = [] {
    std::string lines;
    for (int rank = 0; rank < 64; ++rank) lines += std::to_string(rank) + "\n";
    return lines;
  }();
  std::ofstream(path("order.txt")) << packed;
  options_.order = acre::tool::measured_order{path("order.txt")};
  EXPECT_EQ(numbers_in(said(options_)), numbers_in(packed));
  EXPECT_EQ(status_, 0) << complaint_;
  // A file named like an algorithm.
  std::ofstream(path("greedy-refined")) << packed;
  options_.order = acre::tool::measured_order{path("greedy-refined")};
  EXPECT_EQ(numbers_in(said(options_)), numbers_in(packed));
  EXPECT_EQ(status_, 0) << complaint_;
  options_.order = acre::tool::improved_order{path("order.txt")};
  EXPECT_TRUE(is_permutation(numbers_in(said(options_)), 64));
  EXPECT_EQ(status_, 0) << complaint_;
  std::ofstream(path("order.txt")) << "0\n0\n";
  static_cast<void>(said(options_));
  EXPECT_EQ(status_, 1);
  EXPECT_NE(complaint_.find("order.txt"), std::string::npos) << complaint_;
}

TEST_F(Map, FindsTheGridOfTheRanksOfAFileOrTakesTheOneThatIsGiven) {
  std::ofstream file(path("ring.mtx"));
  file << "%%MatrixMarket matrix coordinate pattern symmetric\n64 64 112\n";
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      const int rank = 1 + 8 * row + column;
      if (column < 7) file << rank + 1 << ' ' << rank << '\n';
      if (row < 7) file << rank + 8 << ' ' << rank << '\n';
    }
  }
  file.close();
  traffic_file ring{.matrix = path("ring.mtx")};
  options_.traffic = ring;
  EXPECT_NE(said(options_).find("form a grid of 8x8"), std::string::npos) << complaint_;
  ring.grid = {4, 16};
  options_.traffic = ring;
  EXPECT_EQ(said(options_).find("form a grid"), std::string::npos);
  EXPECT_EQ(status_, 0) << complaint_;
  ring.grid = {4, 17};
  options_.traffic = ring;
  static_cast<void>(said(options_));
  EXPECT_EQ(status_, 1);
}

TEST_F(Map, TakesTheGridThatTheProgramHasMade) {
  const auto with = [&](const std::string& grid) {
    std::ofstream file(path("ring.mtx"));
    file << "%%MatrixMarket matrix coordinate real general\n% cartesian communicator: " << grid
         << "\n16 16 16\n";
    for (int i = 0; i < 16; ++i) file << i + 1 << ' ' << (i + 4) % 16 + 1 << " 8\n";
  };
  options_.traffic = traffic_file{.matrix = path("ring.mtx")};
  with("dims 4x4 periods 1x1 ranks 0-15");
  EXPECT_NE(said(options_).find("the ranks of this traffic form a grid of 4x4, a Cartesian "
                                "communicator of the program, with 100 % of the bytes in it\n"),
            std::string::npos);
  EXPECT_EQ(complaint_, "");
  with("dims 2x8 periods 1x1 ranks 0-15");
  EXPECT_EQ(said(options_).find("Cartesian"), std::string::npos);
  EXPECT_EQ(complaint_,
            "acre: map: warning: a grid of 2x8, a Cartesian communicator of the program, has 0 % "
            "of the bytes in it: it is ignored\n");
  options_.traffic = traffic_file{.matrix = path("ring.mtx"), .messages = {}, .grid = {4, 4}};
  said(options_);
  EXPECT_EQ(complaint_, "") << "who says the grid need not hear of others";
}

TEST_F(Map, CountsTheLatencyOfEachMessage) {
  const auto write = [&](const std::string& name, const char* amount) {
    std::ofstream(path(name)) << "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 "
                              << amount << '\n';
    return path(name);
  };
  options_.slots = 1;
  options_.microseconds = 1;
  options_.format = map_format::json;
  traffic_file given{.matrix = write("t.mtx", "8")};
  options_.traffic = given;
  const auto seconds = [&] {
    return nlohmann::json::parse(said(options_))["metrics"]["time_seconds"].get<double>();
  };
  EXPECT_NEAR(seconds(), 1e-6, 1e-7);
  write("t.messages.mtx", "4");
  EXPECT_NEAR(seconds(), 4e-6, 1e-7) << "found beside the matrix";
  given.messages = write("others.mtx", "3");
  options_.traffic = given;
  EXPECT_NEAR(seconds(), 3e-6, 1e-7);
  options_.format = map_format::table;
  EXPECT_NE(said(options_).find("\nlatency is added for each of the messages in others.mtx\n"),
            std::string::npos);
  std::ofstream(given.messages) << "%%MatrixMarket matrix coordinate real general\n3 3 0\n";
  said(options_);
  EXPECT_EQ(status_, 1);
  EXPECT_NE(complaint_.find("others.mtx has messages of 3 ranks, but "), std::string::npos);
  given.messages.clear();
  options_.traffic = given;
  options_.microseconds = 0;
  EXPECT_EQ(said(options_).find("latency"), std::string::npos);
}

TEST_F(Map, TakesCostsOfLevelsAsManyAsThereAre) {
  options_.topology = "tree:4x4";
  options_.wanted = acre::tool::goal_from("1:10:100");
  EXPECT_NE(said(options_).find("cost"), std::string::npos) << complaint_;
  EXPECT_EQ(status_, 0) << complaint_;
  options_.wanted = acre::tool::goal_from("1:10");
  static_cast<void>(said(options_));
  EXPECT_EQ(status_, 1);
  EXPECT_NE(complaint_.find("needs 3"), std::string::npos) << complaint_;
}

}  // namespace
