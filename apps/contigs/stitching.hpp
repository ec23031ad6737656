// SPDX-License-Identifier: BSD-3-Clause
// Putting the segments of all ranks together to whole paths, and reading each in the one direction
// that does not depend on where walks began.
//
// One rank does it: with one stop in 256 nodes a genome of a billion letters has some millions of
// segments. Its memory is the letters of all contigs, about twice.
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

  /// `list` must live until the end.
  void add(const segment_list<Words>& list) {
    std::size_t begin = 0;
    for (const segment<Words>& each : list.segments) {
      const std::string_view bases = std::string_view(list.letters).substr(begin, each.length);
      begin += each.length;
      if (each.length == 0) {
        single_.push_back(each.from);
      } else {
        ways_.emplace(each.from, way{each.from, each.to, bases, false});
        // The same on the other strand.
        const word back = letters_.reverse(each.to);
        ways_.emplace(back, way{back, letters_.reverse(each.from), bases, true});
      }
    }
  }

  /// The canonical sequences of all paths, in no order.
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

  /// A segment in one of its directions.
  struct way {
    word from;
    word to;
    std::string_view bases;  ///< of the segment as it was walked
    bool backwards;          ///< which is the other direction
    bool used = false;
  };

  /// Whether no path leads on from a text. (From a palindrome, one leads back.)
  [[nodiscard]] bool is_end(const word& text) const {
    return !ways_.contains(text) || letters_.is_palindrome(text);
  }

  void append(std::string& sequence, const way& part) const {
    if (!part.backwards) {
      sequence += part.bases;
      return;
    }
    // The segment as it was walked, without the k letters of its end, which are those of `from`.
    std::string walked = genome::to_string(letters_.reverse(part.to), letters_.k());
    walked += part.bases;
    walked.resize(part.bases.size());
    sequence += reverse_complement(walked);
  }

  /// Follows a path from its begin; of the two directions of a path one is kept.
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

  /// The letters of a circle, once around.
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
  std::unordered_map<word, way> ways_;  ///< by where they begin
};

}  // namespace acre::contigs
