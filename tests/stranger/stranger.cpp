// What somebody can do to a running job who is no rank of it, and knows of it what any process of
// the host may know: where it listens, and all that is in this repository. Plain libfabric, and
// plain sockets: nothing of Acre's.
//
//     stranger PROVIDER TRIES KINDS ADDRESS:PORT…
//
// KINDS are letters: m, memory; s, what is sent; j, junk. Says how many of his reads have brought
// something, and ends with 1 if one has.
#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <random>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace {

std::mt19937_64 chance(7);

/// An endpoint of nobody's job, which is opened again when an operation has failed.
class stranger {
 public:
  stranger(std::string provider, const sockaddr_in& victim)
      : provider_(std::move(provider)), victim_(victim) {}
  stranger(const stranger&) = delete;
  stranger& operator=(const stranger&) = delete;
  ~stranger() { close(); }

  /// Issues an operation, and waits a little for what becomes of it.
  /// @return whether it has come to a good end
  template <class Issue>
  bool attempt(Issue&& issue) {
    if (endpoint_ == nullptr && !open()) {
      close();
      return false;
    }
    using clock = std::chrono::steady_clock;
    const auto deadline = clock::now() + std::chrono::milliseconds(50);
    ssize_t result = -FI_EAGAIN;
    while (result == -FI_EAGAIN && clock::now() < deadline && !failed_) {
      result = issue(endpoint_);
      poll();
    }
    const auto patience = clock::now() + std::chrono::milliseconds(result == 0 ? 3 : 0);
    while (!failed_ && !done_ && clock::now() < patience) poll();
    const bool is_done = done_;
    if (failed_ || result != 0) close();
    done_ = false;
    return is_done;
  }

  std::array<std::uint64_t, 64> words{};
  fi_context2 context{};

 private:
  bool open() {
    failed_ = done_ = false;
    fi_info* const hints = fi_allocinfo();
    hints->caps = FI_MSG | FI_RMA | FI_ATOMIC;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = FI_MR_ENDPOINT;
    hints->addr_format = FI_SOCKADDR_IN;
    hints->fabric_attr->prov_name = ::strdup(provider_.c_str());
    std::array<char, INET_ADDRSTRLEN> host{};
    ::inet_ntop(AF_INET, &victim_.sin_addr, host.data(), host.size());
    const std::string port = std::to_string(ntohs(victim_.sin_port));
    int found = fi_getinfo(FI_VERSION(1, 10), host.data(), port.c_str(), 0, hints, &info_);
    if (found != 0) {
      hints->caps = FI_MSG | FI_RMA;
      found = fi_getinfo(FI_VERSION(1, 10), host.data(), port.c_str(), 0, hints, &info_);
    }
    fi_freeinfo(hints);
    if (found != 0) return false;
    fi_av_attr tables{};
    tables.type = FI_AV_TABLE;
    fi_cq_attr queues{};
    queues.format = FI_CQ_FORMAT_DATA;
    fi_addr_t number = 0;
    return fi_fabric(info_->fabric_attr, &fabric_, nullptr) == 0 &&
           fi_domain(fabric_, info_, &domain_, nullptr) == 0 &&
           fi_av_open(domain_, &tables, &addresses_, nullptr) == 0 &&
           fi_cq_open(domain_, &queues, &queue_, nullptr) == 0 &&
           fi_endpoint(domain_, info_, &endpoint_, nullptr) == 0 &&
           fi_ep_bind(endpoint_, &addresses_->fid, 0) == 0 &&
           fi_ep_bind(endpoint_, &queue_->fid, FI_TRANSMIT | FI_RECV) == 0 &&
           fi_enable(endpoint_) == 0 &&
           fi_av_insert(addresses_, &victim_, 1, &number, 0, nullptr) == 1;
  }

  void close() {
    const auto close_one = [](auto*& each) {
      if (each != nullptr) fi_close(&each->fid);
      each = nullptr;
    };
    close_one(endpoint_);
    close_one(queue_);
    close_one(addresses_);
    close_one(domain_);
    close_one(fabric_);
    if (info_ != nullptr) fi_freeinfo(info_);
    info_ = nullptr;
  }

  void poll() {
    std::array<fi_cq_data_entry, 8> entries;
    const ssize_t count = fi_cq_read(queue_, entries.data(), entries.size());
    if (count > 0) done_ = true;
    if (count != -FI_EAVAIL) return;
    fi_cq_err_entry failure{};
    static_cast<void>(fi_cq_readerr(queue_, &failure, 0));
    failed_ = true;
  }

  std::string provider_;
  sockaddr_in victim_;
  fi_info* info_ = nullptr;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_av* addresses_ = nullptr;
  fid_cq* queue_ = nullptr;
  fid_ep* endpoint_ = nullptr;
  bool failed_ = false;
  bool done_ = false;
};

