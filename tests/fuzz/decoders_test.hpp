// SPDX-License-Identifier: BSD-3-Clause
// Fuzzed decoders, by message folder. Decoders of foreign data return or throw acre::error.
#pragma once

#include <acre/agas/detail/parcel.hpp>
#include <acre/fabric/atomic_operation.hpp>
#include <acre/fabric/box_copy.hpp>
#include <acre/fabric/seals.hpp>
#include <acre/global/team/detail/mailbox.hpp>
#include <acre/global/wire/callable.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/launch/detail/handshake.hpp>
#include <acre/launch/pmi_wire.hpp>
#include <acre/runtime/detail/fragments.hpp>
#include <acre/runtime/detail/handler_table.hpp>
#include <acre/runtime/lent_address.hpp>

#include <tools/acre/pmi_server.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace acre::fuzz {

using bytes_view = std::span<const std::byte>;

struct decoder {
  std::string_view name;
  /// aligned as a payload
  void (*decode)(bytes_view message);
};

struct tree {
  std::string name;
  std::vector<tree> children;
  std::unique_ptr<tree> next;
  friend auto acre_fields(tree& t) { return std::tie(t.name, t.children, t.next); }
};

/// A decoded value must survive encoding and decoding.
template <class T>
void take_value(bytes_view message) {
  reader from(message);
  const auto sent = serialize(from.read<T>());
  static_cast<void>(deserialize<T>(sent));
}

/// Views deserialize during iteration.
template <class T>
void walk_view(bytes_view message) {
  reader from(message);
  std::size_t elements = 0;
  for (const auto& each : from.read<message_view<T>>()) {
    static_cast<void>(each);
    ++elements;
  }
  if (elements > message.size()) __builtin_trap();
}

inline void decode_value(bytes_view message) {
  static constexpr std::array takes{
      &take_value<std::vector<std::string>>,
      &take_value<std::map<std::string, std::vector<std::uint32_t>>>,
      &take_value<std::variant<int, std::string, std::vector<bool>>>,
      &take_value<std::optional<std::tuple<std::uint8_t, std::string, double>>>,
      &take_value<std::unordered_map<std::uint16_t, std::optional<std::string>>>,
      &take_value<tree>,
      &take_value<std::array<std::pair<bool, std::string>, 3>>,
      &take_value<std::shared_ptr<std::vector<std::unique_ptr<long>>>>,
      &walk_view<std::string>,
      &walk_view<std::map<int, std::string>>,
      &walk_view<double>,
  };
  constexpr std::size_t head = payload_alignment;
  if (message.size() < head) return;
  takes[std::to_integer<std::size_t>(message[0]) % takes.size()](message.subspan(head));
}

inline std::uint64_t next_word(bytes_view& from) {
  std::uint64_t word = 0;
  const std::size_t bytes = std::min(sizeof word, from.size());
  std::memcpy(&word, from.data(), bytes);
  from = from.subspan(bytes);
  return word;
}

/// Input: source (of three ranks), arguments, length, bytes.
inline void join_fragments(bytes_view message) {
  runtime::byte_pool pool;
  runtime::joined_fragments joined;
  while (!message.empty()) {
    const auto source = static_cast<rank_t>(next_word(message) % 3);
    runtime::fragment_arguments words;
    for (auto& each : words) each = next_word(message);
    auto head = std::bit_cast<runtime::fragment_head>(words);
    head.whole.payload_bytes &= 0xffff;  // avoids gigabytes
    head.whole.argument_count %= fabric::max_arguments + 1;
    words = std::bit_cast<runtime::fragment_arguments>(head);
    const bytes_view piece = message.first(next_word(message) % (message.size() + 1));
    message = message.subspan(piece.size());
    const auto whole = joined.join(
        pool,
        {.header = {.payload_bytes = static_cast<std::uint32_t>(piece.size()), .source = source},
         .arguments = words,
         .payload = piece});
    if (whole != nullptr && whole->view().payload.size() > 0xffff) __builtin_trap();
  }
}

