// The libfabric conduit, on every provider that this machine has: two conduits
// in one process where that will do, a forked target where its memory must be
// looked at while it does nothing.
#include <acre/fabric/ofi.hpp>

#include <acre/base/error.hpp>
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
#include <filesystem>
#include <fstream>
#include <functional>
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

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t region_bytes = 4 << 20;
constexpr auto watchdog = std::chrono::seconds(60);

/// A setting of the environment for the life of a scope.
class setting {
 public:
  setting(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  setting(const setting&) = delete;
  setting& operator=(const setting&) = delete;
  ~setting() {
    if (old_) {
      ::setenv(name_, old_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// Keeps what arrives.
struct inbox final : receiver {
  struct letter {
    message_header header;
    std::vector<word> arguments;
    std::vector<std::byte> payload;
  };
  std::vector<letter> letters;

  void deliver(const message& received) override {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(received.arguments.data()) % alignof(word), 0U);
    letters.push_back({received.header,
                       {received.arguments.begin(), received.arguments.end()},
                       {received.payload.begin(), received.payload.end()}});
  }
};

/// Memory that a forked process shares with its parent.
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

/// The same in forked processes.
const std::string job_name = "acre-ofi-test-" + std::to_string(::getpid());

conduit_options options(rank_t self) {
  return {.job = job_name, .self = self, .size = 2, .single_host = true};
}

/// Others for each seed: a piece of bytes that are made once, for tests need many.
std::vector<std::byte> random_bytes(std::size_t bytes, unsigned seed) {
  constexpr std::size_t most_seeds = 1 << 16;
  static const std::vector<std::byte> all = [] {
    std::vector<std::byte> filled(most_seeds + region_bytes);
    std::mt19937_64 generator(1);
    for (std::size_t at = 0; at < filled.size(); at += sizeof(word)) {
      const word random = generator();
      std::memcpy(&filled[at], &random, sizeof(word));
    }
    return filled;
  }();
  const auto begin = all.begin() + seed % most_seeds;
  return {begin, begin + static_cast<std::ptrdiff_t>(bytes)};
}

/// Two ranks in one process; `pump` moves both.
class two_ranks {
 public:
  explicit two_ranks(const std::string& provider)
      : memory{std::vector<std::byte>(region_bytes), std::vector<std::byte>(region_bytes)} {
    std::vector<std::vector<std::byte>> descriptors;
    for (rank_t rank = 0; rank < 2; ++rank) {
      ranks[rank] = std::make_unique<ofi>(options(rank), provider);
      ranks[rank]->register_region(segment_region, memory[rank].data(), region_bytes);
      descriptors.push_back(ranks[rank]->descriptor());
    }
    for (rank_t rank = 0; rank < 2; ++rank) ranks[rank]->connect(rank, descriptors);
  }

  void pump() {
    for (rank_t rank = 0; rank < 2; ++rank) ranks[rank]->progress(boxes[rank]);
  }

  template <class Condition>
  void pump_until(Condition condition) {
    const auto deadline = steady_clock::now() + watchdog;
    while (!condition()) {
      pump();
      if (steady_clock::now() > deadline) throw std::runtime_error("the test waits in vain");
    }
  }

  void quiet(rank_t rank) {
    pump_until([&] { return ranks[rank]->completed() == ranks[rank]->issued(); });
  }

  void put(std::uint64_t offset, const void* source, std::size_t bytes) {
    pump_until([&] { return ranks[0]->try_put(1, segment_region, offset, source, bytes); });
  }
  void get(std::uint64_t offset, void* destination, std::size_t bytes) {
    pump_until([&] { return ranks[0]->try_get(1, segment_region, offset, destination, bytes); });
  }
  void send(rank_t from, const message_header& header, const word* arguments, const void* payload) {
    pump_until([&] { return ranks[from]->try_send(1 - from, header, arguments, payload); });
  }

  std::vector<std::byte> memory[2];
  std::unique_ptr<ofi> ranks[2];
  inbox boxes[2];
};

class OnProvider : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Ofi, OnProvider,
                         testing::Values("tcp;ofi_rxm", "sockets", "udp;ofi_rxd", "shm"),
                         [](const auto& provider) {
                           std::string name = provider.param;
                           std::erase_if(name, [](char c) { return c == ';' || c == '_'; });
                           return name;
                         });

constexpr std::size_t sizes[] = {1,     2,     7,     8,     9,      63,      64,           65,
                                 255,   256,   1000,  1024,  1025,   4095,    4096,         4097,
                                 16000, 16384, 65535, 65537, 262144, 1 << 20, (1 << 20) + 3};

TEST_P(OnProvider, PutsAnySizeAnywhere) {
  two_ranks job(GetParam());
  for (const std::size_t bytes : sizes) {
    std::vector<std::byte> source = random_bytes(bytes, static_cast<unsigned>(bytes));
    const std::vector<std::byte> original = source;
    const std::uint64_t offset = 3 * bytes % 4099 + 1;
    std::ranges::fill(job.memory[1], std::byte{0});
    job.put(offset, source.data(), bytes);
    if (bytes <= job.ranks[0]->offers().max_inject) std::ranges::fill(source, std::byte{0xAA});
    job.quiet(0);
    ASSERT_EQ(std::memcmp(job.memory[1].data() + offset, original.data(), bytes), 0) << bytes;
    ASSERT_EQ(job.memory[1][offset - 1], std::byte{0}) << bytes;
    ASSERT_EQ(job.memory[1][offset + bytes], std::byte{0}) << bytes;
  }
}

TEST_P(OnProvider, GetsAnySizeFromAnywhere) {
  two_ranks job(GetParam());
  job.memory[1] = job.memory[1];
  const std::vector<std::byte> content = random_bytes(region_bytes, 5);
  std::ranges::copy(content, job.memory[1].begin());
  for (const std::size_t bytes : sizes) {
    std::vector<std::byte> destination(bytes + 2);
    const std::uint64_t offset = 3 * bytes % 4099 + 1;
    job.get(offset, destination.data() + 1, bytes);
    job.quiet(0);
    ASSERT_EQ(std::memcmp(job.memory[1].data() + offset, destination.data() + 1, bytes), 0)
        << bytes;
    ASSERT_EQ(destination.front(), std::byte{0});
    ASSERT_EQ(destination.back(), std::byte{0});
  }
}

TEST_P(OnProvider, PutsAndGetsBoxes) {
  two_ranks job(GetParam());
  std::vector<std::byte> source = random_bytes(200000, 7);
  // 4 x 3 x 25 runs of 37 bytes, from the last of the fastest dimension to its first.
  box shape(37);
  shape.repeat(25, 41, -40);
  shape.repeat(3, 5000, 1000);
  shape.repeat(4, 20000, 3000);
  const std::byte* const first = source.data() + 24 * 40;
  std::size_t done = 0;
  job.pump_until([&] {
    done += job.ranks[0]->try_put_box(1, segment_region, 5, first, shape, done);
    return done == shape.runs();
  });
  job.quiet(0);
  for (box::walk at(shape); at.left() != 0; at.next()) {
    ASSERT_EQ(std::memcmp(&job.memory[1][static_cast<std::size_t>(5 + at.remote())],
                          first + at.local(), shape.run_bytes()),
              0);
  }
  std::vector<std::byte> back(source.size());
  done = 0;
  job.pump_until([&] {
    done += job.ranks[0]->try_get_box(1, segment_region, 5, back.data() + 24 * 40, shape, done);
    return done == shape.runs();
  });
  job.quiet(0);
  for (box::walk at(shape); at.left() != 0; at.next()) {
    ASSERT_EQ(std::memcmp(back.data() + 24 * 40 + at.local(), first + at.local(), 37), 0);
  }
}

TEST_P(OnProvider, CountsAHundredThousandSmallPuts) {
  two_ranks job(GetParam());
  constexpr std::uint64_t count = 100000;
  for (std::uint64_t i = 0; i < count; ++i) job.put(i * 8, &i, 8);
  job.quiet(0);
  EXPECT_GE(job.ranks[0]->issued(), count);
  const auto* words = reinterpret_cast<const std::uint64_t*>(job.memory[1].data());
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(words[i], i);
}

struct counted_operation : operation {
  int completions = 0;
};

TEST_P(OnProvider, CompletesEachOperationOnce) {
  two_ranks job(GetParam());
  std::vector<std::byte> source = random_bytes(300 * 1024, 11);
  std::vector<std::byte> back(source.size());
  std::vector<counted_operation> operations(300);
  const auto complete = [](operation& done) noexcept {
    ++static_cast<counted_operation&>(done).completions;
  };
  const auto all_done = [&] {
    return std::ranges::all_of(operations, [](const auto& each) { return each.completions == 1; });
  };
  for (auto& each : operations) each.complete = complete;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::size_t bytes = i % 2 == 0 ? 8 : 1024;
    job.pump_until([&] {
      return job.ranks[0]->try_put(1, segment_region, i * 1024, source.data() + i * 1024, bytes,
                                   operations[i]);
    });
  }
  job.pump_until(all_done);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::size_t bytes = i % 2 == 0 ? 8 : 1024;
    ASSERT_EQ(std::memcmp(job.memory[1].data() + i * 1024, source.data() + i * 1024, bytes), 0);
    operations[i].completions = 0;
  }
  std::ranges::copy(source, job.memory[1].begin());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    job.pump_until([&] {
      return job.ranks[0]->try_get(1, segment_region, i * 1024, back.data() + i * 1024, 1024,
                                   operations[i]);
    });
  }
  job.pump_until(all_done);
  EXPECT_EQ(source, back);
  job.quiet(0);  // they are counted as well
}

