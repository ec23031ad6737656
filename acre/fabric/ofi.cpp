#include <acre/fabric/ofi.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/fabric/ofi_self_test.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace acre::fabric {
namespace {

/// Messages up to this size are gathered on the stack.
constexpr std::size_t most_injected = 1024;

/// Operations under way at once from a rank to a provider that must not be flooded.
constexpr unsigned careful_dose = 4;

constexpr std::size_t most_words_bytes = max_arguments * sizeof(word);
constexpr std::size_t largest_short =
    sizeof(message_seal) + sizeof(message_header) + most_words_bytes;

/// The largest message that a provider carries in one piece, so that messages
/// arrive in the order in which they complete.
std::size_t largest_message(const fi_info& info) {
  const std::string_view provider = info.fabric_attr->prov_name;
  // Larger ones take another protocol, which lets later ones overtake.
  if (provider == "tcp;ofi_rxm") {
    return environment_number("FI_OFI_RXM_EAGER_LIMIT").value_or(16384) - 64;
  }
  if (provider.ends_with(";ofi_rxm")) {
    // Over anything but tcp an eager message must fit into one of its buffers.
    return environment_number("FI_OFI_RXM_BUFFER_SIZE").value_or(16384) - 64;
  }
  // One slot, one packet.
  if (provider == "shm" || provider.ends_with(";ofi_rxd")) return info.tx_attr->inject_size;
  return environment_size("ACRE_OFI_MESSAGE_SIZE").value_or(16000);
}

/// Messages are padded to whole words, so that in a buffer of many each begins aligned.
std::size_t whole_words(std::size_t bytes) { return round_up(bytes, sizeof(word)); }

/// For providers that have no way for short messages.
ssize_t send_nothing(void*, const void*, std::size_t, std::uint64_t) { return -FI_EAGAIN; }

/// The first candidate that is there and tells the truth. A candidate that the
/// user did not name may fail: there may be another one.
ofi_choice choose(const conduit_options& options, const std::string& named) {
  const std::vector<std::string> candidates = ofi_candidates(named);
  const auto addressing =
      environment("ACRE_OFI_MR") == "basic" ? ofi_addressing::addresses : ofi_addressing::offsets;
  std::optional<error> failure;
  for (const std::string& provider : candidates) {
    try {
      for (const ofi_addressing how : {addressing, ofi_addressing::addresses}) {
        if (auto choice = choose_true_ofi({.provider = provider, .addressing = how}, options)) {
          return std::move(*choice);
        }
      }
    } catch (const error& reason) {
      failure = reason;
    }
  }
  if (failure) throw *failure;
  report_missing_ofi(candidates);
}

}  // namespace

// --- setting up ---------------------------------------------------------------

ofi::ofi(const conduit_options& options, const std::string& provider)
    : ofi(choose(options, provider), options) {}

ofi::ofi(ofi_choice choice, const conduit_options& options)
    : conduit(options.line),
      request_(choice.request),
      fabric_(*choice.info, this),
      addresses_(options.addresses),
      secret_(options.secret) {
  if (endpoint()->fid.context != this)
    throw error("ofi", "the provider loses the endpoint's context");
  line().end = endpoint();
  line().counter = fabric_.counter.get();
  line().read = reinterpret_cast<direct_line::read_function>(fabric_.counter->ops->read);
  set_limits();
  choose_hot_path();
  post_receives();
  wake_ = acre::descriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake_.open()) throw error("ofi", "there is no file descriptor left", "raise ulimit -n");
}

ofi::~ofi() {
  if (!wake_.is_intact()) {
    fabric_.abandon();
    return;
  }
  // What was sent last may still lie in our buffers.
  struct : receiver {
    void deliver(const message&) override {}
  } nobody;
  try {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (!slots_->all_free() && std::chrono::steady_clock::now() < deadline) progress(nobody);
  } catch (const error&) {
    // The peer has closed already.
  }
}