/// Input: offset in 4 KiB, box_part.
inline void copy_box(bytes_view message) {
  std::vector<std::byte> memory(4096);
  const std::uint64_t offset = next_word(message);
  fabric::box_part part{.shape = fabric::box(0), .first = 0, .count = 0};
  if (message.size() < sizeof part) return;
  std::memcpy(static_cast<void*>(&part), message.data(), sizeof part);
  if (!part.lies_in(offset, memory.size()) || part.bytes() > 1 << 20) return;
  std::vector<std::byte> packed(part.bytes());
  fabric::pack_remote(packed.data(), memory.data() + offset, part);
  fabric::unpack_remote(memory.data() + offset, packed.data(), part);
}

inline void walk_items(bytes_view message) {
  std::size_t bytes = 0;
  global::for_each_item(message, [&](bytes_view item) {
    for (const std::byte each : item) bytes += 1 + 0 * std::to_integer<std::size_t>(each);
  });
  if (bytes > message.size()) __builtin_trap();
}

inline void update_word(bytes_view message) {
  fabric::wide_word target;
  fabric::wide_word before;
  const std::uint64_t what = next_word(message);
  const auto type = static_cast<fabric::atomic_type>(what >> 8 & 0xff);
  const fabric::wide_word operand{next_word(message), next_word(message)};
  const fabric::wide_word expected{next_word(message), next_word(message)};
  static_cast<void>(fabric::apply_atomic(static_cast<fabric::atomic_operation>(what & 0xff), type,
                                         &target, operand, expected, before));
}

/// Input: seals and headers. A fuzzer may find valid seals, since it observes comparisons; each is
/// accepted once.
inline void judge_seal(bytes_view message) {
  using verdict = fabric::message_seals::verdict;
  constexpr rank_t ranks = 3;
  constexpr rank_t self = 1;
  fabric::message_seals seals(fabric::seal_kind::siphash,
                              {.low = 0x123456789abcdef, .high = 0xfedcba987654321}, self, ranks);
  while (message.size() >= sizeof(fabric::message_head)) {
    const std::uint64_t seal = next_word(message);
    const auto header =
        std::bit_cast<fabric::message_header>(std::array{next_word(message), next_word(message)});
    if (seals.judge(seal, header) != verdict::genuine) continue;
    if (header.source >= ranks || seals.judge(seal, header) == verdict::genuine) {
      __builtin_trap();
    }
  }
}

/// A rank of three, without a job.
class pretended_job {
 public:
  pretended_job() { runtime::world.size = 3; }
  ~pretended_job() {
    runtime::world.size = 0;
    global::clear_mailbox();
  }
};

/// Input: two header words, length, bytes. Omits handlers that need a job.
inline void run_handlers(bytes_view message) {
  using runtime::handler_id;
  struct unheard final : runtime::responder {
    void reply(runtime::handler_id, std::span<const runtime::word>,
               std::span<const std::byte>) override {}
  } nobody;
  const pretended_job pretended;
  while (message.size() >= 3 * sizeof(runtime::word)) {
    auto header =
        std::bit_cast<fabric::message_header>(std::array{next_word(message), next_word(message)});
    const std::size_t bytes = next_word(message) % (message.size() + 1);
    const bytes_view body = message.first(bytes);
    message = message.subspan(bytes);
    header.argument_count %= fabric::max_arguments + 1;
    std::array<runtime::word, fabric::max_arguments> words{};
    const std::size_t argument_bytes = header.argument_count * sizeof(runtime::word);
    if (argument_bytes > body.size()) continue;
    if (argument_bytes != 0) std::memcpy(words.data(), body.data(), argument_bytes);
    const std::vector<std::byte> payload(body.begin() + static_cast<std::ptrdiff_t>(argument_bytes),
                                         body.end());
    header.payload_bytes = static_cast<std::uint32_t>(payload.size());
    const auto handler = runtime::handler_id{header.handler};
    if (handler == runtime::handler_ids::where_request ||
        handler == global::handler_ids::service_request ||
        handler == global::handler_ids::box_request ||
        handler == global::handler_ids::answer_batch ||
        runtime::handlers[header.handler].form.brings_requests ||
        runtime::handlers[header.handler].builtin == nullptr || !runtime::is_sound(header)) {
      continue;
    }
    // A fuzzer can find the check bits of any address, so addresses must be null.
    const bool brings_address = handler == runtime::handler_ids::where_reply ||
                                handler == runtime::handler_ids::put_answer ||
                                handler == runtime::handler_ids::atomic_reply ||
                                handler == global::handler_ids::box_answer ||
                                handler == global::handler_ids::service_answer;
    if (brings_address && (words[0] & runtime::address_mask) != 0) continue;
    // Legal sizes reach gigabytes.
    if (handler == global::handler_ids::collective) words[1] &= ~std::uint64_t{0xffffff0000};
    const std::vector<runtime::word> arguments(words.begin(),
                                               words.begin() + header.argument_count);
    runtime::handlers[header.handler].builtin(
        {.header = header, .arguments = arguments, .payload = payload}, nobody);
  }
}

