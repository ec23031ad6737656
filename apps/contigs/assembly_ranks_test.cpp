// SPDX-License-Identifier: BSD-3-Clause
// Contigs and unitigs of small genomes are compared with an independent reference (texts in a
// std::map).
#include <acre/acre.hpp>

#include <apps/contigs/assembly.hpp>
#include <apps/genome/shared_test_file.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acre::contigs {
namespace {

using genome::shared_test_file;

struct read {
  std::string bases;
  std::string quality;
};

class reference {
 public:
  explicit reference(const parameters& how) : how_(how) {}

  void add(const read& each) {
    for (std::size_t at = 0; at + how_.k <= each.bases.size(); ++at) {
      std::string text = upper(each.bases.substr(at, how_.k));
      if (text.find_first_not_of("ACGT") != std::string::npos) continue;
      const std::optional<char> left = at == 0 ? std::nullopt : extension(each, at - 1);
      const std::optional<char> right = extension(each, at + how_.k);
      seen& there = kmers_[canonical(text)];
      ++there.times;
      const bool forward = text == canonical(text);
      if (left) ++(forward ? there.left[*left] : there.right[complement(*left)]);
      if (right) ++(forward ? there.right[*right] : there.left[complement(*right)]);
    }
  }

  [[nodiscard]] std::set<std::string> contigs() {
    if (how_.unitigs) {
      choose_solid();
    } else {
      choose_uu();
    }
    std::set<std::string> found;
    std::set<std::string> visited;
    for (const std::string& text : texts()) {
      // A palindrome is both ends of its path.
      if (!is_palindrome(text) && (visited.contains(text) || before(text))) continue;
      std::string sequence = text;
      visited.insert(text);
      for (auto next = after(text); next; next = after(*next)) {
        visited.insert(*next);
        sequence += next->back();
        if (is_palindrome(*next)) break;
      }
      found.insert(std::min(sequence, reversed(sequence)));
    }
    for (const std::string& text : texts()) {
      if (visited.contains(text)) continue;
      std::string circle;
      std::string at = text;
      do {
        visited.insert(at);
        visited.insert(reversed(at));
        circle += at.back();
        at = after(at).value();
      } while (at != text);
      found.insert(smallest_turn(circle));
    }
    return found;
  }

 private:
  struct seen {
    unsigned times = 0;
    std::map<char, unsigned> left;
    std::map<char, unsigned> right;
  };

  static std::string upper(std::string text) {
    for (char& letter : text) letter = static_cast<char>(letter & ~0x20);
    return text;
  }
  static char complement(char letter) {
    return letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : 'A';
  }
  static std::string reversed(const std::string& text) {
    std::string other(text.rbegin(), text.rend());
    for (char& letter : other) letter = complement(letter);
    return other;
  }
  static std::string canonical(const std::string& text) { return std::min(text, reversed(text)); }
  static bool is_palindrome(const std::string& text) { return text == reversed(text); }

  [[nodiscard]] std::optional<char> extension(const read& each, std::size_t at) const {
    if (at >= each.bases.size()) return std::nullopt;
    const char letter = upper(each.bases.substr(at, 1))[0];
    if (std::string("ACGT").find(letter) == std::string::npos) return std::nullopt;
    if (!each.quality.empty() && each.quality[at] - 33 < static_cast<int>(how_.min_quality)) {
      return std::nullopt;
    }
    return letter;
  }

  [[nodiscard]] std::optional<char> best(const std::map<char, unsigned>& counts) const {
    std::vector<std::pair<unsigned, char>> by_count;
    for (const auto& [letter, count] : counts) by_count.emplace_back(count, letter);
    std::ranges::sort(by_count, std::greater<>());
    if (by_count.empty() || by_count[0].first < how_.min_depth) return std::nullopt;
    if (by_count.size() > 1 && by_count[1].first >= how_.min_depth) return std::nullopt;
    return by_count[0].second;
  }

  void choose_uu() {
    std::map<std::string, std::pair<char, char>> uu;
    for (const auto& [text, there] : kmers_) {
      const auto left = best(there.left);
      const auto right = best(there.right);
      if (there.times < 2 || !left || !right) continue;
      if (is_palindrome(text) && *left != complement(*right)) continue;
      uu[text] = {*left, *right};
    }
    const auto left_of = [&](const std::string& text) {
      const auto& both = uu.at(canonical(text));
      return text == canonical(text) ? both.first : complement(both.second);
    };
    const auto leads_to = [&](const std::string& text) -> std::optional<std::string> {
      const std::string next = text.substr(1) + complement(left_of(reversed(text)));
      if (!uu.contains(canonical(next)) || canonical(next) == canonical(text)) return std::nullopt;
      return next;
    };
    std::set<std::string> left_out;
    for (const auto& [node, both] : uu) {
      for (const std::string& text : {node, reversed(node)}) {
        const auto next = leads_to(text);
        if (next && left_of(*next) != text[0]) left_out.insert(node);
      }
    }
    for (const auto& [node, both] : uu) {
      if (left_out.contains(node)) continue;
      nodes_.insert(node);
      for (const std::string& text : {node, reversed(node)}) {
        const auto next = leads_to(text);
        if (!next || left_out.contains(canonical(*next))) continue;
        after_[text] = *next;
        before_[*next] = text;
      }
    }
  }

