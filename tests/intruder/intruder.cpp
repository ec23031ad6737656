// SPDX-License-Identifier: BSD-3-Clause
// Attacks on a job by an unauthenticated peer that knows everything but its secret.
//
//     intruder PROVIDER TRIES KINDS FOLDER ADDRESS:PORT
//
// KINDS are letters:
//     r w a   reads, writes, atomics with plausible keys and FOLDER/keys
//     c       reads with the first of FOLDER/true_keys, which must succeed
//     s l t   messages with guessed seals; large ones; tagged ones
//     n       empty writes that carry a word
//     p o     messages of FOLDER/recorded (this job) and FOLDER/foreign (another)
//     j h     junk; another job's handshakes and messages, of FOLDER/talks
//
// Prints outcomes per kind; exits with 1 if something was read.
#include "foreign_endpoint.hpp"

#include <rdma/fi_atomic.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <poll.h>
#include <random>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using bytes = std::vector<char>;
using outcomes = std::map<std::string, unsigned>;
using attempts = std::function<std::string(unsigned)>;

const std::string has_read = "something was read";

std::mt19937_64 chance;

struct siege {
  std::string provider;
  unsigned tries;
  std::filesystem::path folder;

  [[nodiscard]] std::vector<std::uint64_t> keys(const char* name) const {
    std::ifstream file(folder / name);
    file >> std::hex;
    return {std::istream_iterator<std::uint64_t>(file), {}};
  }
  /// An endpoint per kind: a provider may block after an unanswered operation.
  [[nodiscard]] std::shared_ptr<foreign_endpoint> open(const sockaddr_in& victim) const {
    return std::make_shared<foreign_endpoint>(provider, victim);
  }
  /// With a short timeout for ofi_rxd, which retries refused operations for ever.
  [[nodiscard]] std::shared_ptr<foreign_endpoint> open_for_memory(const sockaddr_in& victim) const {
    const std::chrono::milliseconds patience(provider == "udp;ofi_rxd" ? 10 : 500);
    return std::make_shared<foreign_endpoint>(provider, victim, patience);
  }
  /// Each follows its 4-byte length.
  [[nodiscard]] std::vector<bytes> pieces(const char* name) const {
    std::ifstream file(folder / name, std::ios::binary);
    std::vector<bytes> all;
    std::uint32_t length = 0;
    while (file.read(reinterpret_cast<char*>(&length), sizeof length)) {
      all.emplace_back(length);
      file.read(all.back().data(), length);
    }
    return all;
  }
};

/// Keys 0 and 1, random ones, and another job's.
std::uint64_t some_key(const std::vector<std::uint64_t>& of_another_job, unsigned i) {
  if (i % 4 == 3 && !of_another_job.empty()) return of_another_job[i / 4 % of_another_job.size()];
  return i % 4 == 2 ? chance() : i % 2;
}

std::array<std::uint64_t, 64> words;

void fill_words(std::uint64_t with) { words.fill(with); }
bool has_changed(std::uint64_t from) {
  for (const std::uint64_t each : words) {
    if (each != from) return true;
  }
  return false;
}

ssize_t read_there(fid_ep* end, void* context, std::uint64_t address, std::uint64_t key) {
  return fi_read(end, words.data(), 64, nullptr, 0, address, key, context);
}

/// Completes at delivery, so refusals are reported.
ssize_t write_there(fid_ep* end, void* context, std::uint64_t address, std::uint64_t key) {
  const iovec piece{words.data(), sizeof words};
  const fi_rma_iov remote{address, sizeof words, key};
  const fi_msg_rma message{.msg_iov = &piece,
                           .desc = nullptr,
                           .iov_count = 1,
                           .addr = 0,
                           .rma_iov = &remote,
                           .rma_iov_count = 1,
                           .context = context,
                           .data = 0};
  return fi_writemsg(end, &message, FI_DELIVERY_COMPLETE | FI_COMPLETION);
}

ssize_t change_there(fid_ep* end, void* context, std::uint64_t address, std::uint64_t key,
                     unsigned i) {
  static std::uint64_t operand = 0xbad;
  static std::uint64_t compared = 0;
  if (end->atomic == nullptr) return -FI_ENOSYS;
  switch (i % 3) {
    case 0:
      return fi_atomic(end, &operand, 1, nullptr, 0, address, key, FI_UINT64, FI_SUM, context);
    case 1:
      return fi_fetch_atomic(end, &operand, 1, nullptr, words.data(), nullptr, 0, address, key,
                             FI_UINT64, FI_SUM, context);
    default:
      return fi_compare_atomic(end, &operand, 1, nullptr, &compared, nullptr, words.data(), nullptr,
                               0, address, key, FI_UINT64, FI_CSWAP, context);
  }
}

attempts read_memory(siege& job, const sockaddr_in& victim) {
  return [keys = job.keys("keys"), who = job.open_for_memory(victim)](unsigned i) {
    fill_words(0xe);
    const std::string became = who->attempt([&](fid_ep* end, void* context) {
      return read_there(end, context, 64 * i, some_key(keys, i));
    });
    return became == "done" || has_changed(0xe) ? has_read : became;
  };
}

