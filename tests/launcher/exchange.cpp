// SPDX-License-Identifier: BSD-3-Clause
// A rank for the launcher's tests; runs its arguments in order.
//
//     exchange BYTES   checked exchange of BYTES + rank
//     finish           leaves the job in order
//     only RANK        restricts the next word to RANK
//     exit STATUS      exits without leaving
//     shm NAME         leaves NAME-JOB-RANK in /dev/shm
//     name, who, pid, abort STATUS, kill SIGNAL, sleep
#include <acre/base/error.hpp>
#include <acre/launch/find_bootstrap.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using acre::runtime::bootstrap;

std::byte pattern(std::size_t round, std::size_t rank, std::size_t place) {
  return static_cast<std::byte>((round * 31 + rank * 7 + place * 13 + (place >> 8)) & 255);
}

std::vector<std::byte> bytes_of(std::size_t round, std::size_t rank, std::size_t size) {
  std::vector<std::byte> bytes(size == 0 ? 0 : size + rank);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(round, rank, i);
  return bytes;
}

void exchange(bootstrap& job, std::size_t size) {
  static std::size_t round = 0;
  const auto all = job.exchange(bytes_of(round, job.rank(), size));
  if (all.size() != job.size()) throw acre::error("exchange", "wrong number of pieces");
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r] != bytes_of(round, r, size)) {
      throw acre::error("exchange", "wrong bytes from rank " + std::to_string(r));
    }
  }
  ++round;
}

void leave_shared_memory(const bootstrap& job, std::string_view name) {
  const std::string path =
      "/dev/shm/" + std::string(name) + "-" + job.job_name() + "-" + std::to_string(job.rank());
  const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) throw acre::error("shm", "cannot create " + path);
  ::close(file);
}

void obey(bootstrap& job, std::string_view word, const char* argument) {
  const int number = argument == nullptr ? 0 : std::atoi(argument);
  if (word == "exchange") exchange(job, static_cast<std::size_t>(number));
  if (word == "finish") job.finish();
  if (word == "name") std::printf("%s\n", job.job_name().c_str());
  if (word == "who") std::printf("rank %u of %u\n", job.rank(), job.size());
  if (word == "pid") std::printf("%d\n", static_cast<int>(::getpid()));
  if (word == "abort") job.abort(number, "it was\n  asked to");
  if (word == "exit") std::_Exit(number);
  if (word == "kill") ::raise(number);
  if (word == "shm") leave_shared_memory(job, argument);
  if (word == "sleep") {
    for (;;) ::pause();
  }
  std::fflush(stdout);
}

bool has_argument(std::string_view word) {
  return word == "exchange" || word == "abort" || word == "exit" || word == "kill" || word == "shm";
}

}  // namespace

int main(int argc, char** argv) try {
  const auto job = acre::launch::find_bootstrap();
  acre::identify_process(job->rank(), "here");
  for (int i = 1; i < argc; ++i) {
    bool skip = false;
    if (std::string_view(argv[i]) == "only" && i + 2 < argc) {
      skip = std::to_string(job->rank()) != argv[i + 1];
      i += 2;
    }
    const std::string_view word = argv[i];
    const char* argument = has_argument(word) && i + 1 < argc ? argv[++i] : nullptr;
    if (!skip) obey(*job, word, argument);
  }
  return 0;
} catch (const acre::error& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 9;
}
