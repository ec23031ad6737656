// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <acre/base/error.hpp>
#include <acre/base/standard_descriptors.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace acre::command_line {
namespace {

class usage_line final : public CLI::Formatter {
 public:
  explicit usage_line(std::string line) : line_(std::move(line)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: " + line_ + "\n";
  }

 private:
  std::string line_;
};

template <class Value>
constexpr bool is_text =
    std::is_same_v<Value, std::string> || std::is_same_v<Value, std::vector<std::string>>;

/// An unset script variable gives an empty word.
std::string problem_of_emptiness(const std::string& text) {
  return text.empty() ? "the value is empty" : "";
}

/// The conversion to unsigned would accept -1.
std::string problem_of_sign(const std::string& text) {
  return text.starts_with('-') ? text + " is below 0" : "";
}

}  // namespace

option& option::required() {
  self_->required();
  return *this;
}

option& option::type_name(const char* name) {
  self_->type_name(name);
  return *this;
}

option& option::shown_default() {
  self_->capture_default_str();
  return *this;
}

option& option::shown_default(const std::string& text) {
  self_->default_str(text);
  return *this;
}

option& option::within(unsigned least, unsigned most) {
  self_->check(CLI::Range(least, most));
  return *this;
}

option& option::within(std::uint64_t least, std::uint64_t most) {
  self_->check(CLI::Range(least, most));
  return *this;
}

option& option::within(double least, double most) {
  // CLI11 accepts NaN, and prints 1e-15 as 0.000000.
  std::ostringstream range;
  range << '[' << least << " - " << most << ']';
  self_->check(CLI::Validator(
      [least, most, range = range.str()](const std::string& text) {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value) && !std::isnan(value);
        if (!is_number) return text + " is not a number";
        return value >= least && value <= most ? "" : text + " not in range " + range;
      },
      "FLOAT in " + range.str()));
  return *this;
}

option& option::one_of(const std::vector<std::string>& values) {
  self_->check(CLI::IsMember(values));
  return *this;
}

option& option::check(std::function<std::string(const std::string&)> check, const char* kind) {
  self_->check(CLI::Validator(
      [check = std::move(check)](const std::string& text) { return check(text); }, kind));
  return *this;
}

option& option::excludes(const option& other) {
  self_->excludes(other.self_);
  return *this;
}

command::command(const std::string& about, const std::string& name)
    : own_(std::make_unique<CLI::App>(about, name)), self_(own_.get()) {}

command::command(CLI::App& self) : self_(&self) {}

command::~command() = default;

template <class Value>
option command::add(const std::string& names, Value& value, const std::string& help) {
  if constexpr (std::is_same_v<Value, bool>) {
    return option(*self_->add_flag(names, value, help));
  } else {
    CLI::Option* const self = self_->add_option(names, value, help);
    if constexpr (std::is_unsigned_v<Value>) self->check(CLI::Validator(problem_of_sign, ""));
    if constexpr (is_text<Value>) self->check(CLI::Validator(problem_of_emptiness, ""));
    return option(*self);
  }
}

template option command::add(const std::string&, bool&, const std::string&);
template option command::add(const std::string&, unsigned&, const std::string&);
template option command::add(const std::string&, std::uint64_t&, const std::string&);
template option command::add(const std::string&, double&, const std::string&);
template option command::add(const std::string&, std::string&, const std::string&);
template option command::add(const std::string&, std::optional<unsigned>&, const std::string&);
template option command::add(const std::string&, std::vector<std::string>&, const std::string&);

option command::add_choice(const std::string& names, const std::vector<std::string>& values,
                           std::function<void(std::size_t)> chosen, const std::string& help) {
  const auto take = [values, chosen = std::move(chosen)](const std::string& value) {
    chosen(static_cast<std::size_t>(std::ranges::find(values, value) - values.begin()));
  };
  CLI::Option* self = self_->add_option_function<std::string>(names, take, help);
  self->check(CLI::IsMember(values).description(""));
  return option(*self);
}

