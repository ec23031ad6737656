// What the programs have in common as programs: how they start as a job, how they say what is
// wrong, and how they write numbers for people.
#pragma once

#include <tools/command_line/command_line.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace acre::genome {

/// Reads the command line, and runs `work` as this rank's part of a job. An acre::error ends the
/// job with its words; one rank answers for what is wrong with the command line.
/// @return what main() returns
[[nodiscard]] int run_program(command_line::command& program, int argc, char** argv,
                              const std::function<void()>& work);

/// Digits in groups of three.
[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace acre::genome
