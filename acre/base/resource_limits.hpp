// SPDX-License-Identifier: BSD-3-Clause
// Resource limits of the process (ulimit).
#pragma once

#include <cstdint>
#include <string>
#include <sys/resource.h>

namespace acre {

inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

[[nodiscard]] std::uint64_t hard_limit(int resource) noexcept;
[[nodiscard]] std::uint64_t soft_limit(int resource) noexcept;

/// Raises a soft limit. @return false if not permitted
bool raise_limit(int resource, std::uint64_t wanted) noexcept;

bool raise_limit_by(int resource, std::uint64_t more) noexcept;

/// Raises the soft limit to the hard limit for its lifetime. Resources acquired meanwhile stay.
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

/// Limits that may prevent creating a thread: "5 processes and threads of this user (ulimit -u)".
[[nodiscard]] std::string limits_of_threads();

/// Advice by errno `problem`: seccomp filter or old kernel, limit, or `otherwise`.
[[nodiscard]] std::string advice_for_refused_call(const char* call, int problem,
                                                  const char* otherwise);
[[nodiscard]] std::string advice_for_refused_thread(int problem);

}  // namespace acre
