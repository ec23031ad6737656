// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/host_links.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/resource_limits.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace acre::launch {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds grace{300};

constexpr char goodbye = 'B';
constexpr char acknowledged = 'A';

/// The initiator names the expected host and a nonce.
struct hello {
  std::uint64_t purpose = 0x31304b4e494c5241;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t number = 0;
};
struct reply {
  std::uint64_t number = 0;
  std::uint64_t proof = 0;
};
struct confirmation {
  std::uint64_t proof = 0;
};

enum class side : std::uint64_t { asked = 1, asking = 2 };

std::uint64_t proof_of(const secret_key& key, const hello& asked, std::uint64_t number,
                       side which) {
  return keyed_hash<4>(key, {asked.number, number, std::uint64_t{asked.from} << 32 | asked.to,
                             static_cast<std::uint64_t>(which)});
}

template <class T>
  requires std::is_trivially_copyable_v<T>
class incoming {
 public:
  enum class state { whole, not_yet, ended };
  state receive(int socket) {
    while (got_ < sizeof(T)) {
      const ssize_t more = ::recv(socket, bytes_.data() + got_, sizeof(T) - got_, 0);
      if (more > 0) {
        got_ += static_cast<std::size_t>(more);
      } else if (more < 0 && (errno == EAGAIN || errno == EINTR)) {
        return state::not_yet;
      } else {
        return state::ended;
      }
    }
    return state::whole;
  }
  [[nodiscard]] T value() const {
    T made;
    std::memcpy(&made, bytes_.data(), sizeof made);
    return made;
  }

 private:
  std::array<std::byte, sizeof(T)> bytes_{};
  std::size_t got_ = 0;
};

template <class T>
bool send_whole(int socket, const T& what) {
  return ::send(socket, &what, sizeof what, MSG_NOSIGNAL) == sizeof what;
}

std::string list_of(std::span<const ip_address> addresses) {
  std::string text;
  for (const ip_address& each : addresses) text += (text.empty() ? "" : ", ") + to_string(each);
  return text;
}

struct attempt {
  std::size_t host;
  std::size_t address;
  descriptor socket;
  bool connected = false;
  bool has_proved_itself = false;
  hello said;
  incoming<reply> answer;
  incoming<char> last_word;
  std::string problem;
};

struct visitor {
  descriptor socket;
  std::uint64_t number = 0;
  incoming<hello> question;
  std::optional<hello> asked;
  incoming<confirmation> last_word;
};

}  // namespace

std::vector<std::byte> pack(const host_handshake& mine) {
  std::vector<std::byte> packed;
  const auto append = [&](const auto& value) {
    const auto* begin = reinterpret_cast<const std::byte*>(&value);
    packed.insert(packed.end(), begin, begin + sizeof value);
  };
  append(mine.port);
  append(static_cast<std::uint8_t>(mine.addresses.size()));
  for (const ip_address& each : mine.addresses) {
    append(each.version);
    append(each.bytes);
  }
  for (const char each : mine.name) append(each);
  return packed;
}

host_handshake unpack_host(std::span<const std::byte> packed) {
  host_handshake theirs;
  const auto take = [&](auto& value) {
    if (packed.size() < sizeof value) {
      throw error("job", "a host's handshake is truncated",
                  "run the same version of Acre on all ranks");
    }
    std::memcpy(&value, packed.data(), sizeof value);
    packed = packed.subspan(sizeof value);
  };
  std::uint8_t addresses = 0;
  take(theirs.port);
  take(addresses);
  for (std::uint8_t i = 0; i < addresses; ++i) {
    ip_address each;
    take(each.version);
    take(each.bytes);
    if (each.version != 4 && each.version != 6) {
      throw error("job", "a host's handshake is damaged");
    }
    theirs.addresses.push_back(each);
  }
  for (const std::byte each : packed) theirs.name += static_cast<char>(each);
  return theirs;
}

host_links::host_links() {
  const auto listen_as = [&](const char* any) {
    const ip_address everywhere = parse_ip_address(any).value();
    const socket_address address(everywhere, 0);
    descriptor socket(
        ::socket(address.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int of_both_versions = 0;
    if (everywhere.version == 6 && socket.open()) {
      ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &of_both_versions,
                   sizeof of_both_versions);
    }
    if (!socket.open() || ::bind(socket.get(), address.get(), address.bytes) != 0 ||
        ::listen(socket.get(), 4096) != 0) {
      return false;
    }
    sockaddr_storage bound{};
    socklen_t bytes = sizeof bound;
    ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &bytes);
    port_ = port_of(reinterpret_cast<const sockaddr*>(&bound));
    listener_ = std::move(socket);
    return true;
  };
  const auto refuse = [](const char* call) {
    const int reason = errno;
    throw error(
        "job", std::string("cannot listen for other hosts: ") + call + ": " + std::strerror(reason),
        advice_for_refused_call(call, reason, "check the limits of this host"));
  };
  wake_ = descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_.open()) refuse("eventfd");
  if (!listen_as("::") && !listen_as("0.0.0.0")) refuse("socket");
}

