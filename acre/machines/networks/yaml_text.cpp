// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/yaml_text.hpp>

#include <acre/base/parse_number.hpp>

#include <algorithm>

namespace acre::machines {
namespace {

constexpr std::string_view advice =
    "write it as in docs/topology.md, indented with blanks instead of tabs";

std::size_t end_of_quoted(std::string_view text) {
  const std::size_t end = text.find(text.front(), 1);
  return end == std::string_view::npos ? text.size() : end;
}

/// A comment begins with an unquoted '#' at the line's start or after a blank.
std::string_view without_comment(std::string_view text) {
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool begins = at == 0 || std::string_view(" \t:,[{-").find(text[at - 1]) != text.npos;
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && begins) {
      quote = c;
    } else if (c == '#' && (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t')) {
      return text.substr(0, at);
    }
  }
  return text;
}

struct block_line {
  std::size_t number;
  std::size_t indent;
  std::string_view text;
};

bool is_entry(std::string_view text) { return text == "-" || text.starts_with("- "); }

class yaml_reader {
 public:
  explicit yaml_reader(const source_text& file) : file_(file) {
    for (const text_line& line : file.all_lines()) add_line(line);
  }

  json_value read() {
    if (lines_.empty()) file_.fail("the file contains no value", "check that the file is complete");
    json_value root = block(lines_.front().indent, 0);
    if (next_ < lines_.size())
      fail(lines_[next_].number, "the indentation differs from that of the lines before");
    return root;
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& problem) const {
    file_.fail(line, problem, advice);
  }

  void add_line(const text_line& line) {
    const std::string_view text = without_comment(line.text);
    const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    const std::string_view said = without_blanks_around(text);
    if (said.empty()) return;
    if (text[indent] == '\t') fail(line.number, "the line is indented with a tab");
    if (said == "---" || said == "..." || said.starts_with('%')) {
      if (!lines_.empty() && said == "---") fail(line.number, "a second document begins");
      return;
    }
    lines_.push_back({.number = line.number, .indent = indent, .text = said});
  }

  json_value made(json_value::kind kind, std::size_t line) {
    constexpr std::size_t most_values = std::size_t{1} << 22;
    if (++values_ > most_values)
      file_.fail(line, "the file has more than 2^22 values", if_too_large);
    return {.is = kind, .line = line};
  }

  void check_depth(std::size_t line, std::size_t depth) const {
    constexpr std::size_t deepest = 32;
    if (depth > deepest) fail(line, "values are nested too deeply");
  }

  json_value block(std::size_t indent, std::size_t depth) {
    const block_line first = lines_[next_];
    check_depth(first.number, depth);
    if (is_entry(first.text)) return block_list(indent, depth);
    if (end_of_key(first.text) != std::string_view::npos) return block_object(indent, depth);
    ++next_;
    return inline_value(first.text, first.number, depth);
  }

  [[nodiscard]] bool is_at(std::size_t indent) const {
    return next_ < lines_.size() && lines_[next_].indent == indent;
  }

  json_value block_list(std::size_t indent, std::size_t depth) {
    json_value list = made(json_value::kind::list, lines_[next_].number);
    while (is_at(indent) && is_entry(lines_[next_].text)) {
      block_line& line = lines_[next_];
      const std::size_t begin = line.text.find_first_not_of(' ', 1);
      if (begin == std::string_view::npos) {
        ++next_;
        list.values.push_back(value_below(line.number, indent + 1, depth));
        continue;
      }
      line.indent += begin;
      line.text.remove_prefix(begin);
      list.values.push_back(block(line.indent, depth + 1));
    }
    return list;
  }

  json_value block_object(std::size_t indent, std::size_t depth) {
    json_value object = made(json_value::kind::object, lines_[next_].number);
    while (is_at(indent) && !is_entry(lines_[next_].text)) {
      const block_line line = lines_[next_++];
      const std::size_t end = end_of_key(line.text);
      if (end == std::string_view::npos) {
        fail(line.number, "expected KEY: VALUE, found " + in_quotes(line.text));
      }
      add_key(object, line.text.substr(0, end), line.number);
      const std::string_view rest = without_blanks_around(line.text.substr(end + 1));
      if (!rest.empty()) {
        object.values.push_back(inline_value(rest, line.number, depth + 1));
      } else if (is_at(indent) && is_entry(lines_[next_].text)) {
        object.values.push_back(block(indent, depth + 1));  // a list may be indented as its key
      } else {
        object.values.push_back(value_below(line.number, indent + 1, depth));
      }
    }
    return object;
  }

  json_value value_below(std::size_t line, std::size_t indent, std::size_t depth) {
    if (next_ == lines_.size() || lines_[next_].indent < indent) {
      return made(json_value::kind::null, line);
    }
    return block(lines_[next_].indent, depth + 1);
  }