void ofi::set_limits() {
  const fi_info& info = *fabric_.info;
  const fi_tx_attr& transmit = *info.tx_attr;
  const std::string provider = info.fabric_attr->prov_name;
  message_bytes_ = std::min(largest_message(info), info.ep_attr->max_msg_size) / 8 * 8;
  max_inject_ = transmit.inject_size;
  if (max_inject_ < direct_line::smallest_inject) request_.puts = small_put::bounce;
  if (request_.puts == small_put::bounce) max_inject_ = std::min<std::size_t>(message_bytes_, 1024);
  // Flooded by a few ranks, ofi_rxd loses packets, and with them messages; what
  // comes in small doses it delivers.
  careful_ = provider.ends_with(";ofi_rxd");
  inject_messages_ = careful_ ? 0 : std::min(most_injected, transmit.inject_size);
  const auto most_slots = careful_ ? careful_dose : send_slots::most;
  const auto buffers = std::clamp<std::uint64_t>(
      environment_number("ACRE_OFI_BUFFERS").value_or(most_slots), 1, most_slots);
  slots_.emplace(static_cast<unsigned>(buffers), message_bytes_);

  const std::uint32_t version = info.fabric_attr->prov_version;
  capabilities& offers = offer();
  offers.name = "ofi " + provider + " " + std::to_string(FI_MAJOR(version)) + "." +
                std::to_string(FI_MINOR(version));
  offers.max_payload =
      message_bytes_ - sizeof(message_seal) - sizeof(message_header) - most_words_bytes;
  offers.max_inject = max_inject_;
  offers.max_transfer =
      std::max({std::min(environment_size("ACRE_OFI_TRANSFER_SIZE").value_or(SIZE_MAX),
                         info.ep_attr->max_msg_size),
                least_max_transfer, max_inject_});
  // One stream a peer; elsewhere the claim has not been put to the test.
  const std::uint64_t kept =
      provider == "tcp;ofi_rxm" ? transmit.msg_order & info.rx_attr->msg_order : std::uint64_t{0};
  offers.ordered_puts = (kept & FI_ORDER_WAW) != 0;
  offers.messages_follow_puts = (kept & FI_ORDER_SAW) != 0;
  offers.sleeps = fabric_.wait_descriptor >= 0;
  offers.pins_memory = may_pin_memory(provider);
}

void ofi::choose_hot_path() {
  const bool translated =
      (fabric_.info->domain_attr->mr_mode & (FI_MR_VIRT_ADDR | FI_MR_PROV_KEY)) != 0;
  request_.addressing = translated ? ofi_addressing::addresses : ofi_addressing::offsets;
  if (!translated) draw_region_keys();
  if (translated || careful_ || request_.puts == small_put::bounce) {
    line().put = put_otherwise;
  } else if (request_.puts == small_put::message) {
    line().put = put_by_message;
  } else if (request_.puts == small_put::write) {
    line().put = put_undescribed;
  } else {
    line().put = bare_put(*endpoint());
  }
  line().send = inject_messages_ >= largest_short ? send_short : send_nothing;
}

/// Whoever can name a region's key can read and write there: so a key is nothing that can be
/// guessed, as far as the provider's keys are long.
void ofi::draw_region_keys() {
  const secret_key from = derive_key(secret_, key_purpose::regions);
  auto& keys = line().keys;
  const auto differ = [&] { return keys[segment_region] != keys[window_region]; };
  for (std::uint64_t draw = 0; draw == 0 || (draw < 100 && !differ()); ++draw) {
    for (region_key each = 0; each < keys.size(); ++each) {
      keys[each] = usable_key(*fabric_.info, keyed_hash<2>(from, {each, draw}));
    }
  }
  if (!differ()) keys = {segment_region, window_region};  // of a provider whose keys have no bits
}

void ofi::register_region(region_key key, void* base, std::size_t bytes) {
  regions_.push_back(
      {.key = key, .base = base, .registration = fabric_.expose(base, bytes, line().keys[key])});
}

