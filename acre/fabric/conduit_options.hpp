// SPDX-License-Identifier: BSD-3-Clause
// Options of conduits, which are the same for all kinds of them.
#pragma once

#include <acre/base/ip_address.hpp>
#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/direct_line.hpp>
#include <acre/fabric/forward.hpp>
#include <acre/fabric/library_session.hpp>

#include <memory>
#include <string>
#include <vector>

namespace acre::fabric {

/// What a conduit needs before it opens. Settings of one library only are read from the
/// environment; launch/detail/settings.cpp lists them.
struct conduit_options {
  std::string job = {};      ///< prefix of the names of files that may be left in /dev/shm
  rank_t self = 0;           ///< this rank
  rank_t size = 1;           ///< ranks of the job
  bool single_host = false;  ///< all ranks can meet on the loopback interface
  /// Addresses at which ranks of several hosts, this one included, were reached, by rank. Empty:
  /// unknown, or the network does not use the Internet protocol.
  std::vector<ip_address> addresses = {};
  /// Other hosts reach this one by several of its addresses, and no single one serves all.
  bool listen_everywhere = false;
  secret_key secret = {};       ///< of the job's ranks, the same on all
  direct_line* line = nullptr;  ///< filled by the conduit; null: the conduit has its own
  /// The library that started the job, if any: the conduit may use the same one.
  std::shared_ptr<library_session> session = {};
};

}  // namespace acre::fabric