  void add_key(json_value& object, std::string_view text, std::size_t line) const {
    std::string_view name = without_blanks_around(text);
    const bool quoted = name.size() > 1 && (name.front() == '"' || name.front() == '\'');
    if (quoted) name = name.substr(1, name.size() - 2);
    constexpr std::size_t most_keys = 64;
    if (object.keys.size() == most_keys)
      file_.fail(line, "an object has more than 64 keys", if_too_large);
    if (std::ranges::find(object.keys, name) != object.keys.end()) {
      file_.fail(line, "duplicate key " + in_quotes(name), "remove one of them");
    }
    object.keys.emplace_back(name);
  }

  static std::size_t end_of_key(std::string_view text) {
    std::size_t from = 0;
    if (text.front() == '"' || text.front() == '\'') from = end_of_quoted(text);
    if (text.front() == '{' || text.front() == '[') return std::string_view::npos;
    for (std::size_t at = text.find(':', from); at != std::string_view::npos;
         at = text.find(':', at + 1)) {
      if (at > 0 && (at + 1 == text.size() || text[at + 1] == ' ')) return at;
    }
    return std::string_view::npos;
  }

  json_value inline_value(std::string_view text, std::size_t line, std::size_t depth) {
    std::string_view rest = text;
    json_value value = text.front() == '{' || text.front() == '['
                           ? flow_value(rest, line, depth)
                           : scalar(parse_scalar(rest, ""), line);
    if (!without_blanks_around(rest).empty()) {
      fail(line, "expected the end of the line, found " + in_quotes(rest));
    }
    return value;
  }

  json_value flow_value(std::string_view& text, std::size_t line, std::size_t depth) {
    check_depth(line, depth);
    const char open = text.front();
    if (open != '{' && open != '[') return scalar(parse_scalar(text, ",]}"), line);
    const char close = open == '{' ? '}' : ']';
    json_value value = made(open == '{' ? json_value::kind::object : json_value::kind::list, line);
    text = after_blanks(text.substr(1), line);
    while (text.front() != close) {
      if (open == '{') {
        const std::size_t end = text.find(':');
        if (end == std::string_view::npos) fail(line, "a key is not followed by ':'");
        add_key(value, text.substr(0, end), line);
        text = after_blanks(text.substr(end + 1), line);
      }
      value.values.push_back(flow_value(text, line, depth + 1));
      text = after_blanks(text, line);
      if (text.front() == ',') {
        text = after_blanks(text.substr(1), line);
      } else if (text.front() != close) {
        fail(line, "expected ',' or '" + std::string(1, close) + "', found " + in_quotes(text));
      }
    }
    text.remove_prefix(1);
    return value;
  }

  std::string_view after_blanks(std::string_view text, std::size_t line) const {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) {
      fail(line, "a bracket is not closed in its line");
    }
    return text.substr(begin);
  }

  static std::string_view parse_scalar(std::string_view& text, std::string_view ends) {
    std::size_t length = std::min(text.find_first_of(ends), text.size());
    if (!text.empty() && (text.front() == '"' || text.front() == '\'')) {
      length = std::min(end_of_quoted(text) + 1, text.size());
    }
    const std::string_view taken = text.substr(0, length);
    text.remove_prefix(length);
    return without_blanks_around(taken);
  }

  json_value scalar(std::string_view text, std::size_t line) {
    if (text.empty()) fail(line, "a value is missing");
    const char first = text.front();
    if (first == '"' || first == '\'') {
      if (text.size() < 2 || text.back() != first)
        fail(line, "the closing quote of a text is missing");
      json_value value = made(json_value::kind::text, line);
      value.text = text.substr(1, text.size() - 2);
      return value;
    }
    if (std::string_view("&*!|>@`%").find(first) != std::string_view::npos) {
      fail(line, "this part of YAML is unsupported: " + in_quotes(text));
    }
    json_value value = made(kind_of(text), line);
    value.text = text;
    if (value.is == json_value::kind::number) {
      value.number = *base::parse_number<double>(text);
    } else if (value.is == json_value::kind::boolean) {
      value.number = same_word(text, "true") || same_word(text, "yes") ? 1 : 0;
    }
    return value;
  }

  static json_value::kind kind_of(std::string_view text) {
    for (const char* word : {"true", "false", "yes", "no"}) {
      if (same_word(text, word)) return json_value::kind::boolean;
    }
    if (text == "~" || same_word(text, "null")) return json_value::kind::null;
    return base::parse_number<double>(text) ? json_value::kind::number : json_value::kind::text;
  }

  const source_text& file_;
  std::vector<block_line> lines_;
  std::size_t next_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

json_value parse_yaml(const source_text& file) { return yaml_reader(file).read(); }

}  // namespace acre::machines