namespace {

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

/// Reads what append() wrote.
class reader {
 public:
  explicit reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> take(std::size_t count) {
    if (count > bytes_.size()) throw error("ofi", "a rank's descriptor is cut short");
    return std::exchange(bytes_, bytes_.subspan(count)).first(count);
  }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  [[nodiscard]] bool empty() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> ofi::descriptor() const {
  const std::vector<std::byte> address = fabric_.address();
  std::vector<std::byte> bytes;
  append(bytes, static_cast<std::uint32_t>(address.size()));
  bytes.insert(bytes.end(), address.begin(), address.end());
  if (request_.addressing == ofi_addressing::offsets) return bytes;
  const bool virtual_addresses = (fabric_.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
  for (const local_region& region : regions_) {
    append(bytes, region.key);
    append(bytes, remote_region{
                      .base = virtual_addresses ? reinterpret_cast<std::uint64_t>(region.base) : 0,
                      .key = fi_mr_key(region.registration)});
  }
  return bytes;
}

/// The address of a rank with that at which it was found, where these are of the Internet protocol:
/// what it listens at may be all addresses of its host.
std::vector<std::byte> ofi::reachable(std::span<const std::byte> address, std::size_t rank) const {
  std::vector<std::byte> changed(address.begin(), address.end());
  const auto format = fabric_.info->addr_format;
  if (addresses_.empty() || !uses_sockets(*fabric_.info) || address.size() < sizeof(sockaddr_in))
    return changed;
  sockaddr_in with_port;  // whose place does not depend on the version
  std::memcpy(&with_port, address.data(), sizeof with_port);
  ip_address found = addresses_[rank];
  if (format == FI_SOCKADDR_IN6) found = as_version_6(found);
  const socket_address there(found, ntohs(with_port.sin_port));
  changed.resize(there.bytes);
  std::memcpy(changed.data(), there.get(), there.bytes);
  return changed;
}

void ofi::connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) {
  self_ = self;
  seals_ = message_seals(derive_key(secret_, key_purpose::messages),
                         static_cast<rank_t>(descriptors.size()));
  for (std::size_t rank = 0; rank < descriptors.size(); ++rank) {
    reader bytes(descriptors[rank]);
    const auto address_bytes = bytes.take<std::uint32_t>();
    fabric_.insert(reachable(bytes.take(address_bytes), rank), rank);
    while (!bytes.empty()) {
      const auto key = bytes.take<region_key>();
      if (remote_.size() <= key) remote_.resize(key + 1);
      remote_[key].resize(descriptors.size());
      remote_[key][rank] = bytes.take<remote_region>();
    }
  }
}

// --- one-sided ------------------------------------------------------------------

ofi::remote_place ofi::place(rank_t target, region_key key, std::uint64_t offset) const {
  if (request_.addressing == ofi_addressing::offsets) return {offset, line().keys[key]};
  const remote_region& region = remote_[key][target];
  return {region.base + offset, region.key};
}

ssize_t ofi::put_otherwise(void* end, const void* source, std::size_t bytes, void*,
                           std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                           void* context) {
  auto* const endpoint = static_cast<fid_ep*>(end);
  auto& self = *static_cast<ofi*>(endpoint->fid.context);
  const auto rank = static_cast<rank_t>(target);
  if (self.congested()) return -FI_EAGAIN;
  const bool translated = self.request_.addressing != ofi_addressing::offsets;
  const remote_place where = translated ? self.place(rank, static_cast<region_key>(key), offset)
                                        : remote_place{offset, key};
  switch (self.request_.puts) {
    case small_put::bare:
    case small_put::write:
      return fi_write(endpoint, source, bytes, nullptr, target, where.address, where.key, context);
    case small_put::message:
      return put_by_message(endpoint, source, bytes, nullptr, target, where.address, where.key,
                            context);
    case small_put::bounce:
      return self.put_from_slot(source, bytes, rank, where);
  }
  return -FI_EINVAL;
}

ssize_t ofi::put_from_slot(const void* source, std::size_t bytes, rank_t target,
                           remote_place where) {
  const unsigned slot = slots_->claim(target);
  if (slot == send_slots::none) return -FI_EAGAIN;
  std::memcpy(slots_->memory(slot), source, bytes);
  const ssize_t result = issue_put(endpoint(), slots_->memory(slot), bytes, target, where.address,
                                   where.key, slots_->context(slot), FI_COMPLETION);
  if (result != 0) slots_->release(slot);
  return result;
}

/// Whether the operation that has just been counted is one too many.
bool ofi::congested() const noexcept { return careful_ && issued() - completed() > careful_dose; }

bool ofi::refused(ssize_t result, rank_t target) {
  line().issued.fetch_sub(1, std::memory_order_acq_rel);
  if (result == -FI_EAGAIN) return false;
  report_unreachable(result, target);
}

void ofi::report_unreachable(ssize_t result, rank_t target) {
  throw error("ofi",
              "rank " + std::to_string(target) +
                  " cannot be reached: " + load_ofi_library().explain(result),
              "it has most likely ended, or was asked for memory that it does not share");
}

bool ofi::try_put(rank_t target, region_key key, std::uint64_t offset, const void* source,
                  std::size_t bytes) {
  if (bytes > max_inject_) return try_put_large(target, key, offset, source, bytes);
  count_issued();
  const ssize_t result =
      line().put(line().end, source, bytes, nullptr, target, offset, line().keys[key], nullptr);
  return result == 0 || refused(result, target);
}

bool ofi::try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                  std::size_t bytes) {
  const remote_place where = place(target, key, offset);
  count_issued();
  if (congested()) return refused(-FI_EAGAIN, target);
  const ssize_t result =
      issue_get(endpoint(), destination, bytes, target, where.address, where.key, nullptr, 0);
  return result == 0 || refused(result, target);
}

bool ofi::try_put_large(rank_t target, region_key key, std::uint64_t offset, const void* source,
                        std::size_t bytes) {
  const remote_place where = place(target, key, offset);
  count_issued();
  if (congested()) return refused(-FI_EAGAIN, target);
  const ssize_t result =
      issue_put(endpoint(), source, bytes, target, where.address, where.key, nullptr, 0);
  return result == 0 || refused(result, target);
}

bool ofi::try_put(rank_t target, region_key key, std::uint64_t offset, const void* source,
                  std::size_t bytes, operation& done) {
  const remote_place where = place(target, key, offset);
  const bool copy = bytes <= max_inject_ && request_.puts != small_put::bounce;
  count_issued();
  if (congested()) return refused(-FI_EAGAIN, target);
  const ssize_t result = issue_put(endpoint(), source, bytes, target, where.address, where.key,
                                   done.reserved, FI_COMPLETION | (copy ? FI_INJECT : 0));
  return result == 0 || refused(result, target);
}

bool ofi::try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                  std::size_t bytes, operation& done) {
  const remote_place where = place(target, key, offset);
  count_issued();
  if (congested()) return refused(-FI_EAGAIN, target);
  const ssize_t result = issue_get(endpoint(), destination, bytes, target, where.address, where.key,
                                   done.reserved, FI_COMPLETION);
  return result == 0 || refused(result, target);
}

