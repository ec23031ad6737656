// SPDX-License-Identifier: BSD-3-Clause
// Joins the segments of all ranks to canonical paths, on one rank: with one stop in 256 nodes, 10^9
// letters give about 4 x 10^6 segments. Memory: twice the letters of all contigs.
#pragma once

#include <apps/contigs/links.hpp>
#include <apps/contigs/sequence.hpp>
#include <apps/contigs/walks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace acre::contigs {

template <std::size_t Words>
class stitcher {
 public:
  explicit stitcher(const spelling<Words>& letters) : letters_(letters) {}

  /// `list` must outlive this object.
  void add(const segment_list<Words>& list) {
    std::size_t begin = 0;
    for (const segment<Words>& each : list.segments) {
      const std::string_view bases = std::string_view(list.letters).substr(begin, each.length);
      begin += each.length;
      if (each.length == 0) {
        single_.push_back(each.from);
      } else {
        ways_.emplace(each.from, way{each.from, each.to, bases, false});
        const word back = letters_.reverse(each.to);
        ways_.emplace(back, way{back, letters_.reverse(each.from), bases, true});
      }
    }
  }

  /// Canonical sequences of all paths, unordered.
  [[nodiscard]] std::vector<std::string> sequences() {
    std::vector<std::string> all;
    for (const word& node : single_) all.push_back(genome::to_string(node, letters_.k()));
    for (auto& [from, first] : ways_) {
      if (is_end(letters_.reverse(from))) follow_line(first, all);
    }
    for (auto& [from, first] : ways_) {
      if (!first.used) all.push_back(canonical_circle<Words>(follow_circle(first), letters_.k()));
    }
    return all;
  }

 private:
  using word = kmer<Words>;

  struct way {
    word from;
    word to;
    std::string_view bases;
    bool backwards;
    bool used = false;
  };

  /// True if no path continues from a text; at a palindrome it only leads back.
  [[nodiscard]] bool is_end(const word& text) const {
    return !ways_.contains(text) || letters_.is_palindrome(text);
  }

  void append(std::string& sequence, const way& part) const {
    if (!part.backwards) {
      sequence += part.bases;
      return;
    }
    // The original segment without its last k letters: `sequence` ends with their complement.
    std::string walked = genome::to_string(letters_.reverse(part.to), letters_.k());
    walked += part.bases;
    walked.resize(part.bases.size());
    sequence += reverse_complement(walked);
  }

  void follow_line(way& first, std::vector<std::string>& all) {
    std::vector<const way*> parts;
    word end = first.from;
    do {
      way& next = ways_.at(end);
      next.used = true;
      parts.push_back(&next);
      end = next.to;
    } while (!is_end(end));
    if (letters_.reverse(end) < first.from) return;
    std::string sequence = genome::to_string(first.from, letters_.k());
    for (const way* part : parts) append(sequence, *part);
    all.push_back(canonical_line(std::move(sequence)));
  }

  [[nodiscard]] std::string follow_circle(way& first) {
    std::string circle;
    way* part = &first;
    do {
      part->used = true;
      ways_.at(letters_.reverse(part->to)).used = true;
      append(circle, *part);
      part = &ways_.at(part->to);
    } while (part != &first);
    return circle;
  }

  spelling<Words> letters_;
  std::vector<word> single_;
  std::unordered_map<word, way> ways_;
};

}  // namespace acre::contigs