/// Message number i, as sent and as expected.
struct numbered {
  message_header header;
  std::vector<word> arguments;
  std::vector<std::byte> payload;

  numbered(unsigned i, std::size_t max_payload) {
    const std::size_t choices[] = {0, 1, 8, 100, max_payload, 1001, 3, max_payload - 1, 500};
    payload = random_bytes(std::min(choices[i % 9], max_payload), i);
    for (unsigned argument = 0; argument < i % 9; ++argument)
      arguments.push_back(i * 10 + argument);
    header = {.payload_bytes = static_cast<std::uint32_t>(payload.size()),
              .handler = static_cast<std::uint8_t>(i),
              .argument_count = static_cast<std::uint8_t>(arguments.size()),
              .flags = static_cast<std::uint16_t>(i * 3),
              .source = i};
  }
};

void send_many_both_ways(two_ranks& job, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    for (rank_t from = 0; from < 2; ++from) {
      const numbered each(i, job.ranks[from]->offers().max_payload);
      job.send(from, each.header, each.arguments.data(), each.payload.data());
    }
  }
  for (rank_t to = 0; to < 2; ++to) {
    job.pump_until([&] { return job.boxes[to].letters.size() >= count; });
    ASSERT_EQ(job.boxes[to].letters.size(), count);
    for (unsigned i = 0; i < count; ++i) {
      const numbered each(i, job.ranks[to]->offers().max_payload);
      const inbox::letter& letter = job.boxes[to].letters[i];
      ASSERT_EQ(letter.header.source, i) << "out of order";
      ASSERT_EQ(std::memcmp(&letter.header, &each.header, sizeof(message_header)), 0);
      ASSERT_EQ(letter.arguments, each.arguments);
      ASSERT_EQ(letter.payload, each.payload);
    }
  }
}

