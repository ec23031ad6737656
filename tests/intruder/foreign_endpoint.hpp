// SPDX-License-Identifier: BSD-3-Clause
// Plain libfabric endpoint of an unauthenticated peer.
#pragma once

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <thread>
#include <utility>

class foreign_endpoint {
 public:
  /// @param patience  timeout of an operation
  foreign_endpoint(std::string provider, const sockaddr_in& victim,
                   std::chrono::milliseconds patience = std::chrono::milliseconds(500))
      : provider_(std::move(provider)), victim_(victim), patience_(patience) {}
  foreign_endpoint(const foreign_endpoint&) = delete;
  foreign_endpoint& operator=(const foreign_endpoint&) = delete;
  ~foreign_endpoint() {
    close();
    close_one(domain_);
    close_one(fabric_);
    if (info_ != nullptr) fi_freeinfo(info_);
  }

  /// @return "done", "no answer", libfabric's error, or "not issued" if it never connected
  template <class Issue>
  std::string attempt(Issue&& issue) {
    if (!is_open() && !open()) return give_up("not opened");
    const auto begin = clock::now();
    while (true) {
      outcome_.clear();
      if (clock::now() - begin > std::chrono::seconds(1)) return give_up("not issued");
      poll();
      if (issue(endpoint_, &context_) != 0) continue;
      outcome_.clear();
      if (!wait()) return give_up("no answer");
      // A completion of a closed connection; ofi_rxm reconnects.
      if (is_rxm() && outcome_ == fi_strerror(FI_ENOTCONN)) continue;
      if (outcome_ != "done" && !is_rxm()) close();
      return outcome_;
    }
  }

 private:
  using clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_rxm() const { return provider_ == "tcp;ofi_rxm"; }
  bool wait() {
    const auto begin = clock::now();
    while (outcome_.empty() && clock::now() - begin < patience_) poll();
    return !outcome_.empty();
  }

  [[nodiscard]] bool is_open() const { return endpoint_ != nullptr; }

  std::string give_up(const char* why) {
    close();
    return why;
  }

  bool open() { return (domain_ != nullptr || open_domain()) && open_endpoint(); }

  bool find_provider(std::uint64_t capabilities) {
    fi_info* const hints = fi_allocinfo();
    hints->caps = capabilities;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mr_mode = FI_MR_ENDPOINT;
    hints->addr_format = FI_SOCKADDR_IN;
    hints->fabric_attr->prov_name = ::strdup(provider_.c_str());
    std::array<char, INET_ADDRSTRLEN> host{};
    ::inet_ntop(AF_INET, &victim_.sin_addr, host.data(), host.size());
    const std::string port = std::to_string(ntohs(victim_.sin_port));
    const int found = fi_getinfo(FI_VERSION(1, 10), host.data(), port.c_str(), 0, hints, &info_);
    fi_freeinfo(hints);
    return found == 0;
  }

  bool open_domain() {
    return (info_ != nullptr || find_provider(FI_MSG | FI_TAGGED | FI_RMA | FI_ATOMIC) ||
            find_provider(FI_MSG | FI_RMA)) &&
           (fabric_ != nullptr || fi_fabric(info_->fabric_attr, &fabric_, nullptr) == 0) &&
           fi_domain(fabric_, info_, &domain_, nullptr) == 0;
  }

  bool open_endpoint() {
    fi_av_attr tables{};
    tables.type = FI_AV_TABLE;
    fi_cq_attr queues{};
    queues.format = FI_CQ_FORMAT_DATA;
    fi_addr_t number = 0;
    return fi_av_open(domain_, &tables, &addresses_, nullptr) == 0 &&
           fi_cq_open(domain_, &queues, &queue_, nullptr) == 0 &&
           fi_endpoint(domain_, info_, &endpoint_, nullptr) == 0 &&
           fi_ep_bind(endpoint_, &addresses_->fid, 0) == 0 &&
           fi_ep_bind(endpoint_, &queue_->fid, FI_TRANSMIT | FI_RECV) == 0 &&
           fi_enable(endpoint_) == 0 &&
           fi_av_insert(addresses_, &victim_, 1, &number, 0, nullptr) == 1;
  }

  template <class T>
  static void close_one(T*& each) {
    if (each != nullptr) fi_close(&each->fid);
    each = nullptr;
  }
  void close() {
    close_one(endpoint_);
    close_one(queue_);
    close_one(addresses_);
  }

  void poll() {
    std::array<fi_cq_data_entry, 8> entries;
    const ssize_t count = fi_cq_read(queue_, entries.data(), entries.size());
    if (count > 0) outcome_ = "done";
    if (count == -FI_EAGAIN) std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (count != -FI_EAVAIL) return;
    fi_cq_err_entry failure{};
    static_cast<void>(fi_cq_readerr(queue_, &failure, 0));
    outcome_ = fi_strerror(failure.err);
  }

  std::string provider_;
  sockaddr_in victim_;
  std::chrono::milliseconds patience_;
  fi_info* info_ = nullptr;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_av* addresses_ = nullptr;
  fid_cq* queue_ = nullptr;
  fid_ep* endpoint_ = nullptr;
  fi_context2 context_{};
  std::string outcome_;
};
