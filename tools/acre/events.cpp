// SPDX-License-Identifier: BSD-3-Clause
#include "events.hpp"

#include "spawn.hpp"
#include <acre/base/resource_limits.hpp>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <tuple>

namespace acre::tool {
namespace {

not_started cannot_watch(const char* call) {
  const int problem = errno;
  return {
      std::string("the launcher cannot watch its ranks: ") + call + ": " + std::strerror(problem),
      advice_for_refused_call(call, problem, "start fewer ranks"), 1};
}

epoll_event asked_for(std::uint32_t flags, source what, rank_t rank) {
  epoll_event asked{};
  asked.events = flags;
  asked.data.u64 = std::uint64_t{static_cast<std::uint32_t>(what)} << 32 | rank;
  return asked;
}

}  // namespace

descriptor needed(const char* call, int opened) {
  if (opened < 0) throw cannot_watch(call);
  return descriptor(opened);
}

event_queue::event_queue() : epoll_(needed("epoll_create1", ::epoll_create1(EPOLL_CLOEXEC))) {}

void event_queue::add(int number, std::uint32_t flags, source what, rank_t rank) {
  control(EPOLL_CTL_ADD, number, asked_for(flags, what, rank));
}

void event_queue::change(int number, std::uint32_t flags, source what, rank_t rank) {
  control(EPOLL_CTL_MOD, number, asked_for(flags, what, rank));
}

void event_queue::remove(int number) { control(EPOLL_CTL_DEL, number, {}); }

void event_queue::control(int how, int number, epoll_event asked) {
  const bool is_refused = ::epoll_ctl(epoll_.get(), how, number, &asked) != 0;
  // The descriptor may have been closed meanwhile.
  if (is_refused && errno != EBADF && errno != ENOENT && errno != EEXIST) {
    throw cannot_watch("epoll_ctl");
  }
}

std::span<const event> event_queue::wait(int milliseconds) {
  std::array<epoll_event, std::tuple_size_v<decltype(events_)>> found;
  const int count =
      ::epoll_wait(epoll_.get(), found.data(), static_cast<int>(found.size()), milliseconds);
  if (count < 0 && errno != EINTR) throw cannot_watch("epoll_wait");
  if (count <= 0) return {};
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::uint64_t tag = found[i].data.u64;
    events_[i] = {static_cast<source>(tag >> 32), static_cast<rank_t>(tag), found[i].events};
  }
  return std::span(events_).first(static_cast<std::size_t>(count));
}

}  // namespace acre::tool
