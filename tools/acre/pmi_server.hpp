// SPDX-License-Identifier: BSD-3-Clause
// Launcher's side of PMI-1 without I/O: bytes from ranks in, answers out.
#pragma once

#include <acre/fabric/message.hpp>
#include <acre/launch/pmi_wire.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace acre::tool {

using fabric::rank_t;

struct abort_request {
  rank_t rank = 0;
  int status = 1;
  std::string why;
};

class pmi_server {
 public:
  enum class stage {
    outside,  ///< never used PMI
    inside,   ///< between init and finalize: must not end
    finished
  };

  /// @param lifeline may be empty
  pmi_server(rank_t size, std::string job_name, std::string lifeline = {});

  void set_program(rank_t rank, std::size_t number) { clients_[rank].program = number; }
  void receive(rank_t rank, std::string_view bytes);

  /// Ranks with new answers since the last call.
  [[nodiscard]] std::vector<rank_t> pop_ready();
  [[nodiscard]] std::string_view outgoing(rank_t rank) const;
  void sent(rank_t rank, std::size_t bytes);

  [[nodiscard]] stage stage_of(rank_t rank) const { return clients_[rank].where; }
  /// Number of ranks in a barrier or exchange.
  [[nodiscard]] std::size_t waiting() const noexcept { return in_barrier_ + in_exchange_; }
  /// The first abort request, once.
  [[nodiscard]] std::optional<abort_request> pop_abort();

 private:
  struct client {
    stage where = stage::outside;
    std::size_t program = 0;
    launch::pmi::inbox inbox;
    std::optional<std::size_t> block;  // missing bytes of an exchange
    bool in_spawn = false;             // between mcmd=spawn and endcmd
    bool in_barrier = false;
    bool in_exchange = false;
    std::deque<std::shared_ptr<const std::string>> outbox;
    std::size_t sent = 0;
  };

  void tell(rank_t rank, std::string text);
  void obey(rank_t rank, std::string line);
  void answer_init(rank_t rank, const launch::pmi::command& request);
  void answer_put(rank_t rank, const launch::pmi::command& request);
  void answer_get(rank_t rank, const launch::pmi::command& request);
  void enter_barrier(rank_t rank);
  void begin_exchange(rank_t rank, const launch::pmi::command& request);
  void enter_exchange(rank_t rank, std::string bytes);
  void note_abort(rank_t rank, const launch::pmi::command& request);

  std::string job_name_;
  std::string lifeline_;
  std::vector<client> clients_;
  std::vector<rank_t> ready_;
  std::unordered_map<std::string, std::string> values_;
  std::size_t in_barrier_ = 0;
  std::size_t in_exchange_ = 0;
  std::vector<std::string> exchange_;
  std::optional<abort_request> abort_;
};

}  // namespace acre::tool