bool ofi::try_put_ahead(rank_t target, region_key key, std::uint64_t offset, const void* source,
                        std::size_t bytes, operation& sent) {
  if (!offers().messages_follow_puts) return try_put(target, key, offset, source, bytes, sent);
  const remote_place where = place(target, key, offset);
  count_issued();
  if (congested()) return refused(-FI_EAGAIN, target);
  const ssize_t result = issue_write(endpoint(), source, bytes, target, where.address, where.key,
                                     sent.reserved, FI_COMPLETION);
  return result == 0 || refused(result, target);
}

/// Issues the next runs, as many as the provider takes in one operation, and returns how many that
/// is; 0 when there is no room.
std::size_t ofi::move_runs(direction way, rank_t target, region_key key, std::uint64_t offset,
                           std::byte* local, box::walk& at, std::size_t run_bytes) {
  constexpr std::size_t most = 8;
  std::array<iovec, most> here;
  std::array<fi_rma_iov, most> there;
  const fi_tx_attr& limits = *fabric_.info->tx_attr;
  const std::size_t count = std::min(
      {at.left(), most, std::max<std::size_t>(std::min(limits.iov_limit, limits.rma_iov_limit), 1),
       offers().max_transfer / run_bytes});
  box::walk next = at;
  for (std::size_t i = 0; i < count; ++i, next.next()) {
    const remote_place where =
        place(target, key, offset + static_cast<std::uint64_t>(next.remote()));
    here[i] = {local + next.local(), run_bytes};
    there[i] = {where.address, run_bytes, where.key};
  }
  const fi_msg_rma message{.msg_iov = here.data(),
                           .desc = nullptr,
                           .iov_count = count,
                           .addr = target,
                           .rma_iov = there.data(),
                           .rma_iov_count = count,
                           .context = nullptr,
                           .data = 0};
  count_issued();
  if (congested()) return static_cast<std::size_t>(refused(-FI_EAGAIN, target));
  const ssize_t result = way == direction::put
                             ? fi_writemsg(endpoint(), &message, FI_DELIVERY_COMPLETE)
                             : fi_readmsg(endpoint(), &message, 0);
  if (result != 0) return static_cast<std::size_t>(refused(result, target));
  at = next;
  return count;
}

