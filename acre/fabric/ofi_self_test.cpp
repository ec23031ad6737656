// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_self_test.hpp>

#include <acre/base/child_process.hpp>
#include <acre/base/descriptor.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/keyed_hash.hpp>
#include <acre/base/new_file.hpp>
#include <acre/base/resource_limits.hpp>
#include <acre/fabric/ofi_endpoint.hpp>
#include <acre/fabric/ofi_put.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace acre::fabric {
namespace {

using std::chrono::steady_clock;
constexpr auto timeout = std::chrono::seconds(5);

/// Polls of the initiator alone. Unreliable providers completed within two.
constexpr int lonely_polls = 64;

constexpr std::size_t large_bytes = std::size_t{96} * 1024;

enum class size_class { small, large };

class pair_of_endpoints {
 public:
  explicit pair_of_endpoints(const ofi_choice& choice)
      : memory_(large_bytes),
        puts_(choice.request.puts),
        from_(named(*choice.info, ".self-test-a"), nullptr),
        to_(named(*choice.info, ".self-test-b"), nullptr) {
    for (ofi_endpoint* side : {&from_, &to_}) {
      side->insert(from_.address(), 0);
      side->insert(to_.address(), 1);
    }
    // Random as in jobs: providers may support fewer bits than claimed.
    region_ = to_.expose(memory_.data(), memory_.size(), usable_key(*to_.info, draw_secret().low));
  }

  std::optional<std::string> put(std::vector<std::byte>& source, size_class size, int polls_alone,
                                 void* spare = nullptr) {
    const bool small = size == size_class::small;
    const std::vector<std::byte> original = source;
    const bool lend = small && puts_ != small_put::bounce;
    const std::uint64_t wanted = fi_cntr_read(from_.put_counter.get()) + 1;
    const auto deadline = steady_clock::now() + timeout;
    while (true) {
      const ssize_t result = issue(source, small, spare);
      if (result == 0) break;
      if (result != -FI_EAGAIN) return "a put fails: " + load_ofi_library().explain(result);
      poll(from_);
      poll(to_);
      if (steady_clock::now() > deadline) return "a put cannot be issued";
    }
    if (lend) std::ranges::fill(source, std::byte{0xEE});
    const auto arrived = [&] {
      return std::memcmp(memory_.data(), original.data(), original.size()) == 0;
    };
    for (int i = 0; i < polls_alone; ++i) {
      poll(from_);
      if (fi_cntr_read(from_.put_counter.get()) >= wanted && !arrived()) {
        return "a put completes before the data is at the target";
      }
    }
    while (fi_cntr_read(from_.put_counter.get()) < wanted) {
      poll(from_);
      poll(to_);
      if (steady_clock::now() > deadline) return "a put never completes";
    }
    if (arrived()) return {};
    for (int i = 0; i < lonely_polls; ++i) {
      poll(to_);
      if (arrived()) return "a put completes before the data is at the target";
    }
    return "a put delivers other data than its source held at the call";
  }

  std::optional<std::string> get() {
    std::vector<std::byte> destination(memory_.size());
    const std::uint64_t wanted = fi_cntr_read(from_.get_counter.get()) + 1;
    const auto deadline = steady_clock::now() + timeout;
    bool issued = false;
    while (!issued || fi_cntr_read(from_.get_counter.get()) < wanted) {
      if (!issued) {
        const ssize_t result = issue_get(from_.endpoint.get(), destination.data(),
                                         destination.size(), 1, base(), key(), nullptr, 0);
        if (result != 0 && result != -FI_EAGAIN) {
          return "a get fails: " + load_ofi_library().explain(result);
        }
        issued = result == 0;
      }
      poll(from_);
      poll(to_);
      if (steady_clock::now() > deadline) return "a get never completes";
    }
    if (destination != memory_) return "a get completes before its data has arrived";
    return {};
  }

  [[nodiscard]] std::size_t inject_size() const { return from_.info->tx_attr->inject_size; }

 private:
  static fi_info& named(fi_info& info, const char* suffix) {
    if (info.addr_format == FI_ADDR_STR && info.src_addr != nullptr) {
      std::string name = static_cast<const char*>(info.src_addr);
      if (const auto old = name.rfind(".self-test-"); old != std::string::npos) name.resize(old);
      name += suffix;
      std::free(info.src_addr);
      info.src_addr = ::strdup(name.c_str());
      info.src_addrlen = name.size() + 1;
    }
    return info;
  }

