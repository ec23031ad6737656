// SPDX-License-Identifier: BSD-3-Clause
#include "pmi_connections.hpp"

#include <cerrno>
#include <cstddef>
#include <string_view>
#include <sys/socket.h>
#include <utility>

namespace acre::tool {

pmi_connections::pmi_connections(event_queue& events, rank_t ranks, std::string job_name,
                                 std::string lifeline)
    : events_(events), server_(ranks, std::move(job_name), std::move(lifeline)), ranks_(ranks) {}

void pmi_connections::add(rank_t rank, descriptor socket) {
  ranks_[rank].socket = std::move(socket);
  events_.add(ranks_[rank].socket.get(), EPOLLIN, source::pmi, rank);
}

bool pmi_connections::read(rank_t rank) {
  descriptor& socket = ranks_[rank].socket;
  while (socket.open()) {
    const ssize_t got = ::recv(socket.get(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got > 0) {
      server_.receive(rank, {buffer_.data(), static_cast<std::size_t>(got)});
    } else if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      return false;
    } else {
      socket.reset();
      return true;
    }
  }
  return false;
}

void pmi_connections::write(rank_t rank) {
  connection& to = ranks_[rank];
  bool blocked = false;
  while (to.socket.open() && !blocked) {
    const std::string_view bytes = server_.outgoing(rank);
    if (bytes.empty()) break;
    const ssize_t sent =
        ::send(to.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0) {
      server_.sent(rank, static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      blocked = true;
    } else if (errno != EINTR) {
      return;  // read() will report the end
    }
  }
  if (to.socket.open() && blocked != std::exchange(to.wants_room, blocked)) {
    events_.change(to.socket.get(), blocked ? EPOLLIN | EPOLLOUT : EPOLLIN, source::pmi, rank);
  }
}

void pmi_connections::answer() {
  for (const rank_t each : server_.pop_ready()) write(each);
}

}  // namespace acre::tool
