// SPDX-License-Identifier: BSD-3-Clause
// Command lines; hides CLI11, whose headers compile slowly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): of the library
class App;
class Option;
}  // namespace CLI

namespace acre::command_line {

/// Functions return the option.
class option {
 public:
  explicit option(CLI::Option& self) : self_(&self) {}

  option& required();
  option& type_name(const char* name);
  option& shown_default();
  option& shown_default(const std::string& text);
  option& within(unsigned least, unsigned most);
  option& within(std::uint64_t least, std::uint64_t most);
  option& within(double least, double most);
  option& one_of(const std::vector<std::string>& values);
  /// @param check returns the problem, or empty
  option& check(std::function<std::string(const std::string&)> check, const char* kind = "");
  option& excludes(const option& other);

 private:
  CLI::Option* self_;
};

inline constexpr int usage_error = 2;

struct stop {
  int status = 0;  ///< 0 for --help and --version
  std::string problem;
  std::string answer;  ///< printed; on standard output if status is 0
};

/// Program or subcommand. Option variables must outlive the parsing.
class command {
 public:
  command(const std::string& about, const std::string& name);
  ~command();
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  /// Value: bool (flag), unsigned, std::uint64_t, double, std::string, optional unsigned or
  /// std::vector<std::string>.
  /// @param names "-k,--k"; without dashes: positional
  template <class Value>
  option add(const std::string& names, Value& value, const std::string& help);

  /// Option with a value of `values`; `chosen` gets its index.
  option add_choice(const std::string& names, const std::vector<std::string>& values,
                    std::function<void(std::size_t)> chosen, const std::string& help);

  /// `take` runs after all words are read.
  /// @param take throws acre::error
  option add_parsed(const std::string& names, std::function<void(const std::string&)> take,
                    const std::string& help);
  template <class Value, class Read>
  option add_parsed(const std::string& names, Value& value, Read read, const std::string& help) {
    return add_parsed(names, [&value, read](const std::string& text) { value = read(text); }, help);
  }

  command& add_command(const std::string& name, const std::string& about);
  void require_command();
  /// Replaces the text of add_command().
  void description(const std::string& text);
  void footer(const std::string& text);
  /// Also for existing subcommands.
  /// @param details printed too by --version --verbose, if not empty
  void version(const std::string& text, const std::string& details = {});
  /// Replaces CLI11's usage line.
  void usage(const std::string& line);
  /// Parsing ends at the first word that is no option: remaining().
  void leave_the_rest();

  /// @param missing called after parsing; returns missing words, or empty
  void require(std::function<std::string()> missing);
  /// @param problem called after parsing; returns the problem, or empty
  void refuse(std::function<std::string()> problem);

  /// @return reason to end, if any
  [[nodiscard]] std::optional<stop> parse(int words, char** text);
  /// Splits `text` at blanks; without program name.
  [[nodiscard]] std::optional<stop> parse(const std::string& text);

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] bool given() const;
  [[nodiscard]] bool given(const std::string& option) const;
  [[nodiscard]] bool takes_value(const std::string& option) const;
  [[nodiscard]] std::vector<std::string> remaining() const;
  [[nodiscard]] const std::vector<std::unique_ptr<command>>& commands() const { return commands_; }

 private:
  explicit command(CLI::App& self);
  void check_at_end(std::function<void()> check);
  template <class Parse>
  std::optional<stop> stopped(Parse&& parse);

  std::unique_ptr<CLI::App> own_;
  CLI::App* self_;
  std::vector<std::unique_ptr<command>> commands_;
  std::vector<std::function<void()>> checks_;
};

[[nodiscard]] int print(const stop& why);

/// Prints on one rank only.
[[nodiscard]] int print_once(const stop& why);

}  // namespace acre::command_line
