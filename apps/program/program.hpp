// SPDX-License-Identifier: BSD-3-Clause
// Common parts of programs: job start, error reports, number format.
#pragma once

#include <tools/command_line/command_line.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace acre::program {

/// Parses the command line and runs `work` as this rank's part of a job. Errors end the job with a
/// message; one rank reports command-line errors.
/// @param smaller  advice without memory: "choose smaller --keys"
/// @return result of main()
[[nodiscard]] int run(command_line::command& words, int argc, char** argv,
                      const std::function<void()>& work, const std::string& smaller = "");

/// Checks in advance that write_report() can write.
/// @throws acre::error with the reason
void require_report(std::string_view call, const std::string& path);

/// Writes a file, or standard output for `-`.
/// @throws acre::error if it cannot be written
void write_report(std::string_view call, const std::string& path, std::string_view text);

void note(const std::string& text);

[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace acre::program
