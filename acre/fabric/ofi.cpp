// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/resource_limits.hpp>
#include <acre/fabric/ofi_self_test.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
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

seal_kind offered_seals() {
  const auto wanted = environment("ACRE_OFI_SEALS");
  if (wanted == "off") return seal_kind::unsealed;
  return wanted != "siphash" && base::processor_has_aes() ? seal_kind::aes : seal_kind::siphash;
}

ofi_choice choose(const conduit_options& options, const std::string& named) {
  const std::vector<std::string> candidates = ofi_candidates(named);
  const auto addressing =
      environment("ACRE_OFI_MR") == "basic" ? ofi_addressing::addresses : ofi_addressing::offsets;
  const std::vector<std::string> domains = asked_domains(nullptr);
  const std::string domain = domains.empty() ? "" : domains.front();
  std::optional<error> failure;
  for (const std::string& provider : candidates) {
    try {
      for (const ofi_addressing how : {addressing, ofi_addressing::addresses}) {
        if (auto choice = choose_true_ofi(
                {.provider = provider, .addressing = how, .domain = domain}, options)) {
          listen_where_reached(*choice->info, options);
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

ofi::ofi(const conduit_options& options, const std::string& provider)
    : ofi(choose(options, provider), options) {}

ofi::ofi(ofi_choice choice, const conduit_options& options)
    : conduit(options.line),
      request_(choice.request),
      fabric_(*choice.info, this),
      addresses_(options.addresses),
      secret_(options.secret),
      seals_(offered_seals()) {
  stripes_ = open_stripes(choice, options, this);
  if (endpoint()->fid.context != this)
    throw error("ofi", "the provider does not keep the endpoint's context",
                "set ACRE_OFI_PROVIDER to another provider");
  line().end = endpoint();
  line().counter = fabric_.put_counter.get();
  line().read = reinterpret_cast<direct_line::read_function>(fabric_.put_counter->ops->read);
  line().gets.counter = fabric_.get_counter.get();
  line().gets.read = reinterpret_cast<direct_line::read_function>(fabric_.get_counter->ops->read);
  set_limits();
  set_stripes();
  choose_hot_path();
  messages_->open(*fabric_.info);
  wake_ = acre::descriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake_.open()) {
    const int reason = errno;
    throw error("ofi", std::string("eventfd failed: ") + std::strerror(reason),
                advice_for_refused_call("eventfd", reason, "check the memory limits of the host"));
  }
}

ofi::~ofi() {
  if (!wake_.is_intact()) {
    fabric_.abandon();
    for (const auto& each : stripes_) each->fabric.abandon();
    return;
  }
  struct : receiver {
    void deliver(const message&) override {}
  } discarded;
  try {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (!messages_->slots().all_free() && std::chrono::steady_clock::now() < deadline)
      progress(discarded);
  } catch (const error&) {
  }
}

void ofi::set_limits() {
  const fi_info& info = *fabric_.info;
  const fi_tx_attr& transmit = *info.tx_attr;
  const std::string provider = info.fabric_attr->prov_name;
  // ofi_rxd loses packets, hence messages, when flooded.
  careful_ = provider.ends_with(";ofi_rxd");
  messages_.emplace(fabric_, careful_ ? careful_dose : send_slots::most);
  max_inject_ = transmit.inject_size;
  if (max_inject_ < direct_line::smallest_inject) request_.puts = small_put::bounce;
  if (request_.puts == small_put::bounce) {
    max_inject_ = std::min<std::size_t>(messages_->largest(), 1024);
  }

  const std::uint32_t version = info.fabric_attr->prov_version;
  capabilities& offers = offer();
  offers.name = "ofi " + provider + " " + std::to_string(FI_MAJOR(version)) + "." +
                std::to_string(FI_MINOR(version));
  offers.max_payload = messages_->max_payload();
  offers.max_inject = max_inject_;
  offers.max_transfer =
      std::max({std::min(environment_size("ACRE_OFI_TRANSFER_SIZE").value_or(SIZE_MAX),
                         info.ep_attr->max_msg_size),
                least_max_transfer, max_inject_});
  const std::uint64_t kept =
      provider == "tcp;ofi_rxm" ? transmit.msg_order & info.rx_attr->msg_order : std::uint64_t{0};
  offers.ordered_puts = (kept & FI_ORDER_WAW) != 0;
  offers.messages_follow_puts = (kept & FI_ORDER_SAW) != 0;
  offers.sleeps = fabric_.wait_descriptor >= 0;
  offers.pins_memory = may_pin_memory(provider);
  offers.software_gets = !may_pin_memory(provider);
}

/// Transfers on several endpoints have no order, also to messages.
void ofi::set_stripes() {
  if (stripes_.empty()) return;
  capabilities& offers = offer();
  const std::size_t piece =
      environment_size("ACRE_OFI_TRANSFER_SIZE").value_or(ofi_stripe::default_piece);
  offers.max_transfer =
      std::max({std::min(piece, offers.max_transfer), least_max_transfer, max_inject_});
  offers.ordered_puts = false;
  offers.messages_follow_puts = false;
  line().gets.counter = this;
  line().gets.read = read_all_gets;
  line().other_puts.counter = this;
  line().other_puts.read = read_striped_puts;
}

std::uint64_t ofi::read_all_gets(void* self) {
  const auto& here = *static_cast<ofi*>(self);
  std::uint64_t sum = fi_cntr_read(here.fabric_.get_counter.get());
  for (const auto& each : here.stripes_) sum += fi_cntr_read(each->fabric.get_counter.get());
  return sum;
}

std::uint64_t ofi::read_striped_puts(void* self) {
  std::uint64_t sum = 0;
  for (const auto& each : static_cast<ofi*>(self)->stripes_) {
    sum += fi_cntr_read(each->fabric.put_counter.get());
  }
  return sum;
}

void ofi::choose_hot_path() {
  request_.addressing = addressing_of(*fabric_.info);
  const bool translated = request_.addressing == ofi_addressing::addresses;
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
}

/// Keys grant access, so they are random, within the provider's key size.
void ofi::draw_region_keys() {
  const secret_key from = derive_key(secret_, key_purpose::regions);
  auto& keys = line().keys;
  const auto differ = [&] { return keys[segment_region] != keys[window_region]; };
  for (std::uint64_t draw = 0; draw == 0 || (draw < 100 && !differ()); ++draw) {
    for (region_key each = 0; each < keys.size(); ++each) {
      keys[each] = usable_key(*fabric_.info, keyed_hash<2>(from, {each, draw}));
    }
  }
  if (!differ()) keys = {segment_region, window_region};
}

void ofi::register_region(region_key key, void* base, std::size_t bytes) {
  regions_.add(fabric_, key, base, bytes, line().keys[key]);
  for (const auto& each : stripes_) each->register_region(key, base, bytes, line());
}

std::vector<std::byte> ofi::descriptor() const {
  ofi_descriptor mine{
      .address = fabric_.address(), .seals = seals_, .regions = regions_.described(*fabric_.info)};
  for (const auto& each : stripes_) mine.others.push_back(each->descriptor());
  return pack(mine);
}

conduit::facts ofi::must_be_alike() const {
  const fi_info& info = *fabric_.info;
  const std::string provider = info.fabric_attr->prov_name;
  const auto form = [&]() -> std::string {
    if (info.addr_format == FI_SOCKADDR_IN) return "IPv4";
    if (info.addr_format == FI_SOCKADDR_IN6) return "IPv6";
    return "format " + std::to_string(info.addr_format);
  }();
  const bool by_offsets = request_.addressing == ofi_addressing::offsets;
  const auto text_of = [](bool ordered) { return ordered ? "ordered" : "not ordered"; };
  return {
      {"the network provider", provider},
      {"the protocol of " + provider, std::to_string(info.ep_attr->protocol) + " version " +
                                          std::to_string(info.ep_attr->protocol_version)},
      {"the address format of " + provider, form},
      {"the maximum message size of " + provider, std::to_string(offers().max_payload) + " bytes"},
      {"remote memory (ACRE_OFI_MR)", by_offsets ? "addressed by offsets" : "addressed by address"},
      {"the memory key size of " + provider,
       std::to_string(info.domain_attr->mr_key_size) + " bytes"},
      {"a message after a put over " + provider, text_of(offers().messages_follow_puts)},
      {"the number of network domains (ACRE_OFI_DOMAINS)", std::to_string(1 + stripes_.size())},
      {"seals of messages (ACRE_OFI_SEALS)", seals_ == seal_kind::unsealed ? "off" : "on"}};
}

std::string ofi::how_to_agree() const {
  return "set ACRE_OFI_PROVIDER to a provider of all hosts (fi_info lists them), and all network "
         "settings equally on all ranks; mpirun passes a setting with -x, MPICH's mpiexec with "
         "-genv";
}

/// Replaces a rank's IP address by the one at which it was reached: the rank may listen at all of
/// its addresses.
std::vector<std::byte> ofi::reachable(std::span<const std::byte> address, std::size_t rank) const {
  std::vector<std::byte> changed(address.begin(), address.end());
  const auto format = fabric_.info->addr_format;
  if (addresses_.empty() || !uses_sockets(*fabric_.info) || address.size() < sizeof(sockaddr_in))
    return changed;
  ip_address found = addresses_[rank];
  if (format == FI_SOCKADDR_IN6) found = as_version_6(found);
  const socket_address there(found, port_of(reinterpret_cast<const sockaddr*>(address.data())));
  changed.resize(there.bytes);
  std::memcpy(changed.data(), there.get(), there.bytes);
  return changed;
}

void ofi::connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) {
  seal_kind seals = seals_;
  std::vector<std::vector<std::byte>> reached;
  reached.reserve(descriptors.size());
  std::vector<std::vector<std::vector<std::byte>>> others(stripes_.size());
  for (std::size_t rank = 0; rank < descriptors.size(); ++rank) {
    const ofi_descriptor other = unpack_ofi(descriptors[rank]);
    seals = std::min(seals, other.seals);
    reached.push_back(reachable(other.address, rank));
    fabric_.insert(reached.back(), rank);
    remote_.add(static_cast<rank_t>(rank), descriptors.size(), other);
    for (std::size_t i = 0; i < stripes_.size(); ++i) others[i].push_back(other.others.at(i));
  }
  messages_->connect(seals, secret_, self, static_cast<rank_t>(descriptors.size()));
  messages_->set_short_sender(line());
  for (std::size_t i = 0; i < stripes_.size(); ++i) stripes_[i]->connect(others[i]);
  if (uses_sockets(*fabric_.info)) connections_.expect(fabric_.address(), reached);
}

bool ofi::try_send(rank_t target, const message_header& header, const word* arguments,
                   const void* payload) {
  try {
    return messages_->try_send(target, header, arguments, payload);
  } catch (const error&) {
    require_descriptors();
    throw;
  }
}

std::size_t ofi::progress(receiver& inbox) {
  if (!polling_.try_lock()) return 0;
  const std::lock_guard hold(polling_, std::adopt_lock);
  std::size_t handled = drain_queue(fabric_, inbox);
  for (const auto& each : stripes_) handled += drain_queue(each->fabric, inbox);
  // Waiting callers read the counters themselves. If careful_, each put may wait for it.
  constexpr unsigned most_without_counter = 16;
  if (careful_ || ++rounds_without_counter_ > most_without_counter) {
    rounds_without_counter_ = 0;
    handled += read_counters();
  }
  if (!messages_->all_posted()) messages_->post_all();
  return handled;
}

std::size_t ofi::drain_queue(ofi_endpoint& from, receiver& inbox) {
  std::size_t handled = 0;
  std::array<fi_cq_data_entry, 16> entries;
  for (int batch = 0; batch < 4; ++batch) {
    const ssize_t count = fi_cq_read(from.queue.get(), entries.data(), entries.size());
    if (count == -FI_EAGAIN) break;
    if (count == -FI_EAVAIL) {
      handle_failure(from, inbox);
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
  if (entry.op_context == nullptr) return;
  if (messages_->handle(entry, inbox)) return;
  auto* bytes = static_cast<std::byte*>(entry.op_context) - offsetof(operation, reserved);
  auto& done = *reinterpret_cast<operation*>(bytes);
  done.complete(done);
}

std::size_t ofi::read_counters() noexcept {
  const std::uint64_t before = line().completed.load(std::memory_order_relaxed);
  if (before == line().issued.load(std::memory_order_relaxed)) return 0;
  const std::uint64_t now = fi_cntr_read(fabric_.put_counter.get());
  line().completed.store(now, std::memory_order_release);
  return static_cast<std::size_t>(now - before + line().notice(line().gets) +
                                  line().notice(line().other_puts));
}

/// Throws if an operation of this rank failed.
void ofi::handle_failure(ofi_endpoint& from, receiver& inbox) {
  fi_cq_err_entry failure{};
  std::array<char, 256> text{};
  require_ofi(fi_cq_readerr(from.queue.get(), &failure, 0), "fi_cq_readerr");
  if (messages_->handle_failed_reception(failure, inbox)) return;
  require_descriptors();
  // `sockets` reports failed accesses by others here.
  static_cast<void>(read_counters());
  if (failure.op_context == nullptr && issued() == completed()) return inbox.note_refused();
  const char* detail = fi_cq_strerror(from.queue.get(), failure.prov_errno, failure.err_data,
                                      text.data(), text.size());
  std::string problem = "an operation";
  if (const auto target = messages_->pop_failed_send(failure.op_context)) {
    problem = "a message to rank " + std::to_string(*target);
  } else if (failure.op_context != nullptr) {
    problem = "a put or get";
  }
  if (!stripes_.empty()) problem += " over " + std::string(from.info->domain_attr->name);
  problem += " failed: ";
  if (failure.err != FI_ECANCELED) problem += load_ofi_library().explain(failure.err) + ", ";
  problem += detail != nullptr && *detail != '\0' ? detail : "unknown reason";
  throw error("ofi", problem, advice_for_lost_peer(-failure.err));
}

/// A program that closed wake_ closed libfabric's descriptors too.
void ofi::require_descriptors() const {
  if (wake_.is_intact()) return;
  throw error("ofi", "the program has closed file descriptors that it does not own",
              "close only descriptors that the program opened, not ranges of numbers");
}

/// Sets close-on-exec on libfabric's new connections, for posix_spawn() and system(), which call no
/// hook.
void ofi::look_for_connections() {
  constexpr auto now_and_then = std::chrono::milliseconds(250);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return;
  next_look_ = now + now_and_then;
  close_on_exec();
}

bool ofi::wait(std::uint32_t most_milliseconds) {
  require_descriptors();
  std::array<pollfd, 1 + most_domains> sources{
      {{.fd = wake_.get(), .events = POLLIN, .revents = 0}}};
  nfds_t count = 1;
  {
    // libfabric's locks are unfair: a polling thread reacquires one before a woken one runs. Only
    // one thread may enter.
    const std::unique_lock hold(polling_, std::try_to_lock);
    if (!hold) {
      std::this_thread::sleep_for(std::min<std::chrono::microseconds>(
          std::chrono::milliseconds(most_milliseconds), std::chrono::microseconds(100)));
      return false;
    }
    look_for_connections();
    // Counter changes since the last poll cause no wake-up.
    if (read_counters() != 0 || !messages_->all_posted()) return true;
    const auto add = [&](const ofi_endpoint& each) {
      if (each.wait_descriptor < 0) {
        most_milliseconds = std::min(most_milliseconds, 1U);
        return true;
      }
      fid* queue = &each.queue->fid;
      sources[count++] = {.fd = each.wait_descriptor, .events = POLLIN, .revents = 0};
      return fi_trywait(each.fabric.get(), &queue, 1) == 0;
    };
    if (!add(fabric_)) return true;
    for (const auto& each : stripes_) {
      if (!add(each->fabric)) return true;
    }
  }
  ::poll(sources.data(), count, static_cast<int>(most_milliseconds));
  if ((sources[0].revents & POLLIN) != 0) {
    require_descriptors();
    std::uint64_t rings = 0;
    static_cast<void>(!::read(wake_.get(), &rings, sizeof(rings)));
  }
  return std::any_of(sources.begin() + 1, sources.begin() + count,
                     [](const pollfd& each) { return (each.revents & POLLIN) != 0; });
}

void ofi::wake() noexcept {
  if (!wake_.is_intact()) return;
  const std::uint64_t one = 1;
  static_cast<void>(!::write(wake_.get(), &one, sizeof(one)));
}

}  // namespace acre::fabric