TEST_P(OnProvider, DeliversMessagesOfAllSizesInOrder) {
  two_ranks job(GetParam());
  send_many_both_ways(job, 5000);
}

TEST(Ofi, DeliversManyMessagesIntoOneBufferWhenAsked) {
  const setting multi("ACRE_OFI_RECEIVE", "multi");
  two_ranks job("tcp;ofi_rxm");  // right as long as there is one sender
  send_many_both_ways(job, 3000);
}

TEST_P(OnProvider, LosesNothingWithTinyLimits) {
  const setting transmissions("ACRE_OFI_TX_SIZE", "4");
  const setting receptions("ACRE_OFI_RX_SIZE", "4");
  const setting buffers("ACRE_OFI_BUFFERS", "2");
  two_ranks job(GetParam());
  constexpr std::uint64_t count = 5000;
  std::vector<std::byte> large = random_bytes(100000, 3);
  std::size_t refusals = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    job.pump_until([&] {
      const bool issued = job.ranks[0]->try_put(1, segment_region, i * 8, &i, 8);
      refusals += issued ? 0 : 1;
      return issued;
    });
    if (i % 100 == 0) job.put(1 << 20, large.data(), large.size());
  }
  send_many_both_ways(job, 1000);
  job.quiet(0);
  const auto* words = reinterpret_cast<const std::uint64_t*>(job.memory[1].data());
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(words[i], i);
  EXPECT_EQ(std::memcmp(job.memory[1].data() + (1 << 20), large.data(), large.size()), 0);
  EXPECT_GT(refusals, 0U) << "the limits were not tiny: this test tests nothing";
}

TEST_P(OnProvider, AddressesMemoryAsHardwareDoesWhenAsked) {
  const setting basic("ACRE_OFI_MR", "basic");
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
  const setting bounce("ACRE_OFI_PUT", "bounce");
  two_ranks job(GetParam());
  EXPECT_EQ(job.ranks[0]->put_path(), small_put::bounce);
  for (std::uint64_t i = 0; i < 3000; ++i) job.put(i * 8, &i, 8);
  job.quiet(0);
  const auto* words = reinterpret_cast<const std::uint64_t*>(job.memory[1].data());
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_EQ(words[i], i);
}