attempts write_memory(siege& job, const sockaddr_in& victim) {
  return [keys = job.keys("keys"), who = job.open_for_memory(victim)](unsigned i) {
    fill_words(0xbad);
    return who->attempt([&](fid_ep* end, void* context) {
      return write_there(end, context, sizeof words * i, some_key(keys, i));
    });
  };
}

attempts change_memory(siege& job, const sockaddr_in& victim) {
  return [keys = job.keys("keys"), who = job.open_for_memory(victim)](unsigned i) {
    fill_words(0xe);
    const std::string became = who->attempt([&](fid_ep* end, void* context) {
      return change_there(end, context, 64 * i, some_key(keys, i), i);
    });
    return has_changed(0xe) ? has_read : became;
  };
}

attempts read_with_true_key(siege& job, const sockaddr_in& victim) {
  return [keys = job.keys("true_keys"), who = job.open(victim)](unsigned) {
    return who->attempt(
        [&](fid_ep* end, void* context) { return read_there(end, context, 0, keys.at(0)); });
  };
}

/// Guessed seal, header, arguments, payload.
bytes guess_message(unsigned i) {
  const std::uint64_t handler = 1 + i % 24;
  const std::uint64_t arguments = i % 9;
  const std::uint64_t payload = i % 3 * 32;
  std::array<std::uint64_t, 64> message;
  for (auto& word : message) word = i % 2 == 0 ? chance() : i;
  message[0] = i % 5 == 0 ? 0 : chance();
  message[1] = payload | handler << 32 | arguments << 40;
  message[2] = i % 3;                                     // claims to be another rank
  if (i % 7 == 0) message[1] |= ~std::uint64_t{0} << 56;  // invalid lengths and flags
  const std::size_t length =
      i % 6 == 5 ? chance() % sizeof message : (3 + arguments) * sizeof(std::uint64_t) + payload;
  const auto* const begin = reinterpret_cast<const char*>(message.data());
  return {begin, begin + length};
}

