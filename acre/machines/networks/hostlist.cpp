// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/hostlist.hpp>

#include <acre/machines/networks/source_text.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace acre::machines {
namespace {

struct number_range {
  std::uint32_t first;
  std::uint32_t last;
  std::size_t digits;
};

struct piece {
  std::string_view text;
  std::vector<number_range> numbers;
  std::size_t names = 1;
};

/// True for ']', blanks and control characters; bytes above ASCII may be UTF-8.
bool is_none_of_names(char c) {
  constexpr unsigned char deleted = 0x7f;
  const auto byte = static_cast<unsigned char>(c);
  return c == ']' || byte <= ' ' || byte == deleted;
}

class hostlist_reader {
 public:
  hostlist_reader(std::string_view list, std::size_t most) : list_(list), most_(most) {}

  std::vector<std::string> expand() {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= list_.size();) {
      const std::size_t end = end_of_word(begin);
      const std::string_view word = without_blanks_around(list_.substr(begin, end - begin));
      if (word.empty()) fail("a name is missing");
      add_names(pieces_of(word), names);
      begin = end + 1;
    }
    return names;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw error("machines::expand_hostlist",
                "the list " + in_quotes(list_) + " is invalid: " + problem,
                "write names as n1,n2 or node[01-16,20]");
  }

  [[nodiscard]] std::size_t end_of_word(std::size_t begin) const {
    bool inside = false;
    for (std::size_t at = begin; at < list_.size(); ++at) {
      if (list_[at] == '[') inside = true;
      if (list_[at] == ']') inside = false;
      if (list_[at] == ',' && !inside) return at;
    }
    return list_.size();
  }

  [[nodiscard]] std::vector<piece> pieces_of(std::string_view word) const {
    std::vector<piece> pieces;
    while (!word.empty()) {
      piece next{.text = word.substr(0, word.find('[')), .numbers = {}};
      word.remove_prefix(next.text.size());
      if (std::ranges::any_of(next.text, is_none_of_names)) {
        fail("a name contains a blank or a ']'");
      }
      if (!word.empty()) {
        const std::size_t end = word.find(']');
        if (end == std::string_view::npos) fail("a '[' has no matching ']'");
        add_numbers(word.substr(1, end - 1), next);
        word.remove_prefix(end + 1);
      }
      pieces.push_back(std::move(next));
    }
    return pieces;
  }

  void add_numbers(std::string_view text, piece& to) const {
    to.names = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const number_range next = range_of(text.substr(begin, end - begin));
      to.names += std::size_t{next.last} - next.first + 1;
      if (to.names > most_) fail_for_size();
      to.numbers.push_back(next);
      begin = end + 1;
    }
  }

  [[nodiscard]] number_range range_of(std::string_view text) const {
    const std::size_t dash = std::min(text.find('-'), text.size());
    const std::string_view low = text.substr(0, dash);
    const std::string_view high = dash == text.size() ? low : text.substr(dash + 1);
    const auto first = as_number(low);
    const auto last = as_number(high);
    if (!first || !last || *last == std::numeric_limits<std::uint32_t>::max()) {
      fail(in_quotes(text) + " is neither a number below 2^32 nor a range");
    }
    if (*last < *first) fail("the range " + in_quotes(text) + " is descending");
    if (low.size() > longest_name) fail("a number has more than 255 digits");
    return {*first, *last, low.size()};
  }

  [[noreturn]] void fail_for_size() const {
    fail("it has more than " + std::to_string(most_) + " names");
  }

  void add_names(const std::vector<piece>& pieces, std::vector<std::string>& names) const {
    std::size_t count = 1;
    std::size_t length = 0;
    for (const piece& each : pieces) {
      count *= each.names;
      if (count > most_ - std::min(names.size(), most_)) fail_for_size();
      std::size_t digits = 0;
      for (const number_range& range : each.numbers) {
        digits = std::max({digits, range.digits, std::to_string(range.last).size()});
      }
      length += each.text.size() + digits;
      if (length > longest_name) fail("a name has more than 255 characters");
    }
    std::vector<std::string> made{""};
    for (const piece& each : pieces) made = continued(made, each);
    names.insert(names.end(), made.begin(), made.end());
  }

  static std::vector<std::string> continued(const std::vector<std::string>& begun,
                                            const piece& with) {
    std::vector<std::string> made;
    made.reserve(begun.size() * with.names);
    for (const std::string& each : begun) {
      const std::string stem = each + std::string(with.text);
      if (with.numbers.empty()) made.push_back(stem);
      for (const auto& [first, last, digits] : with.numbers) {
        for (std::uint32_t number = first; number <= last; ++number) {
          const std::string text = std::to_string(number);
          std::string& name = made.emplace_back(stem);
          name.append(digits - std::min(digits, text.size()), '0').append(text);
        }
      }
    }
    return made;
  }

  std::string_view list_;
  std::size_t most_;
};

}  // namespace

std::vector<std::string> expand_hostlist(std::string_view list, std::size_t most) {
  return hostlist_reader(list, most).expand();
}

}  // namespace acre::machines
