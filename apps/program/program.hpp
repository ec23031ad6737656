// SPDX-License-Identifier: BSD-3-Clause
// What the programs have in common as programs: how they start as a job, how they say what is
// wrong, and how they write numbers for people.
#pragma once

#include <tools/command_line/command_line.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace acre::program {

/// Reads the command line, and runs `work` as this rank's part of a job. An acre::error ends the
/// job with its words, and so does memory that there is not; one rank answers for what is wrong
/// with the command line.
/// @param smaller  what to do where there is no memory: "--keys takes fewer"
/// @return what main() returns
[[nodiscard]] int run(command_line::command& words, int argc, char** argv,
                      const std::function<void()>& work, const std::string& smaller = "");

/// Whether write_report() could write now: better an answer before the work than after it.
/// @throws acre::error that says why it cannot
void require_report(std::string_view call, const std::string& path);

/// Writes a file in whole, or to standard output where `path` is `-` or names it.
/// @throws acre::error when it cannot be written
void write_report(std::string_view call, const std::string& path, std::string_view text);

/// Writes `text` to standard error. The program goes on if that fails: its result is not affected.
void note(const std::string& text);

/// Digits in groups of three.
[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace acre::program
