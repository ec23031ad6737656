// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi.hpp>

#include <acre/base/error.hpp>
#include <acre/base/variable_test.hpp>
#include <acre/fabric/conformance_test.hpp>
#include <acre/fabric/ofi_endpoint.hpp>
#include <acre/fabric/ofi_provider.hpp>
#include <acre/fabric/ofi_self_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace acre::fabric {
namespace {

using base_test::variable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr auto watchdog = std::chrono::seconds(60);

class shared_memory {
 public:
  explicit shared_memory(std::size_t bytes)
      : bytes_(bytes),
        base_(static_cast<std::byte*>(
            ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  shared_memory(const shared_memory&) = delete;
  shared_memory& operator=(const shared_memory&) = delete;
  ~shared_memory() { ::munmap(base_, bytes_); }
  std::byte* data() { return base_; }
  std::byte& operator[](std::size_t i) { return base_[i]; }

 private:
  std::size_t bytes_;
  std::byte* base_;
};

const std::string job_name = "acre-ofi-test-" + std::to_string(::getpid());

conduit_options options(rank_t self, rank_t size = 2) {
  return {.job = job_name, .self = self, .size = size, .single_host = true};
}

std::vector<std::unique_ptr<conduit>> open_ranks(const std::string& provider, rank_t size) {
  std::vector<std::unique_ptr<conduit>> ranks;
  for (rank_t rank = 0; rank < size; ++rank) {
    ranks.push_back(std::make_unique<ofi>(options(rank, size), provider));
  }
  return ranks;
}

struct two_ranks : connected_ranks {
  explicit two_ranks(const std::string& provider) : connected_ranks(open_ranks(provider, 2)) {}

  [[nodiscard]] small_put put_path() const {
    return dynamic_cast<const ofi&>(*ranks.front()).put_path();
  }
};

std::string plain_name(std::string name) {
  std::erase_if(name, [](char c) { return c == ';' || c == '_'; });
  return name;
}

conduit_maker maker_on(const std::string& provider) {
  return {.name = plain_name(provider),
          .open = [=](rank_t size) { return open_ranks(provider, size); },
          .open_tiny =
              [=](rank_t size) {
                const variable transmissions("ACRE_OFI_TX_SIZE", "4");
                const variable receptions("ACRE_OFI_RX_SIZE", "4");
                const variable buffers("ACRE_OFI_BUFFERS", "2");
                return open_ranks(provider, size);
              }};
}

conduit_maker maker_of_small_transfers() {
  const auto open = [](rank_t size) {
    const variable small("ACRE_OFI_TRANSFER_SIZE", "1500");
    return open_ranks("tcp;ofi_rxm", size);
  };
  return {.name = "smallTransfers", .open = open, .open_tiny = maker_on("tcp;ofi_rxm").open_tiny};
}

INSTANTIATE_TEST_SUITE_P(Ofi, Conformance,
                         testing::Values(maker_on("tcp;ofi_rxm"), maker_on("sockets"),
                                         maker_on("udp;ofi_rxd"), maker_on("shm"),
                                         maker_of_small_transfers()),
                         name_of_maker);

class OnProvider : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Ofi, OnProvider,
                         testing::Values("tcp;ofi_rxm", "sockets", "udp;ofi_rxd", "shm"),
                         [](const auto& provider) { return plain_name(provider.param); });

TEST(Ofi, DeliversManyMessagesIntoOneBufferWhenAsked) {
  if (!load_ofi_library().has_eager_limit()) GTEST_SKIP() << "newer ofi_rxm crash as they close";
  const variable multi("ACRE_OFI_RECEIVE", "multi");
  two_ranks job("tcp;ofi_rxm");
  send_many_both_ways(job, 2000);
}

TEST_P(OnProvider, AddressesMemoryAsHardwareDoesWhenAsked) {
  const variable basic("ACRE_OFI_MR", "basic");
  two_ranks job(GetParam());
  const std::vector<std::byte> source = random_bytes(100000, 9);
  std::vector<std::byte> back(source.size());
  job.put(64, source.data(), 8);
  job.put(72, source.data() + 8, source.size() - 8);
  job.quiet(0);
  job.get(64, back.data(), back.size());
  job.quiet(0);
  EXPECT_EQ(back, source);
}

TEST_P(OnProvider, PutsThroughBuffersOfItsOwnWhenAsked) {
  const variable bounce("ACRE_OFI_PUT", "bounce");
  two_ranks job(GetParam());
  EXPECT_EQ(job.put_path(), small_put::bounce);
  for (std::uint64_t i = 0; i < 3000; ++i) job.put(i * 8, &i, 8);
  job.quiet(0);
  const auto* words = reinterpret_cast<const std::uint64_t*>(job.memory[1].data());
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_EQ(words[i], i);
}

TEST_P(OnProvider, FindsTheBestWayOfSmallPutsByItself) {
  const std::string provider = GetParam();
  const small_put best = provider == "shm" ? small_put::message : small_put::bare;
  EXPECT_EQ(two_ranks(provider).put_path(), best);
}

TEST_P(OnProvider, IssuesSmallPutsAsItIsTold) {
  for (const char* way : {"write", "message"}) {
    const variable told("ACRE_OFI_PUT", way);
    if (std::string_view(GetParam()) == "shm" && std::string_view(way) == "write") continue;
    two_ranks job(GetParam());
    for (std::uint64_t i = 0; i < 100; ++i) job.put(i * 8, &i, 8);
    job.quiet(0);
    const auto* words = reinterpret_cast<const std::uint64_t*>(job.memory[1].data());
    for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(words[i], i);
  }
}

/// Rank 1 as a child whose segment is visible here.
class other_process {
 public:
  other_process(const std::string& provider, std::function<void(ofi&, shared_memory&)> life)
      : segment(region_bytes), local(region_bytes) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) std::abort();
    child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
      int status = 0;
      try {
        ofi opened(options(1), provider);
        opened.register_region(segment_region, segment.data(), region_bytes);
        const auto mine = opened.descriptor();
        write_block(ends[1], mine);
        opened.connect(1, std::vector{read_block(ends[1]), mine});
        life(opened, segment);
      } catch (const std::exception& failure) {
        std::fprintf(stderr, "rank 1: %s\n", failure.what());
        status = 1;
      }
      ::_exit(status);
    }
    ::close(ends[1]);
    rank = std::make_unique<ofi>(options(0), provider);
    rank->register_region(segment_region, local.data(), region_bytes);
    const auto mine = rank->descriptor();
    const auto theirs = read_block(ends[0]);
    write_block(ends[0], mine);
    rank->connect(0, std::vector{mine, theirs});
    ::close(ends[0]);
  }

  ~other_process() {
    if (child > 0) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    // Removes files of a killed rank's shm provider.
    for (const auto& file : std::filesystem::directory_iterator("/dev/shm")) {
      if (file.path().filename().string().starts_with(job_name + ".1")) {
        std::filesystem::remove(file.path());
      }
    }
  }

  template <class Condition>
  void poll_until(Condition condition) {
    const auto deadline = steady_clock::now() + watchdog;
    while (!condition()) {
      rank->progress(box);
      if (steady_clock::now() > deadline) throw std::runtime_error("the test exceeds its timeout");
    }
  }

  void put(std::uint64_t offset, const void* source, std::size_t bytes) {
    poll_until([&] { return rank->try_put(1, segment_region, offset, source, bytes); });
  }
  void quiet() {
    poll_until([&] { return rank->completed() == rank->issued(); });
  }

  shared_memory segment;
  std::vector<std::byte> local;
  pid_t child = -1;
  std::unique_ptr<ofi> rank;
  kept_messages box;

 private:
  static void write_block(int descriptor, const std::vector<std::byte>& block) {
    const std::uint64_t bytes = block.size();
    if (::write(descriptor, &bytes, sizeof(bytes)) != sizeof(bytes)) std::abort();
    if (::write(descriptor, block.data(), bytes) != static_cast<ssize_t>(bytes)) std::abort();
  }
  static std::vector<std::byte> read_block(int descriptor) {
    std::uint64_t bytes = 0;
    if (::recv(descriptor, &bytes, sizeof(bytes), MSG_WAITALL) != sizeof(bytes)) std::abort();
    std::vector<std::byte> block(bytes);
    if (::recv(descriptor, block.data(), bytes, MSG_WAITALL) != static_cast<ssize_t>(bytes)) {
      std::abort();
    }
    return block;
  }
};

