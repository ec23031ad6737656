// SPDX-License-Identifier: BSD-3-Clause
// Runs calls whose peer, a mirror (runtime/mirror.hpp), is lost after some operations, or after
// `longest_life` if the mirror leaves the call waiting. Pending operations complete afterwards, so
// AddressSanitizer detects records freed early.
#pragma once

#include <acre/acre.hpp>
#include <acre/fabric/loopback.hpp>
#include <acre/launch/find_bootstrap.hpp>
#include <acre/launch/job.hpp>
#include <acre/launch/mirror.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace acre::faults {

using way = fabric::loopback_loss::way;

struct loss {
  way how;
  std::uint64_t after;  ///< operations before the loss
};

/// Generous: the work takes microseconds.
inline constexpr unsigned watchdog_seconds = 60;
inline constexpr auto longest_life = std::chrono::milliseconds(150);

class peer {
 public:
  explicit peer(const loss& wanted) : wanted_(wanted) {
    ::setenv("ACRE_RANKS_PER_NODE", "1", 1);
    ::setenv("ACRE_CONDUIT", "loopback", 1);
    ::setenv("ACRE_SEGMENT_SIZE", "64M", 1);
    launch::use_bootstrap(launch::make_mirror(wire_));
  }

  /// The mirror may be lost from now on.
  void may_go() {
    wire_->lose({.rank = 1, .after = wanted_.after, .how = wanted_.how});
    std::thread([wire = wire_] {
      std::this_thread::sleep_for(longest_life);
      wire->lose({.rank = 1, .how = way::breaks_progress});
    }).detach();
  }
  void complete_late() { wire_->complete_late(); }

 private:
  loss wanted_;
  std::shared_ptr<fabric::loopback_wire> wire_ = std::make_shared<fabric::loopback_wire>();
};

enum outcome : int { done = 0, failed_well = 3, failed_otherwise = 4 };

/// @return exit status, or -1 for a signal
inline int run_alone(const std::function<int()>& run) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(watchdog_seconds);
    const auto alone = [&]() noexcept { ::_exit(run()); };
    alone();
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

inline constexpr std::array losses{loss{way::refuses, 0},         loss{way::breaks_progress, 0},
                                   loss{way::breaks_progress, 1}, loss{way::breaks_progress, 2},
                                   loss{way::breaks_progress, 3}, loss{way::breaks_progress, 5},
                                   loss{way::breaks_progress, 9}};

[[nodiscard]] inline std::string describe(const loss& each) {
  return std::string(each.how == way::refuses ? "refused" : "lost") + " after " +
         std::to_string(each.after) + " operations";
}

/// `call` prepares, calls may_go(), then makes the tested call.
struct lossy_call {
  const char* name;
  void (*call)(const std::function<void()>& may_go);

  friend void PrintTo(const lossy_call& each, std::ostream* out) { *out << each.name; }
};

inline int run_call(const lossy_call& each, const loss& wanted) {
  peer other(wanted);
  const auto& whole_job = *new job;  // leaked: a failed job cannot end
  static_cast<void>(whole_job);
  int result = done;
  try {
    each.call([&] { other.may_go(); });
    progress();
  } catch (const error& failure) {
    const bool names_it = std::string(failure.what()).find("rank 1") != std::string::npos;
    result = names_it ? failed_well : failed_otherwise;
    if (!names_it) std::fprintf(stderr, "%s\n", failure.what());
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    result = failed_otherwise;
  }
  other.complete_late();
  return result;
}

/// Expects each loss to end without an error or with one that names the rank, and at least one
/// error.
inline void expect_errors(const lossy_call& each) {
  int errors = 0;
  for (const loss& wanted : losses) {
    const int status = run_alone([&] { return run_call(each, wanted); });
    EXPECT_TRUE(status == done || status == failed_well)
        << each.name << ", " << describe(wanted) << ": ends with " << status;
    errors += status == failed_well ? 1 : 0;
  }
  EXPECT_GT(errors, 0) << each.name << " never receives the loss: this case has no effect";
}

struct lossy_routine {
  const char* name;
  void (*call)();

  friend void PrintTo(const lossy_routine& each, std::ostream* out) { *out << each.name; }
};

/// Expects each loss to end the process, at least once with a message that names the rank.
inline void expect_ends(const lossy_routine& each, void (*prepare)()) {
  int errors = 0;
  for (const loss& wanted : losses) {
    const int status = run_alone([&]() -> int {
      peer other(wanted);
      prepare();
      other.may_go();
      for (int i = 0; i < 20; ++i) each.call();
      return done;
    });
    EXPECT_TRUE(status == done || status == 1)
        << each.name << ", " << describe(wanted) << ": ends with " << status;
    errors += status == 1 ? 1 : 0;
  }
  EXPECT_GT(errors, 0) << each.name << " never receives the loss: this case has no effect";
}

}  // namespace acre::faults
