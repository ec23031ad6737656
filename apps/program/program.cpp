// SPDX-License-Identifier: BSD-3-Clause
#include <apps/program/program.hpp>

#include <acre/base/error.hpp>
#include <acre/base/link_target.hpp>
#include <acre/base/standard_descriptors.hpp>
#include <acre/base/version.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/launch/job.hpp>

#include <cstdio>
#include <new>
#include <system_error>
#include <unistd.h>

namespace acre::program {

int run(command_line::command& words, int argc, char** argv, const std::function<void()>& work,
        const std::string& smaller) {
  words.version(words.name() + " (Acre " ACRE_VERSION ")");
  if (const auto why = words.parse(argc, argv)) return print_once(*why);
  try {
    const job this_job;
    try {
      work();
    } catch (const error& failure) {
      abort_job(1, failure.problem_and_advice());
    } catch (const std::system_error& failure) {
      abort_job(1, failure.what());  // from fmt, if standard output is full
    } catch (const std::bad_alloc&) {
      abort_job(1, "out of memory" + (smaller.empty() ? "" : ": " + smaller));
    }
  } catch (const error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}

namespace {

bool is_standard_output(const std::string& path) {
  return path == "-" || own_descriptor(path) == STDOUT_FILENO;
}

}  // namespace

void require_report(std::string_view call, const std::string& path) {
  if (!is_standard_output(path)) require_place(call, path);
}

void write_report(std::string_view call, const std::string& path, std::string_view text) {
  if (!is_standard_output(path)) {
    write_whole(call, path, text);
    return;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  const std::string problem = lost_output();
  if (!problem.empty()) throw error(call, "standard output cannot be written: " + problem);
}

void note(const std::string& text) { std::fputs(text.c_str(), stderr); }

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace acre::program