void poll_forever(ofi& rank, shared_memory&) {
  kept_messages box;
  while (true) rank.progress(box);
}

TEST_P(OnProvider, CompletesAPutOnlyWhenTheTargetHasIt) {
  other_process job(GetParam(), poll_forever);
  for (const std::size_t bytes : {8U, 200U, 5000U, 200000U}) {
    std::vector<std::byte> source = random_bytes(bytes, static_cast<unsigned>(bytes));
    job.put(0, source.data(), bytes);
    job.quiet();
    ::kill(job.child, SIGSTOP);
    int status = 0;
    ::waitpid(job.child, &status, WUNTRACED);
    ASSERT_TRUE(WIFSTOPPED(status));

    std::ranges::reverse(source);
    const auto arrived = [&] { return std::memcmp(job.segment.data(), source.data(), bytes) == 0; };
    job.put(0, source.data(), bytes);
    // The put may complete only if the provider can write to a stopped process.
    const auto until = steady_clock::now() + milliseconds(60);
    while (steady_clock::now() < until) {
      job.rank->progress(job.box);
      if (job.rank->completed() == job.rank->issued()) {
        ASSERT_TRUE(arrived()) << bytes << " bytes";
      }
    }
    ::kill(job.child, SIGCONT);
    job.quiet();
    EXPECT_TRUE(arrived()) << bytes << " bytes";
  }
}