std::size_t ofi::move_box(direction way, rank_t target, region_key key, std::uint64_t offset,
                          std::byte* local, const box& shape, std::size_t first_run) {
  std::size_t done = 0;
  for (box::walk at(shape, first_run); at.left() != 0;) {
    const std::size_t taken = move_runs(way, target, key, offset, local, at, shape.run_bytes());
    if (taken == 0) break;
    done += taken;
  }
  return done;
}

std::size_t ofi::try_put_box(rank_t target, region_key key, std::uint64_t offset,
                             const void* source, const box& shape, std::size_t first_run) {
  auto* const local = static_cast<std::byte*>(const_cast<void*>(source));
  return move_box(direction::put, target, key, offset, local, shape, first_run);
}

std::size_t ofi::try_get_box(rank_t target, region_key key, std::uint64_t offset, void* destination,
                             const box& shape, std::size_t first_run) {
  auto* const local = static_cast<std::byte*>(destination);
  return move_box(direction::get, target, key, offset, local, shape, first_run);
}

// --- active messages --------------------------------------------------------------

namespace {

/// The length of a message as it travels.
std::size_t travelling_bytes(const message_header& header) {
  const std::size_t bytes = sizeof(message_seal) + sizeof(header) +
                            header.argument_count * sizeof(word) + header.payload_bytes;
  return whole_words(bytes);
}

/// Writes a message as it travels, behind its seal.
void gather(std::byte* to, const message_header& header, const word* arguments,
            const void* payload) {
  const std::size_t argument_bytes = header.argument_count * sizeof(word);
  to += sizeof(message_seal);
  std::memcpy(to, &header, sizeof(header));
  to += sizeof(header);
  if (argument_bytes != 0) std::memcpy(to, arguments, argument_bytes);
  to += argument_bytes;
  if (header.payload_bytes != 0) std::memcpy(to, payload, header.payload_bytes);
  std::memset(to + header.payload_bytes, 0,
              whole_words(header.payload_bytes) - header.payload_bytes);
}

}  // namespace

/// Seals a message, which is complete but for that, and sends it: messages of a pair leave in the
/// order of their numbers.
template <class Send>
ssize_t ofi::seal_and_send(rank_t target, const message_header& header, std::byte* message,
                           Send&& send) {
  const std::lock_guard hold(sending_);
  const message_seal seal = seals_.next(target, header);
  std::memcpy(message, &seal, sizeof seal);
  const ssize_t result = send();
  if (result == 0) seals_.note_sent(target);
  return result;
}

