// SPDX-License-Identifier: BSD-3-Clause
// The words that a program is started with, and its help.
//
// CLI11 does the work, and is compiled once: it is all headers, which take longer to compile than
// all of what a program says with them. Here is what our programs say.
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

/// An option of a command. Each function returns the option again.
class option {
 public:
  explicit option(CLI::Option& self) : self_(&self) {}

  option& required();
  /// What its value is called in the help.
  option& type_name(const char* name);
  /// The help shows the value that it has where nobody gives it.
  option& shown_default();
  option& shown_default(const std::string& text);
  option& within(unsigned least, unsigned most);
  option& within(std::uint64_t least, std::uint64_t most);
  option& within(double least, double most);
  option& one_of(const std::vector<std::string>& values);
  /// @param check says what is wrong with a text, and nothing where nothing is
  option& check(std::function<std::string(const std::string&)> check, const char* kind = "");
  /// The two cannot be given together.
  option& excludes(const option& other);

 private:
  CLI::Option* self_;
};

/// The exit status of a program whose command line is wrong.
inline constexpr int usage_error = 2;

/// Why no work is done: the words are wrong, or ask for help.
struct stop {
  int status = 0;       ///< of the process: 0 for --help and --version, or usage_error
  std::string problem;  ///< what is wrong with the words
  std::string answer;   ///< what to print, on standard output where the status is 0
};

/// A program or one of its subcommands. What options fill in must outlive the parsing.
class command {
 public:
  command(const std::string& about, const std::string& name);
  ~command();
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  /// Instantiated for bool (a flag), unsigned, std::uint64_t, double, std::string, optional
  /// unsigned and std::vector<std::string>.
  /// @param names "-k,--k"; a name without dashes is that of what follows the options
  template <class Value>
  option add(const std::string& names, Value& value, const std::string& help);

  /// An option whose value is one of `values`: `chosen` gets its place among them.
  option add_choice(const std::string& names, const std::vector<std::string>& values,
                    std::function<void(std::size_t)> chosen, const std::string& help);

  /// An option whose text `take` reads after all words are known.
  /// @param take throws acre::error where the text is wrong
  option add_parsed(const std::string& names, std::function<void(const std::string&)> take,
                    const std::string& help);
  /// The same for a value that `read` returns.
  template <class Value, class Read>
  option add_parsed(const std::string& names, Value& value, Read read, const std::string& help) {
    return add_parsed(names, [&value, read](const std::string& text) { value = read(text); }, help);
  }

  /// A subcommand; it lives as long as this.
  command& add_command(const std::string& name, const std::string& about);
  /// One of the subcommands must be given.
  void require_command();
  /// Replaces what add_command() said, in the command's own help.
  void description(const std::string& text);
  void footer(const std::string& text);
  /// The text of --version, also for the subcommands added so far.
  void version(const std::string& text);
  /// The help's first line, after "Usage: ", instead of what CLI11 makes of the options.
  void usage(const std::string& line);
  /// The first word that is no option of ours ends our part: see remaining().
  void leave_the_rest();

  /// After all words are read. @param missing returns what else is required, or an empty text
  void require(std::function<std::string()> missing);
  /// After all words are read. @param problem returns what is wrong with them, with option and
  ///                                          value, or an empty text
  void refuse(std::function<std::string()> problem);

  /// @return why the program is to end now, if it is
  [[nodiscard]] std::optional<stop> parse(int words, char** text);
  /// The same from one text, which words are cut from at blanks; begins with the first argument.
  [[nodiscard]] std::optional<stop> parse(const std::string& text);

  [[nodiscard]] const std::string& name() const;
  /// Whether this subcommand was given.
  [[nodiscard]] bool given() const;
  /// Whether this option was given.
  [[nodiscard]] bool given(const std::string& option) const;
  /// Words that are left for others.
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

/// Prints why the program ends, as CLI11 would. @return the status to exit with
[[nodiscard]] int print(const stop& why);

/// The same for a rank: all of them read the same words, and one answers.
[[nodiscard]] int print_once(const stop& why);

}  // namespace acre::command_line