TEST_P(OnProvider, AnswersWhileTheTargetOnlyWaits) {
  other_process job(GetParam(), [](ofi& rank, shared_memory&) {
    kept_messages box;
    while (true) {
      rank.wait(100);
      rank.progress(box);
    }
  });
  for (std::uint64_t i = 0; i < 200; ++i) {
    job.put(i * 8, &i, 8);
    job.quiet();
    ASSERT_EQ(std::memcmp(job.segment.data() + i * 8, &i, 8), 0);
  }
}

TEST_P(OnProvider, LeavesTheSignalHandlersAlone) {
  std::array<struct sigaction, 32> before{};
  for (int number = 1; number < 32; ++number) {
    ::sigaction(number, nullptr, &before[static_cast<unsigned>(number)]);
  }
  two_ranks job(GetParam());
  std::uint64_t value = 1;
  job.put(0, &value, 8);
  job.quiet(0);
  for (int number = 1; number < 32; ++number) {
    struct sigaction now{};
    ::sigaction(number, nullptr, &now);
    EXPECT_EQ(now.sa_handler, before[static_cast<unsigned>(number)].sa_handler)
        << ::strsignal(number);
  }
}

TEST_P(OnProvider, IsSoftwareThatPinsNoMemory) {
  two_ranks job(GetParam());
  EXPECT_FALSE(job.offers().pins_memory);
  EXPECT_TRUE(job.offers().software_gets);
}