/// What jobs have used as keys of regions, and what they may.
std::uint64_t some_key(unsigned i) { return i % 3 == 2 ? chance() : i % 3; }

unsigned read_and_write(stranger& who, unsigned tries) {
  unsigned brought = 0;
  for (unsigned i = 0; i < tries; ++i) {
    who.words.fill(0);
    const bool is_done = who.attempt([&](fid_ep* end) {
      return fi_read(end, who.words.data(), 64, nullptr, 0, 64 * i, some_key(i), &who.context);
    });
    brought += is_done || who.words != std::array<std::uint64_t, 64>{} ? 1 : 0;
    // A write may be complete here when it has left: what it has done the job says.
    who.words.fill(0xbad);
    who.attempt([&](fid_ep* end) {
      return fi_write(end, who.words.data(), 512, nullptr, 0, 512 * i, some_key(i), &who.context);
    });
    if (i % 4 == 0) {
      who.attempt([&](fid_ep* end) -> ssize_t {
        if (end->atomic == nullptr) return -FI_ENOSYS;
        return fi_atomic(end, who.words.data(), 1, nullptr, 0, 64 * i, some_key(i), FI_UINT64,
                         FI_SUM, &who.context);
      });
    }
  }
  return brought;
}

/// A message as a rank would send it: a seal, which is a guess, the header, arguments, a payload.
std::size_t write_message(std::array<std::uint64_t, 64>& into, unsigned i) {
  const std::uint64_t handler = 1 + i % 24;
  const std::uint64_t arguments = i % 9;
  const std::uint64_t payload = i % 3 * 32;
  const std::uint64_t source = i % 3;
  for (auto& word : into) word = i % 2 == 0 ? chance() : i;
  into[0] = i % 5 == 0 ? 0 : chance();
  into[1] = payload | handler << 32 | arguments << 40;
  into[2] = source;
  if (i % 7 == 0) into[1] |= ~std::uint64_t{0} << 56;  // lengths and flags that are none
  return (3 + arguments) * sizeof(std::uint64_t) + payload;
}

void send_messages(stranger& who, unsigned tries) {
  for (unsigned i = 0; i < tries; ++i) {
    std::size_t bytes = write_message(who.words, i);
    if (i % 6 == 5) bytes = chance() % sizeof who.words;
    who.attempt([&](fid_ep* end) {
      return fi_send(end, who.words.data(), bytes, nullptr, 0, &who.context);
    });
  }
}

/// Somebody who does not even speak the provider's protocol. Of ofi_rxd 1.17 one such datagram is
/// the end: it looks up peers by numbers of packets without a bound. Nothing above it can help.
void send_junk(const sockaddr_in& victim, unsigned tries) {
  for (unsigned i = 0; i < tries; ++i) {
    const int end = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (end < 0) return;
    static_cast<void>(::connect(end, reinterpret_cast<const sockaddr*>(&victim), sizeof victim));
    std::array<std::uint64_t, 64> junk;
    for (auto& word : junk) word = i % 2 == 0 ? chance() : 0;
    static_cast<void>(::send(end, junk.data(), i % 4 == 0 ? 3 : sizeof junk, MSG_NOSIGNAL));
    ::close(end);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) return 2;
  // As Acre has them (fabric/ofi_library.cpp): with others the provider refuses the connection.
  ::setenv("FI_OFI_RXM_BUFFER_SIZE", "2048", 0);
  ::setenv("FI_OFI_RXM_EAGER_LIMIT", "32768", 0);
  const std::string provider = arguments[1];
  const auto tries = static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10));
  const std::string kinds = arguments[3];
  const auto wants = [&](char kind) { return kinds.find(kind) != std::string::npos; };
  unsigned brought = 0;
  for (int i = 4; i < count; ++i) {
    const std::string where = arguments[i];
    const std::size_t colon = where.find(':');
    sockaddr_in victim{};
    victim.sin_family = AF_INET;
    victim.sin_port = htons(static_cast<std::uint16_t>(std::stoul(where.substr(colon + 1))));
    ::inet_pton(AF_INET, where.substr(0, colon).c_str(), &victim.sin_addr);
    if (wants('m')) {
      stranger who(provider, victim);
      brought += read_and_write(who, tries);
    }
    if (wants('s')) {
      // A provider may keep what follows an operation that nobody has answered.
      stranger who(provider, victim);
      send_messages(who, tries);
    }
    if (wants('j')) send_junk(victim, tries);
  }
  std::printf("%u reads have brought something\n", brought);
  return brought == 0 ? 0 : 1;
}