inline void take_parcels(bytes_view message) {
  const pretended_job pretended;
  global::for_each_item(message, [](bytes_view item) {
    agas::require_parcel(item, 1);
    const agas::parcel_header header = agas::header_of(item);
    if (header.caller >= 3 || header.target.home() >= 3) __builtin_trap();
    agas::parcel_queue kept;
    kept.push(std::make_unique<agas::kept_parcel>(item));
  });
}

inline void named_function(int) {}

inline void resolve_token(bytes_view message) {
  const auto right = static_cast<std::uint64_t>(token_of<&named_function>());
  const callable_token token{right ^ next_word(message)};
  if (resolve<void(int)>(token) == nullptr) __builtin_trap();
}

inline std::string_view text_of(bytes_view message) {
  return {reinterpret_cast<const char*>(message.data()), message.size()};
}

/// Input: rank and length in a byte, text.
inline void tell_launcher(bytes_view message) {
  constexpr rank_t ranks = 3;
  tool::pmi_server server(ranks, "job");
  while (!message.empty()) {
    const auto head = std::to_integer<std::size_t>(message[0]);
    const bytes_view piece = message.subspan(1, std::min(head / 4, message.size() - 1));
    message = message.subspan(1 + piece.size());
    server.receive(static_cast<rank_t>(head % ranks), text_of(piece));
    for (const rank_t each : server.pop_ready()) {
      while (!server.outgoing(each).empty()) server.sent(each, server.outgoing(each).size());
    }
    static_cast<void>(server.pop_abort());
  }
  if (server.waiting() > 2 * ranks) __builtin_trap();
}

inline void hear_pieces(bytes_view message) {
  launch::pmi::inbox from;
  while (!message.empty()) {
    const auto head = std::to_integer<std::size_t>(message[0]);
    const bytes_view piece = message.subspan(1, std::min(head / 4, message.size() - 1));
    message = message.subspan(1 + piece.size());
    from.append(text_of(piece));
    std::optional<std::string> line = from.line();
    if (!line) continue;
    const launch::pmi::command said(std::move(*line));
    const std::int64_t bytes = said.number("bytes").value_or(0);
    if (bytes < 0) continue;
    if (const auto block = from.block(static_cast<std::size_t>(bytes))) {
      static_cast<void>(launch::pmi::unpack(*block, 3));
    }
  }
}

inline void hear_launcher(bytes_view message) {
  const launch::pmi::command line{std::string(text_of(message))};
  static_cast<void>(line.name());
  static_cast<void>(line.number("rc"));
  static_cast<void>(launch::pmi::from_hex(line.value("value").value_or("")));
}

inline constexpr std::array decoders{
    decoder{"atomic", &update_word},
    decoder{"box", &copy_box},
    decoder{
        "exchange",
        [](bytes_view message) { static_cast<void>(launch::pmi::unpack(text_of(message), 3)); }},
    decoder{"fragments", &join_fragments},
    decoder{"handshake", [](bytes_view message) { static_cast<void>(launch::unpack(message, 1)); }},
    decoder{"items", &walk_items},
    decoder{"handlers", &run_handlers},
    decoder{"launcher", &tell_launcher},
    decoder{"launcher_line", &hear_launcher},
    decoder{"launcher_pieces", &hear_pieces},
    decoder{"parcel", &take_parcels},
    decoder{"seal", &judge_seal},
    decoder{"token", &resolve_token},
    decoder{"value", &decode_value},
};

}  // namespace acre::fuzz