TEST(OfiProvider, HasKeysOfAllItsBits) {
  fi_domain_attr attributes{};
  fi_info info{};
  info.domain_attr = &attributes;
  constexpr std::uint64_t all = ~std::uint64_t{0};
  attributes.mr_key_size = 8;
  EXPECT_EQ(usable_key(info, all), 0xffff'ffff'7fff'ffffU);
  attributes.mr_key_size = 4;
  EXPECT_EQ(usable_key(info, all), 0x7fff'ffffU);
  attributes.mr_key_size = 1;
  EXPECT_EQ(usable_key(info, all), 0xffU);
}

TEST(OfiProvider, MayPinMemoryUnlessItIsKnownNotTo) {
  using acre::fabric::may_pin_memory;
  for (const char* software : {"tcp;ofi_rxm", "tcp", "udp;ofi_rxd", "sockets", "shm"}) {
    EXPECT_FALSE(may_pin_memory(software)) << software;
  }
  for (const char* other : {"verbs;ofi_rxm", "psm3", "efa", "cxi", "shmem", "ofi_rxm", ""}) {
    EXPECT_TRUE(may_pin_memory(other)) << other;
  }
}

struct meeting {
  static constexpr rank_t ranks = 6;
  std::atomic<rank_t> here{0};
  std::atomic<rank_t> done{0};
  std::size_t descriptor_bytes[ranks] = {};
  std::byte descriptors[ranks][1024] = {};
};

void greet_everyone(const std::string& provider, rank_t self, meeting& table) {
  std::vector<std::byte> segment(4096);
  ofi rank(options(self), provider);
  rank.register_region(segment_region, segment.data(), segment.size());
  const auto mine = rank.descriptor();
  if (mine.size() > sizeof(table.descriptors[self])) std::abort();
  std::ranges::copy(mine, table.descriptors[self]);
  table.descriptor_bytes[self] = mine.size();
  ++table.here;
  while (table.here != meeting::ranks) std::this_thread::yield();
  std::vector<std::vector<std::byte>> descriptors;
  for (rank_t other = 0; other < meeting::ranks; ++other) {
    const std::byte* begin = table.descriptors[other];
    descriptors.emplace_back(begin, begin + table.descriptor_bytes[other]);
  }
  rank.connect(self, descriptors);

  kept_messages box;
  constexpr word messages = 40;
  const std::uint64_t greeting = self + 1;
  for (rank_t step = 0; step < meeting::ranks; ++step) {
    const rank_t other = (self + step) % meeting::ranks;
    while (!rank.try_put(other, segment_region, self * 8, &greeting, 8)) rank.progress(box);
  }
  std::vector<std::byte> text(rank.offers().max_payload, static_cast<std::byte>(self));
  for (word number = 0; number < messages; ++number) {
    for (rank_t other = 0; other < meeting::ranks; ++other) {
      const std::size_t bytes = number % 10 == 0 ? text.size() : number * 31 % 600;
      const message_header header{
          .payload_bytes = static_cast<std::uint32_t>(bytes), .argument_count = 1, .source = self};
      while (!rank.try_send(other, header, &number, text.data())) rank.progress(box);
    }
  }
  while (rank.completed() != rank.issued() || box.messages.size() < messages * meeting::ranks) {
    rank.progress(box);
  }
  std::array<word, meeting::ranks> next{};
  for (const kept_messages::received_message& received : box.messages) {
    if (received.arguments[0] != next[received.header.source]++) {
      throw std::runtime_error("a message is out of order");
    }
    const auto from = static_cast<std::byte>(received.header.source);
    if (!std::ranges::all_of(received.payload, [&](std::byte each) { return each == from; })) {
      throw std::runtime_error("a message is damaged");
    }
  }
  ++table.done;
  while (table.done != meeting::ranks) rank.progress(box);
  for (rank_t other = 0; other < meeting::ranks; ++other) {
    std::uint64_t word = 0;
    std::memcpy(&word, segment.data() + other * 8, 8);
    if (word != other + 1) throw std::runtime_error("a greeting is missing");
  }
}

TEST_P(OnProvider, ConnectsAllRanksWithAllAtOnce) {
  shared_memory memory(sizeof(meeting));
  auto& table = *new (memory.data()) meeting;
  std::vector<pid_t> children;
  for (rank_t self = 0; self < meeting::ranks; ++self) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      try {
        greet_everyone(GetParam(), self, table);
      } catch (const std::exception& failure) {
        std::fprintf(stderr, "rank %u: %s\n", self, failure.what());
        ::_exit(1);
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

TEST(Ofi, ReportsALostPeer) {
  other_process job("tcp;ofi_rxm", poll_forever);
  std::uint64_t value = 1;
  job.put(0, &value, 8);
  job.quiet();
  ::kill(job.child, SIGKILL);
  ::waitpid(job.child, nullptr, 0);
  job.child = -1;
  EXPECT_THROW(
      {
        job.put(0, &value, 8);
        job.quiet();
      },
      error);
}

TEST(Ofi, KeepsPutsInOrderOverTcp) {
  other_process job("tcp;ofi_rxm", poll_forever);
  ASSERT_TRUE(job.rank->offers().ordered_puts);
  std::vector<std::byte> large(1 << 20);
  for (std::uint64_t round = 1; round < 30; ++round) {
    std::memset(large.data(), static_cast<int>(round), large.size());
    job.put(64, large.data(), large.size());
    job.put(0, &round, 8);
    job.poll_until([&] { return std::memcmp(job.segment.data(), &round, 8) == 0; });
    ASSERT_EQ(job.segment[64], large.front());
    ASSERT_EQ(job.segment[64 + large.size() - 1], large.front());
    job.quiet();
  }
}

std::string failure_of(const std::string& provider) {
  try {
    const ofi opened(options(0), provider);
  } catch (const error& failure) {
    return failure.what();
  }
  return "no failure";
}

TEST(Ofi, RefusesNetWithTheReason) {
  EXPECT_NE(failure_of("net").find("before the data is at the target"), std::string::npos);
}

TEST(Ofi, NamesTheProvidersThatAreThere) {
  const std::string text = failure_of("no-such-provider");
  EXPECT_NE(text.find("no-such-provider"), std::string::npos) << text;
  EXPECT_NE(text.find("tcp;ofi_rxm"), std::string::npos) << text;
}

TEST(Ofi, NamesTheInterfacesThatAreThere) {
  const variable interface("ACRE_OFI_INTERFACE", "no-such-interface");
  const std::string text = failure_of("tcp");
  EXPECT_NE(text.find("no-such-interface"), std::string::npos) << text;
  EXPECT_NE(text.find("lo"), std::string::npos) << text;
}

TEST(Ofi, ChoosesTcpOnThisMachine) {
  const std::unique_ptr<conduit> opened = open_conduit("ofi", options(0));
  EXPECT_NE(opened->offers().name.find("tcp;ofi_rxm"), std::string::npos)
      << opened->offers().name << " (this machine has a faster network: adapt the test)";
}

TEST(OfiSelfTest, FindsALieOfAProvider) {
  if (!load_ofi_library().has_eager_limit()) GTEST_SKIP() << "no provider `net`";
  // `net` ignores FI_DELIVERY_COMPLETE as a default flag. It also leaks, hence the child process.
  const auto test = [] {
    ofi_choice choice{.request = {.provider = "net", .puts = small_put::write}, .info = nullptr};
    choice.info = find_ofi(choice.request, options(0));
    if (!choice.info) ::_exit(1);
    const auto lie = find_ofi_lie(choice);
    std::fprintf(stderr, "%s", lie.value_or("the self-test has passed").c_str());
    ::_exit(0);
  };
  EXPECT_EXIT(test(), testing::ExitedWithCode(0), "completes before the data is at the target");
}

TEST(OfiSelfTest, TakesACrashForANo) {
  const ofi_request request{.provider = "tcp;ofi_rxm", .puts = small_put::bare};
  ofi_choice choice{.request = request, .info = find_ofi(request, options(0))};
  ASSERT_TRUE(choice.info);
  EXPECT_FALSE(find_ofi_lie_in_child(choice));
  fi_fabric_attr* const whole = choice.info->fabric_attr;
  choice.info->fabric_attr = reinterpret_cast<fi_fabric_attr*>(8);
  EXPECT_EQ(find_ofi_lie_in_child(choice), "it crashes");
  choice.info->fabric_attr = whole;
}

TEST(OfiSelfTest, BelievesNoDamagedVerdict) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("acre-ofi-cache-" + std::to_string(::getpid()));
  const variable cache("XDG_CACHE_HOME", folder.string());
  const ofi_request request{.provider = "tcp;ofi_rxm"};
  ASSERT_TRUE(choose_true_ofi(request, options(0)));
  std::filesystem::path verdict;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "acre")) {
    verdict = entry.path();
  }
  ASSERT_FALSE(verdict.empty());
  std::ifstream stream(verdict);
  const std::string good{std::istreambuf_iterator<char>(stream), {}};
  std::ofstream(verdict) << "keeps its prom";
  ASSERT_TRUE(choose_true_ofi(request, options(0)));
  std::ifstream again(verdict);
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(again), {}}), good) << "not tested again";
  std::filesystem::remove_all(folder);
}