option command::add_parsed(const std::string& names, std::function<void(const std::string&)> take,
                           const std::string& help) {
  const std::string name = names.substr(names.rfind(',') + 1);
  const auto read = [name, take = std::move(take)](const std::string& text) {
    try {
      take(text);
    } catch (const error& wrong) {
      throw CLI::ValidationError(name, wrong.problem_and_advice());
    }
  };
  CLI::Option* self = self_->add_option_function<std::string>(names, read, help);
  self->check(CLI::Validator(problem_of_emptiness, ""));
  return option(*self);
}

command& command::add_command(const std::string& name, const std::string& about) {
  commands_.push_back(std::unique_ptr<command>(new command(*self_->add_subcommand(name, about))));
  return *commands_.back();
}

void command::require_command() {
  self_->require_subcommand(0, 1);  // unknown words are reported before
  require([this]() -> std::string {
    std::string names;
    for (const auto& each : commands_) {
      if (each->given()) return "";
      names += (names.empty() ? "" : ", ") + each->name();
    }
    return "A command (" + names + ")";
  });
}

void command::description(const std::string& text) { self_->description(text); }

void command::footer(const std::string& text) { self_->footer(text); }

void command::version(const std::string& text, const std::string& details) {
  const auto answer = [self = self_, text, details] {
    return details.empty() || self->count("--verbose") == 0 ? text : text + "\n" + details;
  };
  self_->set_version_flag("--version", answer);
  if (!details.empty()) {
    const std::string help = "with --version: print compiler, options and libraries too";
    self_->add_flag("--verbose", help);
  }
  for (const auto& each : commands_) each->version(text);
}

void command::usage(const std::string& line) {
  self_->formatter(std::make_shared<usage_line>(line));
}

void command::leave_the_rest() { self_->prefix_command(); }

void command::check_at_end(std::function<void()> check) {
  if (checks_.empty()) {
    self_->callback([this] {
      for (const auto& each : checks_) each();
    });
  }
  checks_.push_back(std::move(check));
}

void command::require(std::function<std::string()> missing) {
  check_at_end([missing = std::move(missing)] {
    const std::string what = missing();
    if (!what.empty()) throw CLI::RequiredError(what);
  });
}

void command::refuse(std::function<std::string()> problem) {
  check_at_end([problem = std::move(problem)] {
    const std::string what = problem();
    if (!what.empty()) throw CLI::ValidationError(what);
  });
}

template <class Parse>
std::optional<stop> command::stopped(Parse&& parse) {
  try {
    parse();
  } catch (const CLI::ParseError& why) {
    std::ostringstream out;
    std::ostringstream errors;
    const int status = self_->exit(why, out, errors);
    return stop{status == 0 ? 0 : usage_error, why.what(), out.str() + errors.str()};
  }
  return std::nullopt;
}

std::optional<stop> command::parse(int words, char** text) {
  return stopped([&] { self_->parse(words, text); });
}

std::optional<stop> command::parse(const std::string& text) {
  return stopped([&] { self_->parse(text, false); });
}

const std::string& command::name() const { return self_->get_name(); }

bool command::given() const { return self_->parsed(); }

bool command::given(const std::string& option) const { return self_->count(option) > 0; }

bool command::takes_value(const std::string& option) const {
  const CLI::Option* const found = std::as_const(*self_).get_option_no_throw(option);
  return found != nullptr && found->get_items_expected_max() > 0;
}

std::vector<std::string> command::remaining() const { return self_->remaining(); }

int print(const stop& why) {
  if (why.status != 0) {
    std::fputs(why.answer.c_str(), stderr);
    return why.status;
  }
  std::fputs(why.answer.c_str(), stdout);
  const std::string problem = lost_output();
  if (problem.empty()) return 0;
  std::fprintf(stderr, "acre: standard output cannot be written: %s\n", problem.c_str());
  return 1;
}

int print_once(const stop& why) {
  for (const char* variable : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    const char* const number = std::getenv(variable);
    if (number == nullptr) continue;
    if (std::string_view(number) == "0") break;
    // Ranks that do not print wait: the printing rank should fail first.
    constexpr unsigned longest_seconds = 5;
    if (why.status != 0) ::sleep(longest_seconds);
    return why.status;
  }
  return print(why);
}

}  // namespace acre::command_line
