// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/descriptor_server.hpp>

#include <acre/base/keyed_hash.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace acre::fabric {
namespace {

struct socket_name {
  sockaddr_un address{};
  socklen_t bytes = 0;

  explicit socket_name(std::uint64_t number) noexcept {
    address.sun_family = AF_UNIX;
    const int length = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                                     "acre-%016llx", static_cast<unsigned long long>(number));
    bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                   static_cast<std::size_t>(length));
  }
  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&address);
  }
};

void wait_at_most(const descriptor& socket, timeval time) noexcept {
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

struct carrying_message {
  char byte = 0;
  iovec piece{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))]{};
  msghdr header{};
  carrying_message() noexcept {
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  carrying_message(const carrying_message&) = delete;
  carrying_message& operator=(const carrying_message&) = delete;
};

}  // namespace

descriptor_server::descriptor_server() {
  const std::uint64_t number = draw_secret().low;
  const socket_name name(number);
  socket_ = descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket_.open() && ::bind(socket_.get(), name.get(), name.bytes) == 0 &&
      ::listen(socket_.get(), 1024) == 0) {
    number_ = number;
  }
}

void descriptor_server::serve(int file, std::uint64_t proof) const noexcept {
  if (number_ == 0) return;
  while (true) {
    const descriptor guest(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!guest.open()) return;
    wait_at_most(guest, {.tv_sec = 0, .tv_usec = 100'000});
    std::uint64_t shown = 0;
    ssize_t heard = 0;
    do {
      heard = ::recv(guest.get(), &shown, sizeof shown, MSG_WAITALL);
    } while (heard < 0 && errno == EINTR);
    if (heard != sizeof shown || shown != proof) continue;
    carrying_message message;
    cmsghdr* const carried = CMSG_FIRSTHDR(&message.header);
    carried->cmsg_level = SOL_SOCKET;
    carried->cmsg_type = SCM_RIGHTS;
    carried->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(carried), &file, sizeof file);
    static_cast<void>(::sendmsg(guest.get(), &message.header, MSG_NOSIGNAL));
  }
}

int descriptor_server::request(std::uint64_t number, std::uint64_t proof) noexcept {
  if (number == 0) {
    errno = ENOENT;
    return -1;
  }
  const socket_name name(number);
  const descriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  wait_at_most(connection, {.tv_sec = 10, .tv_usec = 0});
  if (!connection.open() || ::connect(connection.get(), name.get(), name.bytes) != 0 ||
      ::send(connection.get(), &proof, sizeof proof, MSG_NOSIGNAL) != sizeof proof) {
    return -1;
  }
  carrying_message message;
  ssize_t got = 0;
  do {
    got = ::recvmsg(connection.get(), &message.header, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return -1;
  const cmsghdr* const carried = CMSG_FIRSTHDR(&message.header);
  if (got == 0 || carried == nullptr || carried->cmsg_type != SCM_RIGHTS) {
    errno = EACCES;
    return -1;
  }
  int file = -1;
  std::memcpy(&file, CMSG_DATA(carried), sizeof file);
  return file;
}

}  // namespace acre::fabric
