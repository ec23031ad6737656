// SPDX-License-Identifier: BSD-3-Clause
// The launcher's side of PMI-1: what ranks say comes in as bytes, what they are
// to be told goes out as bytes. It does no input or output of its own, so the
// launcher's loop decides when, and tests need no processes.
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

/// A rank asked for the end of the job.
struct abort_request {
  rank_t rank = 0;
  int status = 1;
  std::string why;
};

class pmi_server {
 public:
  /// Where a rank is in its life with the others.
  enum class stage {
    outside,  ///< it has never spoken PMI
    inside,   ///< between init and finalize: it must not end
    finished  ///< after finalize
  };

  /// @param lifeline what ranks hold on to, to end with the launcher; may be empty
  pmi_server(rank_t size, std::string job_name, std::string lifeline = {});

  /// Takes bytes from a rank and answers what can be answered.
  void receive(rank_t rank, std::string_view bytes);

  /// Ranks that have got something to be told since the last call.
  [[nodiscard]] std::vector<rank_t> take_ready();
  /// What to send to a rank next; empty when there is nothing.
  [[nodiscard]] std::string_view outgoing(rank_t rank) const;
  /// So many bytes of outgoing() were sent.
  void sent(rank_t rank, std::size_t bytes);

  [[nodiscard]] stage stage_of(rank_t rank) const { return clients_[rank].where; }
  /// How many ranks wait in a barrier or an exchange for the others.
  [[nodiscard]] std::size_t waiting() const noexcept { return in_barrier_ + in_exchange_; }
  /// The first call for the end of the job, once.
  [[nodiscard]] std::optional<abort_request> take_abort();

 private:
  struct client {
    stage where = stage::outside;
    launch::pmi::inbox inbox;
    std::optional<std::size_t> block;  // bytes of an exchange that are still to come
    bool in_spawn = false;             // between mcmd=spawn and endcmd
    bool in_barrier = false;
    bool in_exchange = false;
    std::deque<std::shared_ptr<const std::string>> outbox;
    std::size_t sent = 0;  // of outbox.front()
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
