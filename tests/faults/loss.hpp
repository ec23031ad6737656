// SPDX-License-Identifier: BSD-3-Clause
// A call whose peer is lost in the middle: in a process of its own, which is rank 0 of a job of two
// whose other rank is a mirror (runtime/mirror.hpp).
//
// A case prepares what its call needs, says when the loss may begin, and calls. The peer is lost
// after each small number of operations to it; and after a while in any case, for a mirror does
// not play the parts of others, so a call may wait for what never comes. Afterwards operations
// that were under way complete all the same, as on a network that reports a loss early: whoever
// has let go of their records too soon is found by the address sanitizer.
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

/// How the peer of a call is lost.
struct loss {
  way how;
  std::uint64_t after;  ///< so many operations to it
};

/// A watchdog against hangs, and what a loss is at the latest: generous beside a call of some
/// microseconds, also under sanitizers on a busy machine.
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

  /// From now on it may be lost.
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

/// How a process of a case ends.
enum outcome : int { done = 0, failed_well = 3, failed_otherwise = 4 };

/// Runs a case in a process of its own, which no exception leaves.
/// @return its exit status; -1 for a signal
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

/// The losses that are tried on each call.
inline constexpr std::array losses{loss{way::refuses, 0},         loss{way::breaks_progress, 0},
                                   loss{way::breaks_progress, 1}, loss{way::breaks_progress, 2},
                                   loss{way::breaks_progress, 3}, loss{way::breaks_progress, 5},
                                   loss{way::breaks_progress, 9}};

[[nodiscard]] inline std::string describe(const loss& each) {
  return std::string(each.how == way::refuses ? "refused" : "lost") + " after " +
         std::to_string(each.after) + " operations";
}

/// A call of the C++ side: `call(may_go)` prepares, says may_go() and calls.
struct lossy_call {
  const char* name;
  void (*call)(const std::function<void()>& may_go);

  friend void PrintTo(const lossy_call& each, std::ostream* out) { *out << each.name; }
};

inline int run_call(const lossy_call& each, const loss& wanted) {
  peer other(wanted);
  const auto& whole_job = *new job;  // one that has failed has no good end
  static_cast<void>(whole_job);
  int result = done;
  try {
    each.call([&] { other.may_go(); });
    // What a destructor or a wait has kept for later.
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

/// All losses of one call: each ends well, or in an error that names the rank; and there is one
/// that is an error.
inline void expect_errors(const lossy_call& each) {
  int errors = 0;
  for (const loss& wanted : losses) {
    const int status = run_alone([&] { return run_call(each, wanted); });
    EXPECT_TRUE(status == done || status == failed_well)
        << each.name << ", " << describe(wanted) << ": ends with " << status;
    errors += status == failed_well ? 1 : 0;
  }
  EXPECT_GT(errors, 0) << each.name << " never hears of the loss: this case tests nothing";
}

/// A call of a C interface: `prepare()` begins the job, `call()` is what blocks.
struct lossy_routine {
  const char* name;
  void (*call)();

  friend void PrintTo(const lossy_routine& each, std::ostream* out) { *out << each.name; }
};

/// The same for a routine: each process ends, most often because the routine ends the job; and
/// one does so with the words that name the rank.
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
  EXPECT_GT(errors, 0) << each.name << " never hears of the loss: this case tests nothing";
}

}  // namespace acre::faults
