// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_messages.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace acre::fabric {
namespace {

constexpr std::size_t most_injected = 1024;

constexpr std::size_t head_bytes = sizeof(message_head);
constexpr std::size_t largest_short = head_bytes + max_arguments * sizeof(word);

std::size_t without_header(std::uint64_t bytes) {
  constexpr std::size_t header = 64;
  return bytes > header ? bytes - header : 0;
}

/// Largest message sent in one piece and hence in order.
std::size_t largest_message(const fi_info& info) {
  const std::string_view provider = info.fabric_attr->prov_name;
  // Larger ones use another protocol and may be overtaken.
  if (provider.ends_with(";ofi_rxm")) {
    const bool has_limit = provider == "tcp;ofi_rxm" && load_ofi_library().has_eager_limit();
    const char* const eager = has_limit ? "FI_OFI_RXM_EAGER_LIMIT" : "FI_OFI_RXM_BUFFER_SIZE";
    return without_header(environment_number(eager).value_or(16384));
  }
  if (provider == "shm" || provider.ends_with(";ofi_rxd")) return info.tx_attr->inject_size;
  return environment_size("ACRE_OFI_MESSAGE_SIZE").value_or(16000);
}

std::size_t require_usable(std::size_t largest) {
  constexpr std::size_t least = 512;
  if (largest >= least) return largest / sizeof(word) * sizeof(word);
  throw error("ofi",
              "the maximum message size of " + std::to_string(largest) + " bytes is too small",
              "ACRE_OFI_MESSAGE_SIZE, FI_OFI_RXM_EAGER_LIMIT and FI_OFI_RXM_BUFFER_SIZE must be "
              "at least 1024");
}

unsigned number_of_slots(unsigned most) {
  const auto asked = environment_number("ACRE_OFI_BUFFERS").value_or(most);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(asked, 1, most));
}

std::size_t whole_words(std::size_t bytes) { return round_up(bytes, sizeof(word)); }

std::size_t travelling_bytes(const message_header& header) {
  return whole_words(head_bytes + header.argument_count * sizeof(word) + header.payload_bytes);
}

void gather(std::byte* to, const message_header& header, const word* arguments,
            const void* payload) {
  const std::size_t argument_bytes = header.argument_count * sizeof(word);
  const message_head head{.header = header};
  std::memcpy(to, &head, sizeof head);
  to += sizeof head;
  if (argument_bytes != 0) std::memcpy(to, arguments, argument_bytes);
  to += argument_bytes;
  if (header.payload_bytes != 0) std::memcpy(to, payload, header.payload_bytes);
  std::memset(to + header.payload_bytes, 0,
              whole_words(header.payload_bytes) - header.payload_bytes);
}

}  // namespace

ofi_messages::ofi_messages(const ofi_endpoint& fabric, unsigned most_under_way)
    : endpoint_(fabric.endpoint.get()),
      largest_(require_usable(
          std::min(largest_message(*fabric.info), fabric.info->ep_attr->max_msg_size))),
      // Injected messages escape the limit on pending ones.
      injected_(most_under_way < send_slots::most
                    ? 0
                    : std::min(most_injected, fabric.info->tx_attr->inject_size)),
      slots_(number_of_slots(most_under_way), largest_) {}

void ofi_messages::open(const fi_info& info) {
  // With several senders, ofi_rxm returns a multi-receive buffer while a message is still arriving.
  multi_receive_ = environment("ACRE_OFI_RECEIVE") == "multi" && (info.caps & FI_MULTI_RECV) != 0;
  if (multi_receive_) {
    std::size_t least = largest_;
    require_ofi(
        fi_setopt(&endpoint_->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &least, sizeof(least)),
        "fi_setopt");
    receives_.emplace(4, std::max(std::size_t{64} << 10, 8 * largest_));
  } else {
    const std::size_t queue = std::clamp<std::size_t>(info.rx_attr->size, 1, 64);
    receives_.emplace(static_cast<unsigned>(queue), largest_);
  }
  post_all();
}