host_links::~host_links() { say_goodbye(); }

class host_links::meeting {
 public:
  meeting(host_links& links, const secret_key& secret, std::size_t self,
          std::span<const host_handshake> hosts)
      : links_(links),
        key_(derive_key(secret, key_purpose::links)),
        self_(self),
        hosts_(hosts),
        answered_(hosts.size(), 0),
        first_answer_(hosts.size()),
        has_come_(hosts.size(), 0),
        came_at_(hosts.size()) {
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      if (!makes_link(self, host, hosts.size())) continue;
      for (std::size_t i = 0; i < hosts[host].addresses.size(); ++i) begin(host, i);
    }
  }

  std::vector<answered_addresses> run(milliseconds timeout) {
    const auto deadline = clock::now() + timeout;
    refuse_hosts_apart();
    while (!is_over()) {
      if (clock::now() > deadline) report();
      look_once();
    }
    keep_the_best();
    return answered_;
  }

 private:
  void refuse_hosts_apart() const {
    const auto version_of = [](const host_handshake& host) {
      return host.addresses.empty() ? 0 : int{host.addresses.front().version};
    };
    const auto is_of_one = [&](const host_handshake& host) {
      return std::ranges::all_of(
          host.addresses, [&](const ip_address& each) { return each.version == version_of(host); });
    };
    const host_handshake& own = hosts_[self_];
    if (own.addresses.empty() || !is_of_one(own)) return;
    for (const host_handshake& each : hosts_) {
      if (each.addresses.empty() || !is_of_one(each) || version_of(each) == version_of(own)) {
        continue;
      }
      throw error("job",
                  "host " + each.name + " (" + list_of(each.addresses) +
                      ") cannot be reached from host " + own.name + " (" + list_of(own.addresses) +
                      "): one has only IPv4, the other only IPv6",
                  "give both hosts addresses of the same version; ACRE_INTERFACE, if set, must "
                  "match one of each host");
    }
  }

  void begin(std::size_t host, std::size_t address) {
    const socket_address to(hosts_[host].addresses[address], hosts_[host].port);
    attempt made{.host = host,
                 .address = address,
                 .socket = {},
                 .said = {},
                 .answer = {},
                 .last_word = {},
                 .problem = {}};
    made.said.from = static_cast<std::uint32_t>(self_);
    made.said.to = static_cast<std::uint32_t>(host);
    made.said.number = draw_secret().low;
    made.socket =
        descriptor(::socket(to.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!made.socket.open() ||
        (::connect(made.socket.get(), to.get(), to.bytes) != 0 && errno != EINPROGRESS)) {
      fail(made, std::strerror(errno));
    }
    attempts_.push_back(std::move(made));
  }

  static void fail(attempt& of, std::string problem) {
    of.problem = std::move(problem);
    of.socket.reset();
  }

  [[nodiscard]] bool is_tried(std::size_t host) const {
    return makes_link(self_, host, hosts_.size());
  }
  [[nodiscard]] bool is_awaited(std::size_t host) const {
    return makes_link(host, self_, hosts_.size());
  }

  [[nodiscard]] bool is_done(const attempt& each) const {
    return !each.socket.open() || (answered_[each.host] & 1U << each.address) != 0;
  }

  [[nodiscard]] bool is_over() const {
    const auto now = clock::now();
    for (std::size_t host = 0; host < hosts_.size(); ++host) {
      if (is_awaited(host) && !has_come_[host]) return false;
      if (is_tried(host) && answered_[host] == 0) return false;
    }
    const bool somebody_is_coming = std::ranges::any_of(visitors_, [&](const visitor& each) {
      return each.asked && now <= came_at_[each.asked->from] + grace;
    });
    return !somebody_is_coming && std::ranges::all_of(attempts_, [&](const attempt& each) {
      return is_done(each) || now > first_answer_[each.host] + grace;
    });
  }

  void look_once() {
    std::vector<pollfd> all{{.fd = links_.listener_.get(), .events = POLLIN, .revents = 0}};
    for (const attempt& each : attempts_) {
      const auto events = static_cast<short>(each.connected ? POLLIN : POLLOUT);
      all.push_back({.fd = is_done(each) ? -1 : each.socket.get(), .events = events, .revents = 0});
    }
    const std::size_t visitors = visitors_.size();
    for (const visitor& each : visitors_) {
      all.push_back({.fd = each.socket.get(), .events = POLLIN, .revents = 0});
    }
    ::poll(all.data(), all.size(), 20);
    for (std::size_t i = 0; i < attempts_.size(); ++i) {
      if (all[1 + i].revents != 0) go_on(attempts_[i]);
    }
    for (std::size_t i = 0; i < visitors; ++i) {
      if (all[1 + attempts_.size() + i].revents != 0) hear(visitors_[i]);
    }
    std::erase_if(visitors_, [](const visitor& each) { return !each.socket.open(); });
    if (all[0].revents != 0) admit();
  }

  void go_on(attempt& with) {
    if (!std::exchange(with.connected, true)) {
      int problem = 0;
      socklen_t bytes = sizeof problem;
      ::getsockopt(with.socket.get(), SOL_SOCKET, SO_ERROR, &problem, &bytes);
      if (problem != 0) return fail(with, std::strerror(problem));
      if (!send_whole(with.socket.get(), with.said)) fail(with, std::strerror(errno));
      return;
    }
    if (with.has_proved_itself) return hear_last_word(with);
    const auto state = with.answer.receive(with.socket.get());
    if (state == incoming<reply>::state::not_yet) return;
    const reply got = with.answer.value();
    if (state != incoming<reply>::state::whole ||
        got.proof != proof_of(key_, with.said, got.number, side::asked)) {
      return fail(with, "another service answers there");
    }
    const confirmation own{proof_of(key_, with.said, got.number, side::asking)};
    if (!send_whole(with.socket.get(), own)) return fail(with, std::strerror(errno));
    with.has_proved_itself = true;
  }

  void hear_last_word(attempt& with) {
    const auto state = with.last_word.receive(with.socket.get());
    if (state == incoming<char>::state::not_yet) return;
    if (state != incoming<char>::state::whole || with.last_word.value() != acknowledged) {
      return fail(with, "it closed the connection");
    }
    if (answered_[with.host] == 0) first_answer_[with.host] = clock::now();
    answered_[with.host] |= static_cast<answered_addresses>(1U << with.address);
  }

  void admit() {
    constexpr std::size_t most = 4096;  // idle connections must not exhaust descriptors
    while (visitors_.size() < most) {
      descriptor socket(
          ::accept4(links_.listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!socket.open()) return;
      visitor come{.socket = std::move(socket),
                   .number = draw_secret().low,
                   .question = {},
                   .asked = {},
                   .last_word = {}};
      visitors_.push_back(std::move(come));
    }
  }

  void hear(visitor& who) {
    if (!who.asked) {
      const auto state = who.question.receive(who.socket.get());
      if (state == incoming<hello>::state::not_yet) return;
      const hello asked = who.question.value();
      if (state != incoming<hello>::state::whole || asked.purpose != hello().purpose ||
          asked.to != self_ || asked.from >= hosts_.size()) {
        return who.socket.reset();
      }
      who.asked = asked;
      const reply own{who.number, proof_of(key_, asked, who.number, side::asked)};
      if (!send_whole(who.socket.get(), own)) who.socket.reset();
      return;
    }
    const auto state = who.last_word.receive(who.socket.get());
    if (state == incoming<confirmation>::state::not_yet) return;
    if (state != incoming<confirmation>::state::whole ||
        who.last_word.value().proof != proof_of(key_, *who.asked, who.number, side::asking)) {
      return who.socket.reset();
    }
    if (!send_whole(who.socket.get(), acknowledged)) return who.socket.reset();
    if (!std::exchange(has_come_[who.asked->from], true)) came_at_[who.asked->from] = clock::now();
    links_.made_by_others_.push_back(std::move(who.socket));
  }

  void keep_the_best() {
    for (attempt& each : attempts_) {
      if (each.socket.open() &&
          std::countr_zero(answered_[each.host]) == static_cast<int>(each.address)) {
        links_.made_here_.push_back(
            {std::move(each.socket), "host " + hosts_[each.host].name + " at " +
                                         to_string(hosts_[each.host].addresses[each.address])});
      }
    }
  }

  [[noreturn]] void report() const {
    constexpr const char* cure =
        "set ACRE_INTERFACE to the interface or network to use (eth1, 10.1.0.0/16, ipv4), and "
        "allow connections between the hosts in firewalls";
    for (std::size_t host = 0; host < hosts_.size(); ++host) {
      if (!is_tried(host) || answered_[host] != 0) continue;
      std::string tried;
      for (const attempt& each : attempts_) {
        if (each.host != host) continue;
        tried += (tried.empty() ? "" : "; ") + to_string(hosts_[host].addresses[each.address]) +
                 ": " + (each.problem.empty() ? "no answer" : each.problem);
      }
      throw error("job",
                  "host " + hosts_[host].name + " cannot be reached from host " +
                      hosts_[self_].name + " (" +
                      (tried.empty() ? "it has only loopback addresses" : tried) + ")",
                  cure);
    }
    for (std::size_t host = 0; host < hosts_.size(); ++host) {
      if (!is_awaited(host) || has_come_[host]) continue;
      throw error("job",
                  "host " + hosts_[host].name + " has not reached host " + hosts_[self_].name +
                      " at any of its addresses (" + list_of(hosts_[self_].addresses) + ")",
                  cure);
    }
    throw error("job", "the hosts cannot reach each other", cure);
  }

  host_links& links_;
  secret_key key_;
  std::size_t self_;
  std::span<const host_handshake> hosts_;
  std::vector<attempt> attempts_;
  std::vector<visitor> visitors_;
  std::vector<answered_addresses> answered_;
  std::vector<clock::time_point> first_answer_;
  std::vector<char> has_come_;
  std::vector<clock::time_point> came_at_;
};

std::vector<answered_addresses> host_links::reach(const secret_key& secret, std::size_t self,
                                                  std::span<const host_handshake> hosts,
                                                  milliseconds timeout) {
  const limit_raised descriptors(RLIMIT_NOFILE);
  return meeting(*this, secret, self, hosts).run(timeout);
}

void host_links::watch(milliseconds silence, note_lost lost) {
  listener_.reset();
  const auto seconds = std::max<int>(1, static_cast<int>(silence.count() / 5000));
  for (const link& each : made_here_) {
    const auto set = [&](int level, int option, int value) {
      ::setsockopt(each.socket.get(), level, option, &value, sizeof value);
    };
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, seconds);
    set(IPPROTO_TCP, TCP_KEEPINTVL, seconds);
    set(IPPROTO_TCP, TCP_KEEPCNT, 5);
    set(IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(silence.count() * 9 / 10));
  }
  watcher_ = std::thread([this, silence, lost = std::move(lost)] { look_after(silence, lost); });
  pthread_setname_np(watcher_.native_handle(), "acre-links");
}

