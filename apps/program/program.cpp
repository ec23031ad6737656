#include <apps/program/program.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/job.hpp>

#include <cstdio>
#include <new>
#include <system_error>

namespace acre::program {

int run(command_line::command& words, int argc, char** argv, const std::function<void()>& work,
        const std::string& smaller) {
  if (const auto why = words.parse(argc, argv)) return print_once(*why);
  try {
    const job this_job;
    try {
      work();
    } catch (const error& failure) {
      abort_job(1, failure.problem_and_advice());
    } catch (const std::system_error& failure) {
      abort_job(1, failure.what());  // of fmt, where standard output takes no more
    } catch (const std::bad_alloc&) {
      abort_job(1, "there is not enough memory" + (smaller.empty() ? "" : ": " + smaller));
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

}  // namespace acre::program