  [[nodiscard]] std::uint64_t base() const {
    return (from_.info->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0
               ? reinterpret_cast<std::uint64_t>(memory_.data())
               : 0;
  }
  [[nodiscard]] std::uint64_t key() const { return fi_mr_key(region_); }

  ssize_t issue(const std::vector<std::byte>& source, bool small, void* spare) {
    fid_ep* endpoint = from_.endpoint.get();
    if (!small || puts_ == small_put::bounce) {
      return issue_put(endpoint, source.data(), source.size(), 1, base(), key(), nullptr, 0);
    }
    return line_put()(endpoint, source.data(), source.size(), spare, 1, base(), key(), nullptr);
  }

  [[nodiscard]] direct_line::put_function line_put() const {
    if (puts_ == small_put::bare) return bare_put(*from_.endpoint);
    return puts_ == small_put::write ? put_undescribed : put_by_message;
  }

  static void poll(ofi_endpoint& side) {
    std::array<fi_cq_data_entry, 16> entries;
    if (fi_cq_read(side.queue.get(), entries.data(), entries.size()) == -FI_EAVAIL) {
      fi_cq_err_entry failure{};
      static_cast<void>(fi_cq_readerr(side.queue.get(), &failure, 0));
    }
    static_cast<void>(fi_cntr_read(side.put_counter.get()));
  }

  std::vector<std::byte> memory_;
  small_put puts_;
  ofi_endpoint from_;
  ofi_endpoint to_;
  fid_mr* region_ = nullptr;
};

std::vector<std::byte> pattern(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> filled(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    filled[i] = static_cast<std::byte>((i * 131 + std::size_t{seed} * 29 + 1) & 0x7F);
  }
  return filled;
}

constexpr std::string_view verdict = "keeps its promises\n";

std::filesystem::path cache_folder() {
  if (const auto folder = environment("XDG_CACHE_HOME"))
    return std::filesystem::path(*folder) / "acre";
  if (const auto home = environment("HOME"))
    return std::filesystem::path(*home) / ".cache" / "acre";
  return {};
}

std::string_view name_of(small_put way) {
  switch (way) {
    case small_put::bare:
      return "bare";
    case small_put::write:
      return "write";
    case small_put::message:
      return "message";
    case small_put::bounce:
      break;
  }
  return "bounce";
}

std::optional<std::string> asked_way() { return environment("ACRE_OFI_PUT"); }

std::filesystem::path cache_file(const ofi_choice& choice) {
  const std::filesystem::path folder = cache_folder();
  const std::string library = ofi_library_identity();
  if (folder.empty() || library.empty()) return {};
  std::string name = "ofi-" + choice.request.provider + "-" +
                     std::to_string(choice.info->fabric_attr->prov_version) + "-" + library +
                     "-puts-" + std::string(name_of(choice.request.puts)) + "-mr" +
                     std::to_string(choice.info->domain_attr->mr_mode) + "-inject" +
                     std::to_string(choice.info->tx_attr->inject_size) + "-counters2";
  // With a requested way, those that precede it by default were not judged.
  if (asked_way()) name += "-asked";
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-'; },
      '_');
  return folder / name;
}

bool is_known_to_be_true(const std::filesystem::path& file) {
  if (file.empty() || environment("ACRE_OFI_SELF_TEST") == "always") return false;
  std::ifstream stream(file, std::ios::binary);
  std::string text(verdict.size() + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return text == verdict;
}

void remember(const std::filesystem::path& file) {
  if (file.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  acre::base::new_file made;
  if (made.begin(file, acre::base::streams::refused, std::chrono::milliseconds(0)) ||
      made.write(verdict)) {
    return;
  }
  static_cast<void>(made.commit());
}

std::vector<small_put> ways_to_try() {
  std::vector<small_put> all = {small_put::bare, small_put::write, small_put::message,
                                small_put::bounce};
  const auto asked = asked_way();
  if (!asked) return all;
  for (const small_put way : all) {
    if (*asked == name_of(way)) return {way};
  }
  throw error("ofi", "ACRE_OFI_PUT=\"" + *asked + "\" is invalid",
              "set it to bare, write, message or bounce");
}

ofi_choice copy_of(const ofi_choice& choice) {
  return {.request = choice.request,
          .info = info_pointer(load_ofi_library().dupinfo(choice.info.get()))};
}

constexpr std::string_view no_lie = "none";

constexpr unsigned longest_life = 15;

void die_quietly(pid_t parent) {
  die_quietly_with(parent);
  sigset_t alarms;
  ::sigemptyset(&alarms);
  ::sigaddset(&alarms, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  ::alarm(longest_life);
}

[[noreturn]] void test_as_child(const ofi_choice& choice, int answer, pid_t parent) noexcept {
  die_quietly(parent);
  const std::string found = find_ofi_lie(choice).value_or(std::string(no_lie));
  const bool said = ::write(answer, found.data(), found.size()) >= 0;
  ::_exit(said ? 0 : 1);
}

std::optional<std::string> hear(int answer) {
  const auto deadline = steady_clock::now() + 2 * timeout;
  std::string text;
  std::array<char, 512> piece{};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    pollfd source{.fd = answer, .events = POLLIN, .revents = 0};
    if (left.count() <= 0) return {};
    const int ready = ::poll(&source, 1, static_cast<int>(left.count()));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t bytes = ::read(answer, piece.data(), piece.size());
    if (bytes <= 0) return text.empty() ? "it crashes" : text;
    text.append(piece.data(), static_cast<std::size_t>(bytes));
  }
}

}  // namespace

std::optional<std::string> find_ofi_lie(const ofi_choice& choice) try {
  pair_of_endpoints ends(choice);
  std::vector<std::byte> first = pattern(8, 1);
  if (auto lie = ends.put(first, size_class::small, 0)) return lie;
  alignas(std::max_align_t) std::array<std::byte, spare_zeros> zeros{};
  unsigned seed = 1;
  const bool takes_zeros = choice.request.puts == small_put::bare;
  for (void* const spare : {static_cast<void*>(nullptr), static_cast<void*>(zeros.data())}) {
    if (spare != nullptr && !takes_zeros) break;
    for (const std::size_t bytes :
         {std::size_t{8}, std::min<std::size_t>(ends.inject_size(), 1024)}) {
      std::vector<std::byte> source = pattern(std::max<std::size_t>(bytes, 1), ++seed);
      if (auto lie = ends.put(source, size_class::small, lonely_polls, spare)) return lie;
    }
  }
  std::vector<std::byte> large = pattern(large_bytes, ++seed);
  if (auto lie = ends.put(large, size_class::large, lonely_polls)) return lie;
  return ends.get();
} catch (const error& failure) {
  return failure.problem();
}

std::optional<std::string> find_ofi_lie_in_child(const ofi_choice& choice) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    const int reason = errno;
    throw error("ofi", std::string("pipe2 failed: ") + std::strerror(reason),
                advice_for_refused_call("pipe2", reason, "check the pipe limits of the host"));
  }
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) test_as_child(choice, ends[1], parent);
  ::close(ends[1]);
  const acre::descriptor answer(ends[0]);
  if (child < 0) {
    throw error("ofi", "cannot create a process for the self-test",
                "check the limits: " + limits_of_threads());
  }
  const child_process trying(child);
  auto found = hear(answer.get());
  if (!found) throw error("ofi", "it exceeds its timeout");
  if (*found == no_lie) return {};
  return found;
}

