// SPDX-License-Identifier: BSD-3-Clause
// Limits that a user, a shell or a batch system has set (ulimit), and words about them.
#pragma once

#include <cstdint>
#include <string>
#include <sys/resource.h>

namespace acre {

/// What RLIM_INFINITY stands for, as a number that nothing is above.
inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

/// How far this process may raise its limit, which is where it is where that is less: `resource`
/// is RLIMIT_AS and the like.
[[nodiscard]] std::uint64_t hard_limit(int resource) noexcept;
[[nodiscard]] std::uint64_t soft_limit(int resource) noexcept;

/// Raises the limit to `wanted`, or leaves it where it is higher.
/// @return false where it may not be raised so far
bool raise_limit(int resource, std::uint64_t wanted) noexcept;

/// Raises the limit by so much, so that what else is taken stays as limited as it was.
bool raise_limit_by(int resource, std::uint64_t more) noexcept;

/// The limit is as high as this process may raise it, while this lives. What has been taken above
/// the limit as it was, stays.
class limit_raised {
 public:
  explicit limit_raised(int resource) noexcept
      : resource_(resource), before_(soft_limit(resource)) {
    raise_limit(resource, hard_limit(resource));
  }
  limit_raised(const limit_raised&) = delete;
  limit_raised& operator=(const limit_raised&) = delete;
  ~limit_raised();

 private:
  int resource_;
  std::uint64_t before_;
};

/// Which limits may be why the system refuses a process or a thread, with their values:
/// "5 processes and threads of this user (ulimit -u)".
[[nodiscard]] std::string limits_of_threads();

/// What to do where the system has refused a call that makes a descriptor or memory: its errno
/// tells a filter of system calls (seccomp) and an old kernel from a limit.
/// @param otherwise  the advice where it is none of these
[[nodiscard]] std::string advice_for_refused_call(const char* call, int problem,
                                                  const char* otherwise);
/// Advice for a thread that cannot be started. @param problem  an errno
[[nodiscard]] std::string advice_for_refused_thread(int problem);

}  // namespace acre
