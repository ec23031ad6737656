// SPDX-License-Identifier: BSD-3-Clause
#include "pmi_server.hpp"

namespace acre::tool {

namespace pmi = launch::pmi;

namespace {

// MPICH reads answers into 1,024 bytes.
constexpr std::size_t longest_key = 64;
constexpr std::size_t longest_value = 1024;

constexpr std::size_t longest_line = 65536;

}  // namespace

pmi_server::pmi_server(rank_t size, std::string job_name, std::string lifeline)
    : job_name_(std::move(job_name)),
      lifeline_(std::move(lifeline)),
      clients_(size),
      exchange_(size) {
  // One node with all ranks.
  values_["PMI_process_mapping"] = "(vector,(0,1," + std::to_string(size) + "))";
}

void pmi_server::receive(rank_t rank, std::string_view bytes) {
  client& from = clients_[rank];
  from.inbox.append(bytes);
  for (;;) {
    if (from.block) {
      auto block = from.inbox.block(*from.block);
      if (!block) return;
      from.block.reset();
      enter_exchange(rank, *std::move(block));
      continue;
    }
    auto line = from.inbox.line();
    if (line) {
      obey(rank, *std::move(line));
    } else if (from.inbox.waiting() > longest_line && !abort_) {
      abort_ = abort_request{rank, 1, "it sent data that is not PMI to the launcher"};
      return;
    } else {
      return;
    }
  }
}

std::vector<rank_t> pmi_server::pop_ready() { return std::exchange(ready_, {}); }

std::string_view pmi_server::outgoing(rank_t rank) const {
  const client& to = clients_[rank];
  if (to.outbox.empty()) return {};
  return std::string_view(*to.outbox.front()).substr(to.sent);
}

void pmi_server::sent(rank_t rank, std::size_t bytes) {
  client& to = clients_[rank];
  to.sent += bytes;
  if (to.sent == to.outbox.front()->size()) {
    to.outbox.pop_front();
    to.sent = 0;
  }
}

std::optional<abort_request> pmi_server::pop_abort() { return std::exchange(abort_, {}); }

void pmi_server::tell(rank_t rank, std::string text) {
  clients_[rank].outbox.push_back(std::make_shared<const std::string>(std::move(text)));
  ready_.push_back(rank);
}

void pmi_server::obey(rank_t rank, std::string line) {
  client& from = clients_[rank];
  if (line.starts_with("mcmd=")) from.in_spawn = true;
  if (from.in_spawn) {
    if (line != "endcmd") return;
    from.in_spawn = false;
    return tell(rank, "cmd=spawn_result rc=-1 msg=acre_run_cannot_spawn\n");
  }
  const pmi::command request(std::move(line));
  const std::string_view name = request.name();
  if (name == "init") return answer_init(rank, request);
  if (name == "put") return answer_put(rank, request);
  if (name == "get") return answer_get(rank, request);
  if (name == "barrier_in") return enter_barrier(rank);
  if (name == "acre_exchange") return begin_exchange(rank, request);
  if (name == "abort") return note_abort(rank, request);
  if (name == "get_maxes") {
    return tell(rank, "cmd=maxes kvsname_max=256 keylen_max=" + std::to_string(longest_key) +
                          " vallen_max=" + std::to_string(longest_value) + "\n");
  }
  if (name == "get_my_kvsname") return tell(rank, "cmd=my_kvsname kvsname=" + job_name_ + "\n");
  if (name == "get_appnum") {
    return tell(rank, "cmd=appnum appnum=" + std::to_string(from.program) + "\n");
  }
  if (name == "get_universe_size") {
    return tell(rank, "cmd=universe_size size=" + std::to_string(clients_.size()) + " rc=0\n");
  }
  if (name == "get_ranks2hosts") return tell(rank, "cmd=put_ranks2hosts 0 \n");
  if (name == "publish_name" || name == "unpublish_name" || name == "lookup_name") {
    const auto verb = name.substr(0, name.find('_'));
    return tell(rank, "cmd=" + std::string(verb) + "_result rc=-1 msg=no_name_service\n");
  }
  if (name == "finalize") {
    from.where = stage::finished;
    return tell(rank, "cmd=finalize_ack\n");
  }
  tell(rank, "cmd=error rc=-1 msg=unknown_command\n");
}

void pmi_server::answer_init(rank_t rank, const pmi::command& request) {
  if (request.number("pmi_version") != 1) {
    return tell(rank, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1\n");
  }
  clients_[rank].where = stage::inside;
  std::string answer =
      "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 acre=1 kvsname=" + job_name_;
  if (!lifeline_.empty()) answer += " lifeline=" + lifeline_;
  tell(rank, answer + "\n");
}

void pmi_server::answer_put(rank_t rank, const pmi::command& request) {
  const auto key = request.value("key");
  const auto value = request.value("value");
  if (!key || !value) return tell(rank, "cmd=put_result rc=-1 msg=key_or_value_missing\n");
  values_[std::string(*key)] = *value;
  tell(rank, "cmd=put_result rc=0 msg=success\n");
}

void pmi_server::answer_get(rank_t rank, const pmi::command& request) {
  const auto found = values_.find(std::string(request.value("key").value_or("")));
  if (found == values_.end()) {
    return tell(rank, "cmd=get_result rc=-1 msg=key_not_found value=unknown\n");
  }
  tell(rank, "cmd=get_result rc=0 msg=success value=" + found->second + "\n");
}

void pmi_server::enter_barrier(rank_t rank) {
  if (std::exchange(clients_[rank].in_barrier, true)) return;
  if (++in_barrier_ < clients_.size()) return;
  in_barrier_ = 0;
  for (rank_t each = 0; each < clients_.size(); ++each) {
    clients_[each].in_barrier = false;
    tell(each, "cmd=barrier_out rc=0\n");
  }
}

void pmi_server::begin_exchange(rank_t rank, const pmi::command& request) {
  const auto bytes = request.number("bytes").value_or(-1);
  if (bytes < 0 || static_cast<std::size_t>(bytes) > pmi::longest_exchange) {
    return tell(rank, "cmd=acre_exchanged rc=-1 msg=bad_size\n");
  }
  clients_[rank].block = static_cast<std::size_t>(bytes);
}

void pmi_server::enter_exchange(rank_t rank, std::string bytes) {
  if (std::exchange(clients_[rank].in_exchange, true)) return;
  exchange_[rank] = std::move(bytes);
  if (++in_exchange_ < clients_.size()) return;
  in_exchange_ = 0;
  std::string packed = pmi::pack(exchange_);
  exchange_.assign(exchange_.size(), {});
  packed.insert(0, "cmd=acre_exchanged bytes=" + std::to_string(packed.size()) + "\n");
  const auto shared = std::make_shared<const std::string>(std::move(packed));
  for (rank_t each = 0; each < clients_.size(); ++each) {
    clients_[each].in_exchange = false;
    clients_[each].outbox.push_back(shared);
    ready_.push_back(each);
  }
}

void pmi_server::note_abort(rank_t rank, const pmi::command& request) {
  if (abort_) return;
  const auto why = pmi::from_hex(request.value("why").value_or(""));
  abort_ = abort_request{rank, static_cast<int>(request.number("exitcode").value_or(1)),
                         why ? std::string(pmi::as_text(*why)) : std::string{}};
}

}  // namespace acre::tool