ssize_t ofi::send_short(void* end, const void* message, std::size_t bytes, std::uint64_t target) {
  auto* const endpoint = static_cast<fid_ep*>(end);
  auto& self = *static_cast<ofi*>(endpoint->fid.context);
  message_header header;
  std::memcpy(&header, message, sizeof header);
  std::array<word, largest_short / sizeof(word)> sealed;
  // Few, so that compilers must not make a call of memcpy of it.
  const auto* const words = static_cast<const volatile word*>(message);
  for (std::size_t i = 0; i < bytes / sizeof(word); ++i) sealed[1 + i] = words[i];
  return self.seal_and_send(
      static_cast<rank_t>(target), header, reinterpret_cast<std::byte*>(sealed.data()),
      [&] { return fi_inject(endpoint, sealed.data(), sizeof(message_seal) + bytes, target); });
}

bool ofi::try_send(rank_t target, const message_header& header, const word* arguments,
                   const void* payload) {
  const std::size_t bytes = travelling_bytes(header);
  ssize_t result = 0;
  if (bytes <= inject_messages_) {
    alignas(8) std::array<std::byte, most_injected> message;
    gather(message.data(), header, arguments, payload);
    result = seal_and_send(target, header, message.data(),
                           [&] { return fi_inject(endpoint(), message.data(), bytes, target); });
  } else {
    const unsigned slot = slots_->claim(target);
    if (slot == send_slots::none) return false;
    gather(slots_->memory(slot), header, arguments, payload);
    const iovec piece{slots_->memory(slot), bytes};
    const fi_msg message{.msg_iov = &piece,
                         .desc = nullptr,
                         .iov_count = 1,
                         .addr = target,
                         .context = slots_->context(slot),
                         .data = 0};
    result = seal_and_send(target, header, slots_->memory(slot),
                           [&] { return fi_sendmsg(endpoint(), &message, FI_COMPLETION); });
    if (result != 0) slots_->release(slot);
  }
  if (result == 0) return true;
  if (result == -FI_EAGAIN) return false;
  report_unreachable(result, target);
}

void ofi::post_receives() {
  // No provider at hand does FI_MULTI_RECV right: with several senders, ofi_rxm
  // gives a buffer back while a message is still on its way into it.
  multi_receive_ =
      environment("ACRE_OFI_RECEIVE") == "multi" && (fabric_.info->caps & FI_MULTI_RECV) != 0;
  if (multi_receive_) {
    std::size_t least = message_bytes_;
    require_ofi(
        fi_setopt(&endpoint()->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &least, sizeof(least)),
        "fi_setopt");
    receives_.emplace(4, std::max(std::size_t{64} << 10, 8 * message_bytes_));
  } else {
    const std::size_t queue = std::clamp<std::size_t>(fabric_.info->rx_attr->size, 1, 64);
    receives_.emplace(static_cast<unsigned>(queue), message_bytes_);
  }
  all_posted_ = false;
  for (receive_buffers::buffer& buffer : receives_->all()) {
    if (!post(buffer)) return;  // tried again by progress()
  }
  all_posted_ = true;
}

bool ofi::post(receive_buffers::buffer& buffer) {
  const iovec piece{buffer.memory, receives_->buffer_bytes()};
  const fi_msg message{.msg_iov = &piece,
                       .desc = nullptr,
                       .iov_count = 1,
                       .addr = FI_ADDR_UNSPEC,
                       .context = &buffer.context,
                       .data = 0};
  const ssize_t result =
      fi_recvmsg(endpoint(), &message, FI_COMPLETION | (multi_receive_ ? FI_MULTI_RECV : 0));
  buffer.posted = result == 0;
  if (result == -FI_EAGAIN) return false;
  require_ofi(result, "fi_recvmsg");
  return true;
}

namespace {

[[noreturn, gnu::cold]] void report_lost_before(const message_header& header) {
  throw error(
      "ofi",
      "a message of rank " + std::to_string(header.source) + " is lost, or was damaged on its way",
      "set ACRE_OFI_PROVIDER to another one; the network itself may be at fault");
}

[[noreturn, gnu::cold]] void report_cut_short(const message_header& header, std::size_t bytes) {
  throw error("ofi",
              "a message of " + std::to_string(bytes) + " bytes from rank " +
                  std::to_string(header.source) + " is cut short",
              "run the same version of Acre on all ranks");
}

}  // namespace