void ofi_messages::connect(seal_kind seals, const secret_key& secret, rank_t self, rank_t ranks) {
  seals_ = message_seals(seals, derive_key(secret, key_purpose::messages), self, ranks);
}

std::size_t ofi_messages::max_payload() const noexcept { return largest_ - largest_short; }

template <seal_kind Kind>
ssize_t ofi_messages::send_short(void* self, void* message, std::size_t bytes,
                                 std::uint64_t target) {
  auto& sender = *static_cast<ofi_messages*>(self);
  const auto rank = static_cast<rank_t>(target);
  sealed_stream& stream = sender.seals_.stream_to(rank);
  const std::uint64_t number = stream.claim();
  // A call of another function, so that this one saves few registers.
  if (message_seals::is_rare(number)) [[unlikely]] {
    return sender.send_rare(message, bytes, rank, number);
  }
  return sender.seals_.send_claimed<Kind>(stream, rank, number, message, [&] {
    return fi_inject(sender.endpoint_, message, bytes, target);
  });
}

ssize_t ofi_messages::send_rare(void* message, std::size_t bytes, rank_t target,
                                std::uint64_t number) {
  sealed_stream& stream = seals_.stream_to(target);
  number = seals_.claim_or_begin(stream, target, number);
  return seals_.send_claimed(stream, target, number, message,
                             [&] { return fi_inject(endpoint_, message, bytes, target); });
}

void ofi_messages::set_short_sender(direct_line& line) noexcept {
  line.sender = this;
  if (injected_ < largest_short) {
    line.send = [](void*, void*, std::size_t, std::uint64_t) -> ssize_t { return -FI_EAGAIN; };
  } else if (seals_.kind() == seal_kind::aes) {
    line.send = send_short<seal_kind::aes>;
  } else if (seals_.kind() == seal_kind::siphash) {
    line.send = send_short<seal_kind::siphash>;
  } else {
    line.sender = endpoint_;
    line.send = reinterpret_cast<direct_line::send_function>(endpoint_->msg->inject);
  }
}

bool ofi_messages::try_send(rank_t target, const message_header& header, const word* arguments,
                            const void* payload) {
  const std::size_t bytes = travelling_bytes(header);
  ssize_t result = 0;
  if (bytes <= injected_) {
    alignas(8) std::array<std::byte, most_injected> message;
    gather(message.data(), header, arguments, payload);
    result = seals_.seal_and_send(target, message.data(), [&] {
      return fi_inject(endpoint_, message.data(), bytes, target);
    });
  } else {
    const unsigned slot = slots_.claim(target);
    if (slot == send_slots::none) return false;
    gather(slots_.memory(slot), header, arguments, payload);
    const iovec piece{slots_.memory(slot), bytes};
    const fi_msg message{.msg_iov = &piece,
                         .desc = nullptr,
                         .iov_count = 1,
                         .addr = target,
                         .context = slots_.context(slot),
                         .data = 0};
    result = seals_.seal_and_send(target, slots_.memory(slot),
                                  [&] { return fi_sendmsg(endpoint_, &message, FI_COMPLETION); });
    if (result != 0) slots_.release(slot);
  }
  if (result == 0) return true;
  if (result == -FI_EAGAIN) return false;
  report_unreachable(result, target);
}

std::optional<rank_t> ofi_messages::pop_failed_send(const void* context) noexcept {
  const unsigned slot = slots_.slot_of(context);
  if (slot == send_slots::none) return {};
  const rank_t target = slots_.target(slot);
  slots_.release(slot);
  return target;
}

