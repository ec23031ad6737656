#include <apps/genome/program.hpp>

#include <acre/acre.hpp>

#include <cstdio>

namespace acre::genome {

int run_program(command_line::command& program, int argc, char** argv,
                const std::function<void()>& work) {
  if (const auto why = program.parse(argc, argv)) return print_once(*why);
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