/// Of whoever sends there, only ranks of this job are heard.
void ofi::deliver(std::span<const std::byte> bytes, receiver& inbox) {
  constexpr std::size_t head = sizeof(message_seal) + sizeof(message_header);
  if (bytes.size() < head) return inbox.note_refused();
  message_seal seal = 0;
  message received;
  std::memcpy(&seal, bytes.data(), sizeof seal);
  std::memcpy(&received.header, bytes.data() + sizeof seal, sizeof received.header);
  const auto verdict = seals_.judge(seal, received.header, self_);
  if (verdict == message_seals::verdict::foreign) return inbox.note_refused();
  if (verdict == message_seals::verdict::too_early) report_lost_before(received.header);
  const std::size_t body = head + received.header.argument_count * sizeof(word);
  if (received.header.argument_count > max_arguments ||
      bytes.size() < body + received.header.payload_bytes) {
    report_cut_short(received.header, bytes.size());
  }
  received.arguments = {reinterpret_cast<const word*>(bytes.data() + head),
                        received.header.argument_count};
  received.payload = bytes.subspan(body, received.header.payload_bytes);
  inbox.deliver(received);
}

// --- progress -----------------------------------------------------------------------

std::size_t ofi::progress(receiver& inbox) {
  if (!polling_.try_lock()) return 0;
  const std::lock_guard hold(polling_, std::adopt_lock);
  std::size_t handled = drain_queue(inbox);
  // Who waits for the counter asks it himself; here it only must not be forgotten. In small doses
  // each put may wait for it.
  constexpr unsigned most_without_counter = 16;
  if (careful_ || ++rounds_without_counter_ > most_without_counter) {
    rounds_without_counter_ = 0;
    handled += read_counter();
  }
  if (!all_posted_) {
    all_posted_ = std::ranges::all_of(receives_->all(), [this](receive_buffers::buffer& buffer) {
      return buffer.posted || post(buffer);
    });
  }
  return handled;
}

std::size_t ofi::drain_queue(receiver& inbox) {
  std::size_t handled = 0;
  std::array<fi_cq_data_entry, 16> entries;
  for (int batch = 0; batch < 4; ++batch) {
    const ssize_t count = fi_cq_read(fabric_.queue.get(), entries.data(), entries.size());
    if (count == -FI_EAGAIN) break;
    if (count == -FI_EAVAIL) {
      handle_failure(inbox);
      ++handled;
      continue;
    }
    require_ofi(count, "fi_cq_read");
    for (ssize_t i = 0; i < count; ++i) handle(entries[static_cast<std::size_t>(i)], inbox);
    handled += static_cast<std::size_t>(count);
    if (static_cast<std::size_t>(count) < entries.size()) break;
  }
  return handled;
}

void ofi::handle(const fi_cq_data_entry& entry, receiver& inbox) {
  if (entry.op_context == nullptr) return;  // counted, and reported all the same
  if (auto* buffer = receives_->buffer_of(entry.op_context)) {
    if (entry.len != 0) {
      const auto* begin =
          multi_receive_ ? static_cast<const std::byte*>(entry.buf) : buffer->memory;
      failed_receptions_ = 0;
      deliver({begin, entry.len}, inbox);
    }
    if (!multi_receive_ || (entry.flags & FI_MULTI_RECV) != 0) {
      buffer->posted = false;
      if (!post(*buffer)) all_posted_ = false;
    }
    return;
  }
  if (const unsigned slot = slots_->slot_of(entry.op_context); slot != send_slots::none) {
    slots_->release(slot);
    return;
  }
  auto* bytes = static_cast<std::byte*>(entry.op_context) - offsetof(operation, reserved);
  auto& done = *reinterpret_cast<operation*>(bytes);
  done.complete(done);
}

/// The counter is asked only while something is under way: for software
/// providers each asking is a poll.
std::size_t ofi::read_counter() noexcept {
  const std::uint64_t before = line().completed.load(std::memory_order_relaxed);
  if (before == line().issued.load(std::memory_order_relaxed)) return 0;
  const std::uint64_t now = fi_cntr_read(fabric_.counter.get());
  line().completed.store(now, std::memory_order_release);
  return static_cast<std::size_t>(now - before);
}

