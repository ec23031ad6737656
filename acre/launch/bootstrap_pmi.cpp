// SPDX-License-Identifier: BSD-3-Clause
// PMI-1 client. Values are hexadecimal and split, because servers limit lines; `acre run` exchanges
// all in one message. Plain servers disconnect on "finalize" and reject a second "init": one
// conversation serves all jobs, until exit.
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/output_taken.hpp>
#include <acre/launch/detail/bootstraps.hpp>
#include <acre/launch/job_name.hpp>
#include <acre/launch/lifeline.hpp>
#include <acre/launch/pmi_wire.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace acre::launch {
namespace {

// Some servers read lines into 1,024 bytes, whatever limit they state.
constexpr std::size_t longest_line = 1000;

/// False without MPI.
bool mpi_answers(const char* function) {
  auto* const asks = reinterpret_cast<int (*)(int*)>(::dlsym(RTLD_DEFAULT, function));
  int answer = 0;
  return asks != nullptr && asks(&answer) == 0 && answer != 0;
}

// The last user of a descriptor shared with MPI must send "finalize".
bool mpi_will_finalize() { return mpi_answers("MPI_Initialized") && !mpi_answers("MPI_Finalized"); }

std::uint64_t identity_of(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

[[noreturn]] void lost_descriptor() {
  if (mpi_answers("MPI_Finalized")) {
    throw error("bootstrap", "MPI_Finalize has closed the connection to the launcher",
                "end the job before MPI_Finalize");
  }
  throw error("bootstrap", "the program has closed the descriptor in PMI_FD",
              "keep the descriptors open that the program was started with");
}

[[noreturn]] void lost(std::string_view reason) {
  throw error("bootstrap", "the launcher is lost: " + std::string(reason),
              "see the launcher's own messages, which precede this one");
}

[[noreturn]] void refuse(const pmi::command& answer) {
  throw error(
      "bootstrap",
      "the launcher answered \"" + answer.line().substr(0, 200) + "\", which is not valid PMI-1",
      "start the program with acre run, mpirun, or an mpiexec that supports PMI-1");
}

std::string_view require(const pmi::command& answer, std::string_view key) {
  const auto value = answer.value(key);
  if (!value || value->empty()) refuse(answer);
  return *value;
}

class conversation {
 public:
  explicit conversation(int descriptor)
      : descriptor_(descriptor), socket_(identity_of(descriptor)), process_(::getpid()) {
    ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
    const auto hello = ask("cmd=init pmi_version=1 pmi_subversion=1\n", "response_to_init");
    if (hello.number("rc").value_or(0) != 0) refuse(hello);
    has_exchange_ = hello.number("acre") == 1;
    if (has_exchange_) {
      kvs_ = require(hello, "kvsname");
      const auto lifeline = hello.value("lifeline");
      if (lifeline) lifeline_ = lifeline_from(*lifeline);
      return;
    }
    const auto maxes = ask("cmd=get_maxes\n", "maxes");
    longest_value_ = static_cast<std::size_t>(
        std::clamp<std::int64_t>(maxes.number("vallen_max").value_or(0), 0, longest_line));
    longest_key_ = static_cast<std::size_t>(
        std::clamp<std::int64_t>(maxes.number("keylen_max").value_or(0), 0, longest_line));
    kvs_ = require(ask("cmd=get_my_kvsname\n", "my_kvsname"), "kvsname");
  }

  [[nodiscard]] bool is_over(int descriptor) const {
    return descriptor == descriptor_ && socket_ == identity_of(descriptor) &&
           process_ == ::getpid();
  }
  [[nodiscard]] bool is_open() const { return is_over(descriptor_); }

  /// True under `acre run`, which accepts repeated "init" and "finalize".
  [[nodiscard]] bool has_exchange() const noexcept { return has_exchange_; }
  [[nodiscard]] const std::string& kvs() const noexcept { return kvs_; }
  [[nodiscard]] const std::optional<lifeline_address>& lifeline() const noexcept {
    return lifeline_;
  }
  [[nodiscard]] std::size_t longest_value() const noexcept { return longest_value_; }
  [[nodiscard]] std::size_t longest_key() const noexcept { return longest_key_; }

  [[nodiscard]] std::size_t next_round() noexcept { return round_++; }

  pmi::command ask(std::string_view request, std::string_view expected) {
    if (!try_send(request)) {
      if (errno == EBADF) lost_descriptor();
      lost(std::strerror(errno));
    }
    std::optional<std::string> line;
    while (!(line = inbox_.line())) receive();
    pmi::command answer(*std::move(line));
    if (answer.name() != expected) refuse(answer);
    return answer;
  }

  /// A program started by exec() may rejoin.
  void leave_to_successors() const {
    if (is_open()) ::fcntl(descriptor_, F_SETFD, 0);
  }

  bool try_send(std::string_view bytes) {
    if (!is_open()) {
      errno = EBADF;
      return false;
    }
    while (!bytes.empty()) {
      const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  std::string block(std::size_t bytes) {
    std::optional<std::string> whole;
    while (!(whole = inbox_.block(bytes))) receive();
    return *std::move(whole);
  }

 private:
  void receive() {
    const ssize_t got = ::recv(descriptor_, buffer_.data(), buffer_.size(), 0);
    if (got < 0 && errno == EINTR) return;
    if (got < 0) lost(std::strerror(errno));
    if (got == 0) lost("it closed the connection");
    inbox_.append({buffer_.data(), static_cast<std::size_t>(got)});
  }

  int descriptor_;
  std::uint64_t socket_;
  pid_t process_;
  bool has_exchange_ = false;
  std::string kvs_;
  std::optional<lifeline_address> lifeline_;
  std::size_t longest_value_ = 0;
  std::size_t longest_key_ = 0;
  std::size_t round_ = 0;
  pmi::inbox inbox_;
  std::array<char, 16384> buffer_;
};

struct kept_conversation {
  std::unique_ptr<conversation> with_server;

  ~kept_conversation() {
    if (with_server == nullptr || !with_server->is_open() || mpi_will_finalize()) return;
    try {
      (void)with_server->ask("cmd=finalize\n", "finalize_ack");
    } catch (const error&) {
      return;
    }
  }
};

kept_conversation& kept() {
  static kept_conversation one;
  return one;
}

std::unique_ptr<conversation> begin_or_go_on(int descriptor) {
  auto& before = kept().with_server;
  if (before != nullptr && before->is_over(descriptor)) return std::move(before);
  return std::make_unique<conversation>(descriptor);
}

class pmi_bootstrap final : public runtime::bootstrap {
 public:
  explicit pmi_bootstrap(int descriptor) {
    rank_ = number_in_environment("PMI_RANK");
    size_ = number_in_environment("PMI_SIZE");
    if (rank_ >= size_) {
      throw error(
          "bootstrap",
          "PMI_RANK=" + std::to_string(rank_) + " is not below PMI_SIZE=" + std::to_string(size_),
          "start the program with acre run, mpiexec or mpirun");
    }
    talk_ = begin_or_go_on(descriptor);
    if (talk_->lifeline()) lifeline_.emplace(*talk_->lifeline());
  }

  fabric::rank_t rank() const override { return rank_; }
  fabric::rank_t size() const override { return size_; }
  std::string job_name() const override { return file_name_from(talk_->kvs()); }

  std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> mine) override {
    if (mine.size() > pmi::longest_exchange) {
      throw error("bootstrap::exchange",
                  "an exchange of " + std::to_string(mine.size()) +
                      " bytes exceeds the upper bound of " + std::to_string(pmi::longest_exchange),
                  "exchange large data through the network");
    }
    return talk_->has_exchange() ? exchange_at_once(mine) : exchange_by_keys(mine);
  }

  void barrier() override {
    if (talk_->has_exchange()) return bootstrap::barrier();
    (void)talk_->ask("cmd=barrier_in\n", "barrier_out");
  }

  std::int64_t program_number() override {
    return talk_->ask("cmd=get_appnum\n", "appnum").number("appnum").value_or(0);
  }

  void finish() override {
    if (talk_->has_exchange()) {
      (void)talk_->ask("cmd=finalize\n", "finalize_ack");
      talk_->leave_to_successors();
      lifeline_.reset();
    } else {
      kept().with_server = std::move(talk_);
    }
  }

  void let_launcher_speak() override { give_launcher_time(); }

  [[noreturn]] void abort(int status, std::string_view why) override {
    std::string line = "cmd=abort exitcode=" + std::to_string(status);
    if (talk_->has_exchange()) line += " why=" + pmi::to_hex(pmi::as_bytes(why));
    line += '\n';
    // Only `acre run` prints the reason. Others drop unforwarded output.
    if (!talk_->has_exchange()) {
      say(why);
      await_output_taken();
    }
    if (!talk_->try_send(line) && talk_->has_exchange()) say(why);
    ::_exit(status);
  }

 private:
  static fabric::rank_t number_in_environment(const char* name) {
    const auto number = environment_number(name);
    if (!number || *number > 1U << 30) {
      throw error("bootstrap",
                  std::string("PMI_FD is set, but ") + name + " is missing or is not a count",
                  "start the program with acre run, mpiexec or mpirun");
    }
    return static_cast<fabric::rank_t>(*number);
  }

  std::vector<std::vector<std::byte>> exchange_at_once(std::span<const std::byte> mine) {
    std::string request = "cmd=acre_exchange bytes=" + std::to_string(mine.size()) + "\n";
    request += pmi::as_text(mine);
    const auto answer = talk_->ask(request, "acre_exchanged");
    const auto bytes = answer.number("bytes").value_or(-1);
    if (bytes < 0) refuse(answer);
    auto pieces = pmi::unpack(talk_->block(static_cast<std::size_t>(bytes)), size_);
    if (!pieces) refuse(answer);
    return *std::move(pieces);
  }

  std::vector<std::vector<std::byte>> exchange_by_keys(std::span<const std::byte> mine) {
    const std::size_t round = talk_->next_round();
    put_pieces(round, std::to_string(mine.size()) + ":" + pmi::to_hex(mine));
    barrier();
    std::vector<std::vector<std::byte>> all;
    all.reserve(size_);
    for (fabric::rank_t r = 0; r < size_; ++r) {
      if (r == rank_) {
        all.emplace_back(mine.begin(), mine.end());
      } else {
        all.push_back(get_pieces(round, r));
      }
    }
    return all;
  }

  std::string key(std::size_t round, fabric::rank_t rank, std::size_t piece) const {
    std::string text =
        "acre-" + std::to_string(round) + "-" + std::to_string(rank) + "-" + std::to_string(piece);
    if (text.size() >= talk_->longest_key()) {
      throw error("bootstrap::exchange",
                  "the launcher limits keys to " + std::to_string(talk_->longest_key()) + " bytes",
                  "start the program with acre run, mpirun or a newer mpiexec");
    }
    return text;
  }

  void put_pieces(std::size_t round, std::string_view text) {
    for (std::size_t piece = 0; piece == 0 || !text.empty(); ++piece) {
      const std::string front =
          "cmd=put kvsname=" + talk_->kvs() + " key=" + key(round, rank_, piece) + " value=";
      const std::size_t room =
          std::min(talk_->longest_value() - std::min<std::size_t>(talk_->longest_value(), 1),
                   longest_line - std::min(longest_line, front.size() + 1));
      if (room == 0) {
        throw error(
            "bootstrap::exchange",
            "the launcher limits values to " + std::to_string(talk_->longest_value()) + " bytes",
            "start the program with acre run, mpirun or a newer mpiexec");
      }
      const std::string_view value = text.substr(0, room);
      const auto answer = talk_->ask(front + std::string(value) + "\n", "put_result");
      if (answer.number("rc").value_or(0) != 0) refuse(answer);
      text.remove_prefix(value.size());
    }
  }

  std::vector<std::byte> get_pieces(std::size_t round, fabric::rank_t from) {
    std::string text;
    std::size_t size = 0;
    for (std::size_t piece = 0; piece == 0 || text.size() < size; ++piece) {
      const auto answer =
          talk_->ask("cmd=get kvsname=" + talk_->kvs() + " key=" + key(round, from, piece) + "\n",
                     "get_result");
      if (answer.number("rc").value_or(0) != 0) refuse(answer);
      std::string_view value = answer.value("value").value_or(std::string_view{});
      if (piece == 0) {
        const std::size_t colon = value.find(':');
        const auto bytes =
            pmi::command("size=" + std::string(value.substr(0, colon))).number("size");
        if (colon == std::string_view::npos || bytes.value_or(-1) < 0) refuse(answer);
        size = 2 * static_cast<std::size_t>(*bytes);
        value.remove_prefix(colon + 1);
      } else if (value.empty()) {
        refuse(answer);
      }
      text += value;
    }
    auto bytes = pmi::from_hex(text);
    if (!bytes || text.size() != size) {
      throw error("bootstrap::exchange",
                  "the data sent by rank " + std::to_string(from) + " was damaged in transit",
                  "start all ranks from the same build of the program");
    }
    return *std::move(bytes);
  }

  fabric::rank_t rank_ = 0;
  fabric::rank_t size_ = 1;
  std::unique_ptr<conversation> talk_;
  std::optional<lifeline> lifeline_;
};

}  // namespace

std::unique_ptr<runtime::bootstrap> join_by_pmi(int descriptor) {
  return std::make_unique<pmi_bootstrap>(descriptor);
}

}  // namespace acre::launch