void host_links::look_after(milliseconds silence, const note_lost& lost) {
  std::vector<pollfd> all{{.fd = wake_.get(), .events = POLLIN, .revents = 0}};
  for (const link& each : made_here_) {
    all.push_back({.fd = each.socket.get(), .events = POLLIN, .revents = 0});
  }
  raise_limit(RLIMIT_NOFILE, all.size());
  while (true) {
    if (::poll(all.data(), all.size(), 1000) < 0) {
      if (errno != EINTR) ::poll(all.data(), 1, 1000);
      if (errno == EINTR) continue;
    }
    if (all[0].revents != 0 && wake_.is_intact()) return;
    for (std::size_t i = 0; i < made_here_.size(); ++i) {
      if (all[1 + i].fd >= 0 && !made_here_[i].socket.is_intact()) {
        return lost(end_of_link::closed_here,
                    "the link to " + made_here_[i].to +
                        " is lost: the program has closed file descriptors that it does not own");
      }
      if (all[1 + i].revents == 0) continue;
      char word = 0;
      const ssize_t got = ::recv(made_here_[i].socket.get(), &word, 1, MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      all[1 + i].fd = -1;
      if (got == 1 && word == goodbye) continue;
      const int problem = got < 0 ? errno : 0;
      const std::string loss = "the link to " + made_here_[i].to + " is lost: ";
      if (problem != 0 && problem != ECONNRESET) {
        return lost(end_of_link::silence, loss + "no answer for " + format_seconds(silence) + " (" +
                                              std::strerror(problem) + ")");
      }
      return lost(
          end_of_link::hung_up,
          loss + (problem != 0 ? std::strerror(problem) : "the rank at the other end has ended"));
    }
    if (!wake_.is_intact()) return;
  }
}

void host_links::say_goodbye() noexcept {
  for (const descriptor& each : made_by_others_) {
    if (!each.is_intact()) continue;
    static_cast<void>(::send(each.get(), &goodbye, 1, MSG_NOSIGNAL | MSG_DONTWAIT));
  }
  abandon();
}

void host_links::abandon() noexcept {
  if (watcher_.joinable()) {
    const std::uint64_t one = 1;
    if (wake_.is_intact()) static_cast<void>(!::write(wake_.get(), &one, sizeof one));
    watcher_.join();
  }
  made_by_others_.clear();
  made_here_.clear();
}

}  // namespace acre::launch
