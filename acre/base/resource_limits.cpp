// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/resource_limits.hpp>

#include <acre/base/environment.hpp>

#include <algorithm>
#include <cerrno>

namespace acre {
namespace {

rlimit limits_of(int resource) noexcept {
  rlimit both{RLIM_INFINITY, RLIM_INFINITY};
  ::getrlimit(resource, &both);
  return both;
}

bool set_limits(int resource, const rlimit& both) noexcept {
  return ::setrlimit(resource, &both) == 0;
}

std::uint64_t as_number(rlim_t limit) noexcept { return limit == RLIM_INFINITY ? no_limit : limit; }

}  // namespace

std::uint64_t hard_limit(int resource) noexcept { return as_number(limits_of(resource).rlim_max); }
std::uint64_t soft_limit(int resource) noexcept { return as_number(limits_of(resource).rlim_cur); }

bool raise_limit(int resource, std::uint64_t wanted) noexcept {
  rlimit both = limits_of(resource);
  if (as_number(both.rlim_cur) >= wanted) return true;
  if (as_number(both.rlim_max) < wanted) return false;
  both.rlim_cur = wanted;
  return set_limits(resource, both);
}

bool raise_limit_by(int resource, std::uint64_t more) noexcept {
  const std::uint64_t now = soft_limit(resource);
  return now == no_limit || raise_limit(resource, now + more);
}

limit_raised::~limit_raised() {
  rlimit both = limits_of(resource_);
  both.rlim_cur = before_ == no_limit ? RLIM_INFINITY : before_;
  set_limits(resource_, both);
}

std::string limits_of_threads() {
  std::string all;
  const auto add = [&all](const std::string& limit) { all += (all.empty() ? "" : ", ") + limit; };
  if (const auto most = soft_limit(RLIMIT_NPROC); most != no_limit) {
    add(std::to_string(most) + " processes and threads of this user (ulimit -u)");
  }
  if (const auto most = soft_limit(RLIMIT_AS); most != no_limit) {
    add(format_size(most) + " of address space (ulimit -v)");
  }
  if (const auto most = soft_limit(RLIMIT_DATA); most != no_limit) {
    add(format_size(most) + " of data segment (ulimit -d)");
  }
  return all.empty() ? "the pids.max of this control group, or kernel.threads-max" : all;
}

std::string advice_for_refused_call(const char* call, int problem, const char* otherwise) {
  switch (problem) {
    case EPERM:
    case EACCES:
    case ENOSYS:
      return std::string(
                 "a system call filter (seccomp, often of a container) or an old kernel "
                 "refuses ") +
             call + ": allow it";
    case EMFILE:
      return "raise the limit of " + std::to_string(soft_limit(RLIMIT_NOFILE)) +
             " open files (ulimit -n)";
    case ENFILE:
      return "the host has too many open files: see sysctl fs.file-max";
    default:
      return otherwise;
  }
}

std::string advice_for_refused_thread(int problem) {
  return advice_for_refused_call("clone3", problem,
                                 ("check the limits: " + limits_of_threads()).c_str());
}

}  // namespace acre
