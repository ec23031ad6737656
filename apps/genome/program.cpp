#include <apps/genome/program.hpp>

#include <acre/acre.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace acre::genome {

int run_program(CLI::App& program, int argc, char** argv, const std::function<void()>& work) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& wrong) {
    // All ranks read the same words: one of them answers.
    const char* number = std::getenv("PMI_RANK");
    const bool speaks = number == nullptr || std::string_view(number) == "0";
    return speaks ? program.exit(wrong) : wrong.get_exit_code();
  }
  try {
    const job this_job;
    try {
      work();
    } catch (const error& failure) {
      abort_job(1, failure.problem_and_advice());
    }
  } catch (const error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace acre::genome