  void choose_solid() {
    for (const auto& [text, there] : kmers_) {
      if (there.times >= 2) nodes_.insert(text);
    }
    for (const std::string& text : texts()) {
      const auto successors = neighbours(text);
      if (successors.size() != 1 || canonical(successors[0]) == canonical(text)) continue;
      if (neighbours(reversed(successors[0])).size() != 1) continue;
      after_[text] = successors[0];
      before_[successors[0]] = text;
    }
  }
  [[nodiscard]] std::vector<std::string> neighbours(const std::string& text) const {
    std::vector<std::string> all;
    for (const char letter : {'A', 'C', 'G', 'T'}) {
      const std::string next = text.substr(1) + letter;
      if (nodes_.contains(canonical(next))) all.push_back(next);
    }
    return all;
  }

  [[nodiscard]] std::set<std::string> texts() const {
    std::set<std::string> all;
    for (const std::string& node : nodes_) {
      all.insert(node);
      all.insert(reversed(node));
    }
    return all;
  }
  [[nodiscard]] std::optional<std::string> after(const std::string& text) const {
    const auto at = after_.find(text);
    return at == after_.end() ? std::nullopt : std::optional(at->second);
  }
  [[nodiscard]] std::optional<std::string> before(const std::string& text) const {
    const auto at = before_.find(text);
    return at == before_.end() ? std::nullopt : std::optional(at->second);
  }

  [[nodiscard]] std::string smallest_turn(const std::string& circle) const {
    std::string smallest;
    std::string result;
    for (const std::string& strand : {circle, reversed(circle)}) {
      for (std::size_t begin = 0; begin < strand.size(); ++begin) {
        std::string turn;
        while (turn.size() < circle.size() + how_.k - 1) {
          turn += strand[(begin + turn.size()) % strand.size()];
        }
        const std::string first = turn.substr(0, how_.k);
        if (canonical(first) != first || (!smallest.empty() && smallest <= first)) continue;
        smallest = first;
        result = turn;
      }
    }
    return result;
  }