std::optional<ofi_choice> choose_true_ofi(const ofi_request& request,
                                          const conduit_options& options) {
  std::vector<ofi_choice> choices;
  for (const small_put way : ways_to_try()) {
    ofi_choice choice{.request = request, .info = nullptr};
    choice.request.puts = way;
    choice.info = find_ofi(choice.request, options);
    if (!choice.info) continue;
    // Cached success implies that earlier ways failed.
    if (is_known_to_be_true(cache_file(choice))) return choice;
    choices.push_back(std::move(choice));
  }
  std::string lies;
  bool all_were_judged = true;
  for (ofi_choice& choice : choices) {
    try {
      const auto lie = choice.request.puts == small_put::bare
                           ? find_ofi_lie_in_child(copy_of(choice))
                           : find_ofi_lie(copy_of(choice));
      if (!lie) {
        if (all_were_judged) remember(cache_file(choice));
        return std::move(choice);
      }
      lies = *lie;
    } catch (const error& no_verdict) {
      all_were_judged = false;
      lies = no_verdict.problem();
    }
  }
  if (lies.empty()) return {};
  throw error("ofi", "the provider " + request.provider + " failed its self-test: " + lies,
              "set ACRE_OFI_PROVIDER to another provider");
}

}  // namespace acre::fabric