/// What fails of this rank's own operations is the end; a message that cannot be received is not:
/// it may be anybody's. (What is lost of a rank's, its next message tells.)
void ofi::handle_failure(receiver& inbox) {
  fi_cq_err_entry failure{};
  std::array<char, 256> text{};
  require_ofi(fi_cq_readerr(fabric_.queue.get(), &failure, 0), "fi_cq_readerr");
  if (auto* buffer = receives_->buffer_of(failure.op_context); buffer != nullptr) {
    inbox.note_refused();
    constexpr unsigned of_the_provider = 10'000;  // one after the other: nothing comes any more
    if (++failed_receptions_ > of_the_provider) {
      throw error("ofi", "messages cannot be received: " + load_ofi_library().explain(failure.err),
                  "set ACRE_OFI_PROVIDER to another one");
    }
    buffer->posted = false;
    if (!post(*buffer)) all_posted_ = false;
    return;
  }
  // `sockets` reports what fails of others' reads and writes here.
  static_cast<void>(read_counter());
  if (failure.op_context == nullptr && issued() == completed()) return inbox.note_refused();
  const char* detail = fi_cq_strerror(fabric_.queue.get(), failure.prov_errno, failure.err_data,
                                      text.data(), text.size());
  std::string problem = "an operation";
  if (const unsigned slot = slots_->slot_of(failure.op_context); slot != send_slots::none) {
    problem = "a message to rank " + std::to_string(slots_->target(slot));
    slots_->release(slot);
  } else if (failure.op_context != nullptr) {
    problem = "a put or get";
  }
  problem += " failed: ";
  // "Canceled" is what happened to the operation, and not why.
  if (failure.err != FI_ECANCELED) problem += load_ofi_library().explain(failure.err) + ", ";
  problem += detail != nullptr && *detail != '\0' ? detail : "no further reason given";
  throw error("ofi", problem,
              "a rank has most likely ended, or was asked for memory that it does not share");
}

/// Who has closed ours has closed libfabric's, too.
void ofi::require_descriptors() const {
  if (wake_.is_intact()) return;
  throw error("ofi", "the program has closed file descriptors that are not its own",
              "close what the program has opened, and no ranges of numbers");
}

bool ofi::wait(std::uint32_t most_milliseconds) {
  require_descriptors();
  std::array<pollfd, 2> sources{{{.fd = wake_.get(), .events = POLLIN, .revents = 0},
                                 {.fd = fabric_.wait_descriptor, .events = POLLIN, .revents = 0}}};
  nfds_t count = 1;
  {
    // libfabric's locks are not fair: who polls again and again gives one back, wakes us by a
    // system call, and has it again before we run. Only one thread at a time comes near them.
    const std::unique_lock hold(polling_, std::try_to_lock);
    if (!hold) {
      std::this_thread::sleep_for(std::min<std::chrono::microseconds>(
          std::chrono::milliseconds(most_milliseconds), std::chrono::microseconds(100)));
      return false;
    }
    // A counter that has moved since the last poll rings no bell.
    if (read_counter() != 0 || !all_posted_) return true;
    if (fabric_.wait_descriptor >= 0) {
      fid* queue = &fabric_.queue->fid;
      if (fi_trywait(fabric_.fabric.get(), &queue, 1) != 0) return true;
      count = 2;
    } else {
      most_milliseconds = std::min(most_milliseconds, 1U);
    }
  }
  ::poll(sources.data(), count, static_cast<int>(most_milliseconds));
  if ((sources[0].revents & POLLIN) != 0) {
    require_descriptors();
    std::uint64_t rings = 0;
    static_cast<void>(!::read(wake_.get(), &rings, sizeof(rings)));
  }
  return (sources[1].revents & POLLIN) != 0;
}

void ofi::wake() noexcept {
  if (!wake_.is_intact()) return;
  const std::uint64_t one = 1;
  static_cast<void>(!::write(wake_.get(), &one, sizeof(one)));
}

}  // namespace acre::fabric