bytes large_message(unsigned i) { return bytes(33'000 + 1000 * (i % 64), 'l'); }

template <class Message>
attempts send_each(siege& job, const sockaddr_in& victim, Message message) {
  return [message, who = job.open(victim)](unsigned i) {
    const bytes sent = message(i);
    return who->attempt([&](fid_ep* end, void* context) {
      return fi_send(end, sent.data(), sent.size(), nullptr, 0, context);
    });
  };
}

attempts send_guesses(siege& job, const sockaddr_in& victim) {
  return send_each(job, victim, guess_message);
}
attempts send_large(siege& job, const sockaddr_in& victim) {
  return send_each(job, victim, large_message);
}
attempts send_pieces(siege& job, const sockaddr_in& victim, const char* name) {
  return send_each(job, victim,
                   [all = job.pieces(name)](unsigned i) { return all[i % all.size()]; });
}
attempts send_recorded(siege& job, const sockaddr_in& victim) {
  return send_pieces(job, victim, "recorded");
}
attempts send_foreign(siege& job, const sockaddr_in& victim) {
  return send_pieces(job, victim, "foreign");
}

/// libfabric queues tagged messages.
attempts send_tagged(siege& job, const sockaddr_in& victim) {
  return [who = job.open(victim)](unsigned i) {
    const bytes sent = guess_message(i);
    return who->attempt([&](fid_ep* end, void* context) {
      if (end->tagged == nullptr) return ssize_t{-FI_ENOSYS};
      return fi_tsend(end, sent.data(), sent.size(), nullptr, 0, i % 4, context);
    });
  };
}

ssize_t write_nothing(fid_ep* end, void* context, std::uint64_t word) {
  const fi_msg_rma message{.msg_iov = nullptr,
                           .desc = nullptr,
                           .iov_count = 0,
                           .addr = 0,
                           .rma_iov = nullptr,
                           .rma_iov_count = 0,
                           .context = context,
                           .data = word};
  return fi_writemsg(end, &message, FI_REMOTE_CQ_DATA | FI_COMPLETION);
}

attempts write_words(siege& job, const sockaddr_in& victim) {
  return [who = job.open(victim)](unsigned) {
    return who->attempt(
        [](fid_ep* end, void* context) { return write_nothing(end, context, chance()); });
  };
}

std::string speak(const sockaddr_in& victim, const bytes& what, int milliseconds) {
  const int end = ::socket(AF_INET, SOCK_STREAM, 0);
  if (end < 0) return "no socket";
  std::string became = "not connected";
  if (::connect(end, reinterpret_cast<const sockaddr*>(&victim), sizeof victim) == 0) {
    static_cast<void>(::send(end, what.data(), what.size(), MSG_NOSIGNAL));
    pollfd answer{.fd = end, .events = POLLIN, .revents = 0};
    std::array<char, 256> heard;
    became = "no answer";
    if (::poll(&answer, 1, milliseconds) > 0)
      became = ::recv(end, heard.data(), heard.size(), 0) > 0 ? "answered" : "hung up";
  }
  ::close(end);
  return became;
}

/// ofi_rxd 1.17 crashes here, since it looks up peers by unchecked packet numbers.
attempts send_junk(siege&, const sockaddr_in& victim) {
  return [victim](unsigned i) {
    bytes junk(i % 4 == 0 ? 3 : 512);
    for (char& each : junk) each = static_cast<char>(i % 2 == 0 ? chance() : 0);
    return speak(victim, junk, 0);
  };
}

attempts repeat_talks(siege& job, const sockaddr_in& victim) {
  return [victim, talks = job.pieces("talks")](unsigned i) {
    return speak(victim, talks[i % talks.size()], 20);
  };
}

struct kind {
  char letter;
  const char* name;
  attempts (*prepare)(siege&, const sockaddr_in&);
};
constexpr std::array kinds{kind{'c', "reads with the true key", read_with_true_key},
                           kind{'r', "reads", read_memory},
                           kind{'w', "writes", write_memory},
                           kind{'a', "atomics", change_memory},
                           kind{'s', "guessed messages", send_guesses},
                           kind{'l', "large messages", send_large},
                           kind{'t', "messages with tags", send_tagged},
                           kind{'n', "empty writes", write_words},
                           kind{'p', "recorded messages", send_recorded},
                           kind{'o', "messages of another job", send_foreign},
                           kind{'j', "junk", send_junk},
                           kind{'h', "talks of another job", repeat_talks}};

struct work {
  siege job;
  sockaddr_in victim;
  std::vector<kind> kinds;
};

struct place {
  std::size_t kind = 0;
  unsigned tried = 0;
};

[[noreturn]] void try_from(place next, work& all, int pipe) {
  chance.seed(static_cast<std::uint64_t>(::getpid()));
  for (; next.kind < all.kinds.size(); ++next.kind, next.tried = 0) {
    const attempts attempt = all.kinds[next.kind].prepare(all.job, all.victim);
    for (; next.tried < all.job.tries; ++next.tried) {
      const std::string line = attempt(next.tried) + "\n";
      if (::write(pipe, line.data(), line.size()) < 0) ::_exit(2);
    }
  }
  ::_exit(0);
}

void report(const char* name, const outcomes& all, double seconds) {
  std::printf("%s\t%.1f", name, seconds);
  for (const auto& [became, count] : all) std::printf("\t%s\t%u", became.c_str(), count);
  std::printf("\n");
  std::fflush(stdout);
}

class tally {
 public:
  explicit tally(const work& all) : all_(all) {}

  void note(const std::string& became) {
    ++outcomes_[became];
    something_was_read_ |= became == has_read;
    if (++next_.tried < all_.job.tries) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    report(all_.kinds[next_.kind].name, outcomes_, taken.count());
    outcomes_.clear();
    begin_ = std::chrono::steady_clock::now();
    next_ = {.kind = next_.kind + 1};
  }
  [[nodiscard]] place next() const { return next_; }
  [[nodiscard]] bool is_complete() const { return next_.kind == all_.kinds.size(); }
  [[nodiscard]] bool something_was_read() const { return something_was_read_; }

 private:
  const work& all_;
  place next_;
  outcomes outcomes_;
  bool something_was_read_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Child processes, restarted after libfabric crashes.
void carry_out(work& all, tally& counted) {
  while (!counted.is_complete()) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return;
    const pid_t child = ::fork();
    if (child == 0) try_from(counted.next(), all, ends[1]);
    ::close(ends[1]);
    std::FILE* const lines = ::fdopen(ends[0], "r");
    std::array<char, 256> line;
    while (std::fgets(line.data(), line.size(), lines) != nullptr) {
      counted.note(std::string(line.data(), std::strcspn(line.data(), "\n")));
    }
    std::fclose(lines);
    ::waitpid(child, nullptr, 0);
    if (!counted.is_complete()) counted.note("crash");
  }
}

void use_only(std::string provider) {
  std::ranges::replace(provider, ';', ',');
  ::setenv("FI_PROVIDER", provider.c_str(), 0);
}

sockaddr_in parse(const std::string& where) {
  const std::size_t colon = where.find(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoul(where.substr(colon + 1))));
  ::inet_pton(AF_INET, where.substr(0, colon).c_str(), &address.sin_addr);
  return address;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) return 2;
  // Otherwise a library turns crashes into exit status 1.
  ::setenv("IPATH_NO_BACKTRACE", "1", 0);
  // Detects closed connections sooner (microseconds).
  ::setenv("FI_OFI_RXM_CM_PROGRESS_INTERVAL", "100", 0);
  use_only(arguments[1]);
  work all{.job = {.provider = arguments[1],
                   .tries = static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)),
                   .folder = arguments[4]},
           .victim = parse(arguments[5]),
           .kinds = {}};
  for (const char wanted : std::string_view(arguments[3])) {
    std::ranges::copy_if(kinds, std::back_inserter(all.kinds),
                         [&](const kind& each) { return each.letter == wanted; });
  }
  tally counted(all);
  carry_out(all, counted);
  return counted.something_was_read() ? 1 : 0;
}