TEST_P(OnProvider, FindsTheBestWayOfSmallPutsByItself) {
  const std::string provider = GetParam();
  const small_put best = provider == "shm" ? small_put::message : small_put::bare;
  EXPECT_EQ(two_ranks(provider).ranks[0]->put_path(), best);
}

TEST_P(OnProvider, IssuesSmallPutsAsItIsTold) {
  for (const char* way : {"write", "message"}) {
    const setting told("ACRE_OFI_PUT", way);
    if (std::string_view(GetParam()) == "shm" && std::string_view(way) == "write") continue;
    two_ranks job(GetParam());
    for (std::uint64_t i = 0; i < 100; ++i) job.put(i * 8, &i, 8);
    job.quiet(0);
    const auto* words = reinterpret_cast<const std::uint64_t*>(job.memory[1].data());
    for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(words[i], i);
  }
}

TEST_P(OnProvider, TakesPutsAndMessagesFromSeveralThreads) {
  two_ranks job(GetParam());
  constexpr std::uint64_t count = 500;
  std::atomic<int> running{3};
  const auto work = [&](std::uint64_t thread) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t place = (thread * count + i) * 8;
      while (!job.ranks[0]->try_put(1, segment_region, place, &place, 8)) std::this_thread::yield();
      const message_header header{.handler = static_cast<std::uint8_t>(thread),
                                  .source = static_cast<rank_t>(i)};
      while (!job.ranks[0]->try_send(1, header, nullptr, nullptr)) std::this_thread::yield();
    }
    --running;
  };
  std::vector<std::jthread> threads;
  for (std::uint64_t thread = 0; thread < 3; ++thread) threads.emplace_back(work, thread);
  job.pump_until([&] { return running == 0 && job.boxes[1].letters.size() == 3 * count; });
  job.quiet(0);
  rank_t next[3] = {};
  for (const auto& letter : job.boxes[1].letters) {
    ASSERT_EQ(letter.header.source, next[letter.header.handler]++);
  }
  const auto* words = reinterpret_cast<const std::uint64_t*>(job.memory[1].data());
  for (std::uint64_t i = 0; i < 3 * count; ++i) ASSERT_EQ(words[i], i * 8);
}

// --- a target that does nothing ------------------------------------------------

/// Rank 1 as a process of its own, whose segment this process sees.
class other_process {
 public:
  /// @param life what rank 1 does after connecting
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
    // What the shm provider of a killed rank leaves behind can be told by its name.
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
      if (steady_clock::now() > deadline) throw std::runtime_error("the test waits in vain");
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
  inbox box;

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
  inbox box;
  while (true) rank.progress(box);
}

TEST_P(OnProvider, CompletesAPutOnlyWhenTheTargetHasIt) {
  other_process job(GetParam(), poll_forever);
  for (const std::size_t bytes : {8U, 200U, 5000U, 200000U}) {
    std::vector<std::byte> source = random_bytes(bytes, static_cast<unsigned>(bytes));
    job.put(0, source.data(), bytes);
    job.quiet();  // connected, and nothing under way
    ::kill(job.child, SIGSTOP);
    int status = 0;
    ::waitpid(job.child, &status, WUNTRACED);
    ASSERT_TRUE(WIFSTOPPED(status));

    std::ranges::reverse(source);
    const auto arrived = [&] { return std::memcmp(job.segment.data(), source.data(), bytes) == 0; };
    job.put(0, source.data(), bytes);
    // It may complete in this time only if the provider can reach the memory of
    // a process that stands still, and then the bytes must be there.
    const auto until = steady_clock::now() + milliseconds(200);
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
    inbox box;
    while (true) {
      rank.wait(milliseconds(100));
      rank.progress(box);
    }
  });
  for (std::uint64_t i = 0; i < 200; ++i) {
    job.put(i * 8, &i, 8);
    job.quiet();
    ASSERT_EQ(std::memcmp(job.segment.data() + i * 8, &i, 8), 0);
  }
}