  parameters how_;
  std::map<std::string, seen> kmers_;
  std::set<std::string> nodes_;
  std::map<std::string, std::string> after_;
  std::map<std::string, std::string> before_;
};

using generator = std::mt19937_64;

std::size_t below(generator& random, std::size_t end) { return random() % end; }

std::string random_bases(generator& random, std::size_t length) {
  std::string bases;
  for (std::size_t i = 0; i < length; ++i) bases += "ACGT"[below(random, 4)];
  return bases;
}

std::string reversed(const std::string& text) {
  std::string other(text.rbegin(), text.rend());
  for (char& letter : other) letter = "TGCA"[std::string_view("ACGT").find(letter)];
  return other;
}

std::string random_genome(generator& random, std::size_t length) {
  std::string genome = random_bases(random, length / 4 + 1);
  while (genome.size() < length) {
    const std::size_t size = 1 + below(random, length / 8 + 1);
    const std::string old = genome.substr(below(random, genome.size()), size);
    switch (below(random, 6)) {
      case 0:
        genome += old;
        break;
      case 1:
        genome += reversed(old);
        break;
      case 2:
        genome += old + reversed(old);
        break;
      case 3:
        genome += std::string(size / 2 + 1, "ACGT"[below(random, 4)]);
        break;
      default:
        genome += random_bases(random, size);
    }
  }
  return genome;
}

struct sample {
  std::size_t genome = 400;
  std::size_t read = 60;
  double depth = 12;
  bool circular = false;
  bool qualities = true;
};

std::vector<read> random_reads(generator& random, const sample& like) {
  std::string genome = random_genome(random, like.genome);
  if (like.circular) {
    while (genome.size() < like.genome + like.read) genome += genome.substr(0, like.genome);
  }
  std::vector<read> reads;
  const auto wanted = static_cast<std::size_t>(like.depth * static_cast<double>(like.genome) /
                                               static_cast<double>(like.read));
  for (std::size_t i = 0; i < wanted; ++i) {
    read each;
    const std::size_t length = 1 + below(random, 2 * like.read);
    each.bases = genome.substr(below(random, genome.size()), length);
    if (below(random, 2) == 0) each.bases = reversed(each.bases);
    if (like.qualities) each.quality = std::string(each.bases.size(), 'I');
    for (std::size_t at = 0; at < each.bases.size(); ++at) {
      if (below(random, 150) == 0) each.bases[at] = "ACGTNacgt-"[below(random, 10)];
      if (like.qualities && below(random, 20) == 0) {
        each.quality[at] = static_cast<char>('!' + below(random, 42));
      }
    }
    reads.push_back(each);
  }
  return reads;
}

std::string text_of(const std::vector<read>& reads, std::size_t line) {
  std::string text;
  for (const read& each : reads) {
    if (!each.quality.empty()) {
      text += "@r\n" + each.bases + "\n+\n" + each.quality + "\n";
      continue;
    }
    text += ">r\n";
    for (std::size_t at = 0; at < each.bases.size(); at += line) {
      text += each.bases.substr(at, line) + "\n";
    }
  }
  return text;
}

void compare(const std::vector<read>& reads, const parameters& how, const std::string& name) {
  const shared_test_file file(name, text_of(reads, 70));
  const std::vector<std::string> files{file.path()};
  const assembly made = assemble_reads(files, how);
  if (rank() != 0) {
    EXPECT_TRUE(made.contigs.sequences().empty());
    return;
  }
  reference expected(how);
  for (const read& each : reads) expected.add(each);
  const std::vector<std::string>& found = made.contigs.sequences();
  const std::set<std::string> unique(found.begin(), found.end());
  EXPECT_EQ(unique.size(), found.size()) << "a contig is there twice";
  EXPECT_EQ(unique, expected.contigs());
}

std::uint64_t chosen_seed() {
  const char* const text = std::getenv("ACRE_TEST_SEED");
  std::uint64_t seed = text == nullptr ? std::random_device{}() : std::stoull(text);
  seed = world().broadcast(seed, 0);
  return seed;
}

void compare_random(unsigned rounds, bool unitigs) {
  const std::uint64_t seed = chosen_seed();
  generator random(seed);
  constexpr std::array ks{1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 11U, 12U, 21U, 31U, 32U, 33U, 40U, 63U};
  for (unsigned round = 0; round < rounds; ++round) {
    const parameters how{.k = ks[below(random, ks.size())],
                         .min_depth = static_cast<unsigned>(1 + below(random, 10)),
                         .min_quality = static_cast<unsigned>(below(random, 41)),
                         .unitigs = unitigs};
    const sample like{.genome = 1 + below(random, how.k < 8 ? 100 : 700),
                      .read = how.k + 1 + below(random, 60),
                      .depth = static_cast<double>(2 + below(random, 60)),
                      .circular = below(random, 2) == 0,
                      .qualities = below(random, 3) != 0};
    SCOPED_TRACE("ACRE_TEST_SEED=" + std::to_string(seed) + " round " + std::to_string(round) +
                 " k " + std::to_string(how.k) + " d " + std::to_string(how.min_depth));
    std::vector<read> reads = random_reads(random, like);
    reads.push_back({random_bases(random, 5), like.qualities ? "IIIII" : ""});
    compare(reads, how, below(random, 2) == 0 ? "reads.gz" : "reads");
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Assembly, FindsTheContigsOfRandomReads) { compare_random(12, false); }

TEST(Assembly, FindsTheUnitigsOfRandomReads) { compare_random(12, true); }

std::vector<std::string> assemble_text(const std::string& text, const parameters& how,
                                       const std::string& name = "reads") {
  const shared_test_file file(name, text);
  const std::vector<std::string> files{file.path()};
  return assemble_reads(files, how).contigs.sequences();
}

TEST(Assembly, LosesNothingWhereLongRecordsAreCut) {
  generator random(3);
  const std::string genome = random_bases(random, 270'000);
  const std::string text = text_of({{genome, ""}, {reversed(genome), ""}}, 70);
  for (const auto& [k, name] : {std::pair(31U, "reads"), std::pair(40U, "reads.gz")}) {
    const auto found = assemble_text(text, {.k = k, .min_depth = 2}, name);
    if (rank() != 0) continue;
    const std::string whole = genome.substr(1, genome.size() - 2);
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_TRUE(found[0] == std::min(whole, reversed(whole))) << name << " " << k;
  }
}

TEST(Assembly, FindsCirclesOfEveryLength) {
  // With and without milestones (1 node in 256), and shorter than k.
  generator random(4);
  for (const unsigned k : {5U, 31U, 33U}) {
    for (const std::size_t length : {1UL, 3UL, 50UL, 2000UL}) {
      const std::string circle = random_bases(random, length);
      std::string turns;
      while (turns.size() < 2 * length + 4 * k) turns += circle;
      const std::vector<read> reads{{turns, ""}, {turns, ""}, {reversed(turns), ""}};
      SCOPED_TRACE("k " + std::to_string(k) + " circle " + circle.substr(0, 60));
      compare(reads, {.k = k, .min_depth = 3}, "circle");
      compare(reads, {.k = k, .unitigs = true}, "circle");
    }
  }
}

TEST(Assembly, JoinsManyCirclesAndLinesAtOnce) {
  generator random(5);
  std::vector<read> reads;
  for (unsigned i = 0; i < 100; ++i) {
    const std::string bases = random_bases(random, 40 + below(random, 100));
    std::string turns = bases;
    if (i % 2 == 0) turns += bases + bases.substr(0, 40);
    for (unsigned copy = 0; copy < 3; ++copy) reads.push_back({turns, ""});
  }
  compare(reads, {.k = 21, .min_depth = 3}, "many");
  compare(reads, {.k = 21, .unitigs = true}, "many");
}

TEST(Assembly, EndsAPathAtAPalindrome) {
  generator random(6);
  for (const unsigned k : {4U, 12U, 32U}) {
    const std::string half = random_bases(random, 50);
    const std::string turning = random_bases(random, 30) + half + reversed(half);
    const std::vector<read> reads(4, read{turning + random_bases(random, 30), ""});
    SCOPED_TRACE("k " + std::to_string(k));
    compare(reads, {.k = k}, "palindrome");
    compare(reads, {.k = k, .unitigs = true}, "palindrome");
  }
}

TEST(Assembly, CountsExtensionsOfGoodQualityOnly) {
  const std::string bases = "ACGTTGCATTACGAGGCATC";
  std::string quality(bases.size(), '5');
  const auto times = [&](unsigned number) {
    return text_of(std::vector<read>(number, {bases, quality}), 70);
  };
  EXPECT_EQ(assemble_text(times(4), {.k = 7, .min_quality = 20}).size(), rank() == 0 ? 1U : 0U);
  EXPECT_TRUE(assemble_text(times(4), {.k = 7, .min_quality = 21}).empty());
  EXPECT_TRUE(assemble_text(times(3), {.k = 7, .min_quality = 20}).empty());
}

TEST(Assembly, CountsExtensionsAsDeepAsItIsAsked) {
  const std::string bases = "ACGTTGCATTACGAGGCATC";
  for (const unsigned depth : {1U, 2U, 7U, 8U, most_depth}) {
    for (const unsigned missing : {0U, 1U}) {
      const std::vector<read> reads(std::max(depth, 2U) - missing, {bases, ""});
      const bool enough = reads.size() >= depth && reads.size() > 1;
      EXPECT_EQ(assemble_text(text_of(reads, 70), {.k = 7, .min_depth = depth}).empty(),
                rank() != 0 || !enough)
          << depth;
    }
  }
}

TEST(Assembly, ReadsListsOfKmers) {
  generator random(7);
  for (const unsigned k : {21U, 63U}) {
    const std::string genome = random_bases(random, 3000);
    std::string list;
    for (std::size_t at = 1; at + k < genome.size(); ++at) {
      std::string text = genome.substr(at, k);
      std::string ends{genome[at - 1], genome[at + k]};
      if (at == 1500) ends[0] = 'F';
      if (at == 2000) ends[1] = 'X';
      if (at % 2 == 0) {
        text = reversed(text);
        ends = std::string{ends[1], ends[0]};
        for (char& letter : ends) {
          if (letter != 'F' && letter != 'X') letter = reversed(std::string(1, letter))[0];
        }
      }
      list += text + "\t" + ends + "\n";
    }
    std::set<std::string> expected;
    const auto add = [&](std::size_t first, std::size_t last) {
      const std::string part = genome.substr(first, last - first + k);
      expected.insert(std::min(part, reversed(part)));
    };
    add(1, 1499);
    add(1501, 1999);
    add(2001, genome.size() - k - 1);
    for (const char* name : {"list", "list.gz"}) {
      const shared_test_file file(name, list);
      const std::vector<std::string> files{file.path()};
      const assembly made = assemble_list(files, {.k = k});
      if (rank() != 0) continue;
      const auto& found = made.contigs.sequences();
      EXPECT_EQ(std::set<std::string>(found.begin(), found.end()), expected) << name << " " << k;
      EXPECT_EQ(found.size(), expected.size());
    }
  }
}

TEST(Assembly, RefusesAListWithAKmerTwice) {
  const shared_test_file file("list", "ACGTA\tCG\nAACCA\tTT\nTACGT\tCG\n");
  const std::vector<std::string> files{file.path()};
  EXPECT_THROW(static_cast<void>(assemble_list(files, {.k = 5})), error);
  barrier();
}

}  // namespace
}  // namespace acre::contigs