TEST(OfiSelfTest, WorksWithoutAPlaceForItsVerdict) {
  const variable cache("XDG_CACHE_HOME", "/proc/no-such-folder");
  EXPECT_TRUE(choose_true_ofi({.provider = "tcp;ofi_rxm"}, options(0)));
}

std::vector<int> descriptors_here() {
  std::vector<int> numbers;
  for (int each = 3; each < 1024; ++each) {
    if (::fcntl(each, F_GETFD) >= 0) numbers.push_back(each);
  }
  return numbers;
}

TEST(Ofi, OpensDescriptorsWithNumbersThatProgramsHardlyUse) {
  const ofi_choice choice = choose_true_ofi({.provider = "tcp;ofi_rxm"}, options(0)).value();
  const std::vector<int> before = descriptors_here();
  const ofi_endpoint opened(*choice.info, nullptr);
  std::vector<int> taken;
  std::ranges::set_difference(descriptors_here(), before, std::back_inserter(taken));
  ASSERT_FALSE(taken.empty());
  EXPECT_GE(taken.front(), 256) << "with a limit of 1024 open files";
}

TEST(Ofi, LeavesFilesAloneThatHaveTheNumbersOfItsDescriptors) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::memfd_create("unrelated", MFD_CLOEXEC);
    const bool is_written = ::write(file, "fourteen bytes", 14) == 14;
    const std::vector<int> before = descriptors_here();
    auto opened = std::make_unique<ofi>(options(0), "tcp;ofi_rxm");
    std::vector<int> taken;
    std::ranges::set_difference(descriptors_here(), before, std::back_inserter(taken));
    for (const int each : taken) ::dup2(file, each);
    opened->wake();
    bool is_refused = false;
    try {
      opened->wait(1);
    } catch (const error& failure) {
      is_refused = failure.problem().find("has closed") != std::string::npos;
    }
    opened.reset();
    std::array<char, 32> text{};
    const bool is_whole = ::pread(file, text.data(), text.size(), 0) == 14 &&
                          ::lseek(file, 0, SEEK_CUR) == 14 &&
                          std::string(text.data()) == "fourteen bytes";
    const bool are_open = std::ranges::includes(descriptors_here(), taken);
    ::_exit(is_written && !taken.empty() && is_refused && is_whole && are_open ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace acre::fabric