TEST_P(OnProvider, EndsAWaitWhenWoken) {
  two_ranks job(GetParam());
  std::atomic<bool> stop{false};
  std::jthread waiter([&] {
    while (!stop) job.ranks[0]->wait(std::chrono::minutes(5));
  });
  stop = true;
  job.ranks[0]->wake();
  waiter.join();  // five minutes late otherwise
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

TEST_P(OnProvider, PinsNoMemory) {
  EXPECT_FALSE(two_ranks(GetParam()).ranks[0]->offers().pins_memory);
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

TEST_P(OnProvider, ClosesWithMessagesUnderWay) {
  two_ranks job(GetParam());
  const numbered each(4, job.ranks[0]->offers().max_payload);
  for (int i = 0; i < 20; ++i) job.send(0, each.header, each.arguments.data(), each.payload.data());
  job.ranks[0].reset();
  job.ranks[1].reset();
}

/// What the ranks of a job of several processes share to find each other.
struct meeting {
  static constexpr rank_t ranks = 6;
  std::atomic<rank_t> here{0};
  std::atomic<rank_t> done{0};
  std::size_t descriptor_bytes[ranks] = {};
  std::byte descriptors[ranks][1024] = {};
};

/// A rank that greets all others with a put and many messages each.
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

  inbox box;
  constexpr word messages = 100;
  const std::uint64_t greeting = self + 1;
  for (rank_t step = 0; step < meeting::ranks; ++step) {
    const rank_t other = (self + step) % meeting::ranks;  // oneself included
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
  while (rank.completed() != rank.issued() || box.letters.size() < messages * meeting::ranks) {
    rank.progress(box);
  }
  std::array<word, meeting::ranks> next{};
  for (const inbox::letter& letter : box.letters) {
    if (letter.arguments[0] != next[letter.header.source]++) {
      throw std::runtime_error("a message is out of order");
    }
    const auto from = static_cast<std::byte>(letter.header.source);
    if (!std::ranges::all_of(letter.payload, [&](std::byte each) { return each == from; })) {
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
    std::ranges::fill(large, static_cast<std::byte>(round));
    job.put(64, large.data(), large.size());
    job.put(0, &round, 8);
    job.poll_until([&] { return std::memcmp(job.segment.data(), &round, 8) == 0; });
    ASSERT_EQ(job.segment[64], large.front());
    ASSERT_EQ(job.segment[64 + large.size() - 1], large.front());
    job.quiet();
  }
}

// --- what is refused ------------------------------------------------------------

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
  const setting interface("ACRE_OFI_INTERFACE", "no-such-interface");
  const std::string text = failure_of("tcp");
  EXPECT_NE(text.find("no-such-interface"), std::string::npos) << text;
  EXPECT_NE(text.find("lo"), std::string::npos) << text;
}

TEST(Ofi, ChoosesTcpOnThisMachine) {
  const std::unique_ptr<conduit> opened = open_conduit("ofi", options(0));
  EXPECT_NE(opened->offers().name.find("tcp;ofi_rxm"), std::string::npos)
      << opened->offers().name << " (this machine has a faster network: adapt the test)";
}

// --- the self-test ----------------------------------------------------------------

TEST(OfiSelfTest, FindsALieOfAProvider) {
  // `net` with the endpoint's default flags forgets FI_DELIVERY_COMPLETE. It
  // also leaks memory, therefore a process of its own.
  const auto test = [] {
    ofi_choice choice{.request = {.provider = "net", .puts = small_put::write}, .info = nullptr};
    choice.info = find_ofi(choice.request, options(0));
    if (!choice.info) ::_exit(1);
    const auto lie = find_ofi_lie(choice);
    std::fprintf(stderr, "%s", lie.value_or("it tells the truth").c_str());
    ::_exit(0);
  };
  EXPECT_EXIT(test(), testing::ExitedWithCode(0), "completes before the data is at the target");
}

TEST(OfiSelfTest, TakesACrashForANo) {
  const ofi_request request{.provider = "tcp;ofi_rxm", .puts = small_put::bare};
  ofi_choice choice{.request = request, .info = find_ofi(request, options(0))};
  ASSERT_TRUE(choice.info);
  EXPECT_FALSE(find_ofi_lie_in_child(choice));
  // As a provider crashes that follows what is no pointer.
  fi_fabric_attr* const whole = choice.info->fabric_attr;
  choice.info->fabric_attr = reinterpret_cast<fi_fabric_attr*>(8);
  EXPECT_EQ(find_ofi_lie_in_child(choice), "it crashes");
  choice.info->fabric_attr = whole;
}

TEST(OfiSelfTest, BelievesNoDamagedVerdict) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("acre-ofi-cache-" + std::to_string(::getpid()));
  const setting cache("XDG_CACHE_HOME", folder.string());
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
  const setting cache("XDG_CACHE_HOME", "/proc/no-such-folder");
  EXPECT_TRUE(choose_true_ofi({.provider = "tcp;ofi_rxm"}, options(0)));
}

}  // namespace
}  // namespace acre::fabric
