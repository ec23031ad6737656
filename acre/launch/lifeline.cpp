// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/lifeline.hpp>

#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace acre::launch {
namespace {

bool is_pipe(int descriptor, std::uint64_t number) noexcept {
  struct stat about{};
  return ::fstat(descriptor, &about) == 0 && S_ISFIFO(about.st_mode) && about.st_ino == number;
}

template <class Number>
bool parse_number_of(std::string_view& text, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(':')) text.remove_prefix(1);
  return true;
}

}  // namespace

std::string lifeline_text(const lifeline_address& address) {
  return std::to_string(address.process) + ":" + std::to_string(address.descriptor) + ":" +
         std::to_string(address.pipe);
}

std::optional<lifeline_address> lifeline_from(std::string_view text) {
  lifeline_address address;
  const bool is_one = parse_number_of(text, address.process) &&
                      parse_number_of(text, address.descriptor) &&
                      parse_number_of(text, address.pipe) && text.empty();
  if (!is_one) return std::nullopt;
  return address;
}

lifeline::lifeline(const lifeline_address& launcher) : pipe_(launcher.pipe), process_(::getpid()) {
  const std::string path =
      "/proc/" + std::to_string(launcher.process) + "/fd/" + std::to_string(launcher.descriptor);
  const int opened = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return;
  const bool is_armed = is_pipe(opened, pipe_) && ::fcntl(opened, F_SETSIG, SIGKILL) == 0 &&
                        ::fcntl(opened, F_SETOWN, process_) == 0 &&
                        ::fcntl(opened, F_SETFL, O_NONBLOCK | O_ASYNC) == 0;
  if (!is_armed) {
    ::close(opened);
    return;
  }
  descriptor_ = opened;
  pollfd now{.fd = opened, .events = POLLIN, .revents = 0};
  if (::poll(&now, 1, 0) > 0 && (now.revents & POLLHUP) != 0) ::kill(process_, SIGKILL);
}

lifeline::~lifeline() {
  if (!is_held() || process_ != ::getpid() || !is_pipe(descriptor_, pipe_)) return;
  ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);
  ::close(descriptor_);
}

}  // namespace acre::launch