bool ofi_messages::post(receive_buffers::buffer& buffer) {
  const iovec piece{buffer.memory, receives_->buffer_bytes()};
  const fi_msg message{.msg_iov = &piece,
                       .desc = nullptr,
                       .iov_count = 1,
                       .addr = FI_ADDR_UNSPEC,
                       .context = &buffer.context,
                       .data = 0};
  const ssize_t result =
      fi_recvmsg(endpoint_, &message, FI_COMPLETION | (multi_receive_ ? FI_MULTI_RECV : 0));
  buffer.posted = result == 0;
  if (result == -FI_EAGAIN) return false;
  require_ofi(result, "fi_recvmsg");
  return true;
}

void ofi_messages::post_again(receive_buffers::buffer& buffer) {
  buffer.posted = false;
  if (!post(buffer)) all_posted_ = false;
}

void ofi_messages::post_all() {
  all_posted_ = std::ranges::all_of(receives_->all(), [this](receive_buffers::buffer& buffer) {
    return buffer.posted || post(buffer);
  });
}

bool ofi_messages::handle(const fi_cq_data_entry& entry, receiver& inbox) {
  if (auto* buffer = receives_->buffer_of(entry.op_context)) {
    if (entry.len != 0 || !multi_receive_) {
      const auto* begin =
          multi_receive_ ? static_cast<const std::byte*>(entry.buf) : buffer->memory;
      failed_receptions_ = 0;
      deliver({begin, entry.len}, inbox);
    }
    if (!multi_receive_ || (entry.flags & FI_MULTI_RECV) != 0) post_again(*buffer);
    return true;
  }
  const unsigned slot = slots_.slot_of(entry.op_context);
  if (slot == send_slots::none) return false;
  slots_.release(slot);
  return true;
}

bool ofi_messages::handle_failed_reception(const fi_cq_err_entry& failure, receiver& inbox) {
  auto* const buffer = receives_->buffer_of(failure.op_context);
  if (buffer == nullptr) return false;
  inbox.note_refused();
  constexpr unsigned of_the_provider = 10'000;
  // An oversized message can only be from an unauthenticated peer.
  if (failure.err != FI_ETRUNC && ++failed_receptions_ > of_the_provider) {
    throw error("ofi", "messages cannot be received: " + load_ofi_library().explain(failure.err),
                "set ACRE_OFI_PROVIDER to another provider");
  }
  post_again(*buffer);
  return true;
}

namespace {

[[noreturn, gnu::cold]] void report_lost_before(const message_header& header) {
  throw error(
      "ofi",
      "a message from rank " + std::to_string(header.source) + " was lost or damaged in transit",
      "set ACRE_OFI_PROVIDER to another provider; the network may be faulty");
}

[[noreturn, gnu::cold]] void report_cut_short(const message_header& header, std::size_t bytes) {
  throw error("ofi",
              "a message of " + std::to_string(bytes) + " bytes from rank " +
                  std::to_string(header.source) + " is truncated",
              "run the same version of Acre on all ranks");
}

}  // namespace

void ofi_messages::deliver(std::span<const std::byte> bytes, receiver& inbox) {
  if (bytes.size() < head_bytes) return inbox.note_refused();
  message_head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  message received{.header = head.header, .arguments = {}, .payload = {}};
  const auto verdict = seals_.judge(head.seal, head.header);
  if (verdict == message_seals::verdict::foreign) return inbox.note_refused();
  if (seals_.kind() == seal_kind::unsealed) inbox.note_unsealed();
  if (verdict == message_seals::verdict::too_early) report_lost_before(received.header);
  const std::size_t body = head_bytes + received.header.argument_count * sizeof(word);
  if (received.header.argument_count > max_arguments ||
      bytes.size() < body + received.header.payload_bytes) {
    report_cut_short(received.header, bytes.size());
  }
  received.arguments = {reinterpret_cast<const word*>(bytes.data() + head_bytes),
                        received.header.argument_count};
  received.payload = bytes.subspan(body, received.header.payload_bytes);
  inbox.deliver(received);
}

}  // namespace acre::fabric
