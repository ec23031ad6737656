// The first line of the help of a command that runs another one: CLI11 knows nothing of what it
// leaves to others.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

namespace acre::tool {

class command_help final : public CLI::Formatter {
 public:
  /// @param usage "run [-n N] [--] program [argument ...]"
  explicit command_help(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: acre " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

}  // namespace acre::tool
