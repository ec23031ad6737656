// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/json_text.hpp>

#include <acre/machines/networks/hostlist.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace acre::machines {
namespace {

class counting_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  counting_iterator(const char* at, std::size_t* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  counting_iterator& operator++() {
    // The parser reads the newline that ends a number, so the line increases one character later.
    if (after_line_) ++*line_;
    after_line_ = *at_++ == '\n';
    return *this;
  }
  counting_iterator operator++(int) {
    counting_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const counting_iterator& a, const counting_iterator& b) {
    return a.at_ == b.at_;
  }

 private:
  const char* at_;
  std::size_t* line_;
  bool after_line_ = false;
};

class tree_builder {
 public:
  tree_builder(const source_text& file, const std::size_t& line) : file_(file), line_(line) {}

  json_value take() { return std::move(root_); }

  bool null() { return add({.is = json_value::kind::null}); }
  bool boolean(bool value) {
    return add({.is = json_value::kind::boolean, .number = value ? 1.0 : 0.0});
  }
  bool number_integer(std::int64_t value) { return add_number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return add_number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return add_number(value); }
  bool string(std::string& value) {
    return add({.is = json_value::kind::text, .text = std::move(value)});
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(json_value::kind::object); }
  bool start_array(std::size_t) { return open(json_value::kind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    json_value& object = *open_.back();
    if (object.find(name) != nullptr) {
      file_.fail(line_, "duplicate key " + in_quotes(name), "remove one of them");
    }
    constexpr std::size_t most_keys = 64;
    if (object.keys.size() == most_keys)
      file_.fail(line_, "an object has more than 64 keys", if_too_large);
    object.keys.push_back(std::move(name));
    return true;
  }
  bool parse_error(std::size_t offset, const std::string&, const nlohmann::json::exception&) {
    file_.fail(file_.line_of(offset > 0 ? offset - 1 : 0), "the JSON is invalid",
               "look for a missing comma or bracket, and check that the file is complete");
  }

 private:
  json_value* place(json_value value) {
    constexpr std::size_t most_values = std::size_t{1} << 22;
    if (++values_ > most_values)
      file_.fail(line_, "the file has more than 2^22 values", if_too_large);
    value.line = line_;
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    return &open_.back()->values.emplace_back(std::move(value));
  }
  bool add(json_value value) {
    place(std::move(value));
    return true;
  }
  bool add_number(double value) { return add({.is = json_value::kind::number, .number = value}); }
  bool open(json_value::kind kind) {
    constexpr std::size_t deepest = 8;
    if (open_.size() == deepest)
      file_.fail(line_, "values are nested too deeply", "check that it is the right file");
    open_.push_back(place({.is = kind}));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const source_text& file_;
  const std::size_t& line_;
  json_value root_;
  std::vector<json_value*> open_;
  std::size_t values_ = 0;
};

}  // namespace

const json_value* json_value::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key);
  const auto place = static_cast<std::size_t>(found - keys.begin());
  return found == keys.end() || place >= values.size() ? nullptr : &values[place];
}

json_value parse_json(const source_text& file) {
  std::size_t line = 1;
  tree_builder builder(file, line);
  const char* begin = file.text().data();
  const bool parsed =
      nlohmann::json::sax_parse(counting_iterator(begin, &line),
                                counting_iterator(begin + file.text().size(), &line), &builder);
  if (!parsed) file.fail(line, "the JSON is invalid", "check that the file is complete");
  return builder.take();
}

void expect_keys(const source_text& file, const json_value& value,
                 std::initializer_list<std::string_view> known) {
  std::string list;
  for (const std::string_view each : known) list += (list.empty() ? "" : ", ") + std::string(each);
  if (value.is != json_value::kind::object) {
    file.fail(value.line, "expected an object", "write {…} with the keys " + list);
  }
  for (const std::string& key : value.keys) {
    if (std::ranges::find(known, key) != known.end()) continue;
    file.fail(value.find(key)->line, in_quotes(key) + " is an unknown key of this object",
              "use " + list);
  }
}

std::vector<std::string> names_in(const source_text& file, const json_value& value) {
  if (value.is == json_value::kind::text) {
    return file.at_line(value.line, [&] { return expand_hostlist(value.text, most_nodes); });
  }
  std::vector<std::string> names;
  if (value.is == json_value::kind::list) {
    for (const json_value& each : value.values) {
      if (each.is != json_value::kind::text || each.text.empty() ||
          each.text.size() > longest_name) {
        file.fail(each.line, "a name is not a text of 1 to 255 characters",
                  "write [\"n0\", \"n1\"]");
      }
      names.push_back(each.text);
    }
  }
  if (names.empty()) {
    file.fail(value.line, "names are missing", "write \"n[01-16]\" or [\"n0\", \"n1\"]");
  }
  return names;
}

std::uint32_t count_in(const source_text& file, const json_value& value) {
  const bool fits = value.is == json_value::kind::number && value.number >= 1 &&
                    value.number <= static_cast<double>(most_nodes) &&
                    value.number == std::floor(value.number);
  if (!fits)
    file.fail(value.line, "expected a whole number from 1 to 2^20", "write 24, not \"24\"");
  return static_cast<std::uint32_t>(value.number);
}

}  // namespace acre::machines
