// SPDX-License-Identifier: BSD-3-Clause
// Cost of mobile-object operations from rank 0 of two or three ranks, compared with RPC: median
// nanoseconds, as JSON.
//
//     bench-agas [CALLS]
//     bench-agas references NUMBER    time of releasing NUMBER references
//     bench-agas collect NUMBER       releases one after the other, at ACRE_CREDIT_THRESHOLD
#include <acre/objects.hpp>

#include <bench/rates.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::object_id;
using acre::object_ref;
using acre::bench::stopwatch;

struct counter {
  std::uint64_t sum = 0;
  std::uint64_t add(std::uint64_t more) { return sum += more; }
  friend auto acre_fields(counter& c) { return std::tie(c.sum); }
};

struct block {
  std::vector<std::uint64_t> words;
  block() = default;
  explicit block(std::size_t bytes) : words(bytes / sizeof(std::uint64_t)) {}
  friend auto acre_fields(block& b) { return std::tie(b.words); }
};

std::uint64_t sum = 0;
std::uint64_t add(std::uint64_t more) { return sum += more; }

class results {
 public:
  void note(std::string_view name, double nanoseconds) {
    text_ += ", \"" + std::string(name) + "\": " + std::to_string(nanoseconds);
  }
  template <class Operation>
  void measure(std::string_view name, std::uint64_t calls, Operation&& operation) {
    note(name, median(calls, operation));
  }
  template <class Operation>
  static double median(std::uint64_t calls, Operation&& operation) {
    constexpr std::size_t batches = 9;
    calls = std::max<std::uint64_t>(calls / batches, 1);
    std::vector<double> times;
    for (std::size_t batch = 0; batch < batches; ++batch) {
      const stopwatch watch;
      for (std::uint64_t i = 0; i < calls; ++i) operation(i);
      times.push_back(1e9 * watch.seconds() / static_cast<double>(calls));
    }
    std::ranges::nth_element(times, times.begin() + batches / 2);
    return times[batches / 2];
  }
  void print() const {
    std::printf("{\"ranks\": %u, \"conduit\": \"%s\"%s}\n", acre::size(),
                std::string(acre::conduit_name()).c_str(), text_.c_str());
  }

 private:
  std::string text_;
};

constexpr acre::rank_t other = 1;

void create(results& found, std::uint64_t calls) {
  std::vector<object_ref<counter>> made;
  made.reserve(calls);
  found.measure("create here", calls, [&](auto) { made.push_back(acre::create_here<counter>()); });
  made.clear();
  acre::progress();
  found.measure("create there", calls / 16,
                [&](auto) { made.push_back(acre::create<counter>(other).get()); });
}

template <class Call>
void look_up(results& found, std::string_view name, std::uint64_t calls, Call&& call) {
  acre::start_agas_times();
  const auto read = [](const char* counter) {
    return static_cast<double>(acre::read_agas_counter(counter));
  };
  std::vector<double> times;
  for (int batch = 0; batch < 9; ++batch) {
    const double before = read("/agas/time/resolve_gid");
    const double looks = read("/agas/count/resolve_gid");
    for (std::uint64_t i = 0; i < calls / 9; ++i) call(i);
    times.push_back((read("/agas/time/resolve_gid") - before) /
                    (read("/agas/count/resolve_gid") - looks));
  }
  std::ranges::nth_element(times, times.begin() + 4);
  found.note(name, times[4]);
  acre::stop_agas_times();
}

void resolve(results& found, std::uint64_t calls) {
  const auto mine = acre::create_id_here<counter>();
  std::uint64_t here = 0;
  found.measure("is_here", 64 * calls, [&](auto) { here += acre::is_here(mine) ? 1 : 0; });
  acre::bench::keep(here);
  found.measure("pinned", 16 * calls, [&](auto i) { acre::pinned<counter>(mine)->add(i); });
  const auto theirs = acre::create_id<counter>(other).get();
  acre::migrate(mine, other).get();
  const auto call = [](const auto& object) {
    return [&object](std::uint64_t i) { acre::invoke(object, &counter::add, i).get(); };
  };
  look_up(found, "resolve, directory", calls, call(mine));
  look_up(found, "resolve, home", calls, call(theirs));
  acre::migrate(theirs, 0).get();
  look_up(found, "resolve, here", calls, call(theirs));
  acre::migrate(theirs, other).get();
  acre::destroy(theirs).get();
  acre::destroy(mine).get();
}

void call(results& found, std::uint64_t calls) {
  const auto id = acre::create_id<counter>(other).get();
  const auto ref = acre::create<counter>(other).get();
  const auto mine = acre::create_id_here<counter>();
  found.measure("rpc, own", calls, [](auto i) { acre::rpc(0, add, i).get(); });
  found.measure("invoke, here", calls, [&](auto i) { acre::invoke(mine, &counter::add, i).get(); });
  found.measure("rpc, round trip", calls, [](auto i) { acre::rpc(other, add, i).get(); });
  found.measure("invoke by id, round trip", calls,
                [&](auto i) { acre::invoke(id, &counter::add, i).get(); });
  found.measure("invoke by reference, round trip", calls,
                [&](auto i) { acre::invoke(ref, &counter::add, i).get(); });
  const auto each = [&](std::string_view name, auto one) {
    double all = results::median(9, [&](auto) {
      for (std::uint64_t i = 0; i < 2 * calls; ++i) one(i);
      acre::rpc(other, add, std::uint64_t{0}).get();  // waits for all earlier calls
    });
    found.note(name, all / static_cast<double>(2 * calls));
  };
  each("rpc_ff", [](auto i) { acre::rpc_ff(other, add, i); });
  each("invoke_ff by id", [&](auto i) { acre::invoke_ff(id, &counter::add, i); });
  each("invoke_ff by reference", [&](auto i) { acre::invoke_ff(ref, &counter::add, i); });
  acre::destroy(id).get();
  acre::destroy(mine).get();
}

/// Needs three ranks.
void call_by_home(results& found, std::uint64_t calls) {
  constexpr acre::rank_t home = 2;
  std::vector<object_id<counter>> moved;
  for (std::uint64_t i = 0; i < calls; ++i) {
    moved.push_back(acre::create_id<counter>(home).get());
    acre::rpc(
        home, [](const object_id<counter>& each) { return acre::migrate(each, other); },
        moved.back())
        .get();
  }
  std::size_t next = 0;
  found.measure("invoke without a hint", calls,
                [&](auto i) { acre::invoke(moved[next++], &counter::add, i).get(); });
  next = 0;
  found.measure("invoke with a hint", calls,
                [&](auto i) { acre::invoke(moved[next++], &counter::add, i).get(); });
  for (const auto& each : moved) acre::destroy(each).get();
}

void move(results& found, std::uint64_t calls) {
  for (const std::size_t bytes : {64U, 1024U, 16384U, 262144U, 1048576U}) {
    const auto moving = acre::create_id_here<block>(bytes);
    acre::rank_t to = 0;
    found.measure("migrate " + std::to_string(bytes), std::max(calls * 256 / (bytes + 512), 90UL),
                  [&](auto) { acre::migrate(moving, to = other - to).get(); });
    acre::destroy(moving).get();
    const block sent(bytes);
    found.measure("rpc with " + std::to_string(bytes), std::max(calls * 256 / (bytes + 512), 90UL),
                  [&](auto) { acre::rpc(other, [](const block&) {}, sent).get(); });
  }
}

void name(results& found, std::uint64_t calls) {
  const auto named = acre::create_here<counter>();
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < calls; ++i) names.push_back("/bench/" + std::to_string(i));
  const auto each_name = [&](std::string_view what, auto&& use) {
    std::size_t next = 0;
    found.measure(what, calls, [&](auto) { use(names[next++]); });
  };
  each_name("register a name", [&](const auto& each) { acre::register_name(each, named).get(); });
  each_name("resolve a name", [](const auto& each) { acre::resolve<counter>(each).get(); });
  each_name("unregister a name", [](const auto& each) { acre::unregister_name(each).get(); });
}

void credit(results& found, std::uint64_t calls) {
  const auto mine = acre::create_here<counter>();
  found.measure("rpc with a name", calls,
                [&](auto) { acre::rpc(other, [](acre::gid) {}, mine.name()).get(); });
  found.measure("rpc with a reference", calls,
                [&](auto) { acre::rpc(other, [](object_ref<counter>) {}, mine).get(); });
}

std::vector<object_ref<counter>> held;

/// Rank 0 receives references; the other rank releases its own.
void hand_over(std::uint64_t number) {
  constexpr std::uint64_t piece = 10'000;
  for (std::uint64_t first = 0; first < number; first += piece) {
    std::vector<object_ref<counter>> made;
    for (std::uint64_t i = first; i < std::min(first + piece, number); ++i) {
      made.push_back(acre::create_here<counter>());
    }
    acre::rpc(
        0,
        [](const std::vector<object_ref<counter>>& come) {
          held.insert(held.end(), come.begin(), come.end());
        },
        made)
        .get();
  }
}

void give_back(std::uint64_t number) {
  acre::start_agas_times();
  if (acre::rank() == 0) held.reserve(number);
  acre::barrier();
  if (acre::rank() == other) hand_over(number);
  acre::drain();
  const std::string at = "/agas{locality#1/total}/";
  const auto of_home = [&](const char* counter) {
    return acre::rank() == 0 ? acre::read_agas_counter(at + counter) : 0;
  };
  const std::uint64_t before = of_home("count/decrement_credit");
  const std::uint64_t spent = of_home("time/decrement_credit");
  const std::uint64_t ended = of_home("count/unbind_gid");
  acre::barrier();
  const stopwatch watch;
  held.clear();
  acre::drain();
  const double seconds = watch.seconds();
  if (acre::rank() == 0) {
    std::printf(
        "{\"references\": %llu, \"given_back\": %llu, \"ended\": %llu, \"seconds\": %.6f, "
        "\"decrement_seconds\": %.6f}\n",
        static_cast<unsigned long long>(number),
        static_cast<unsigned long long>(of_home("count/decrement_credit") - before),
        static_cast<unsigned long long>(of_home("count/unbind_gid") - ended), seconds,
        1e-9 * static_cast<double>(of_home("time/decrement_credit") - spent));
  }
  acre::barrier();
}

/// Rank 1 is home.
void collect(std::uint64_t number) {
  acre::start_agas_times();
  if (acre::rank() == 0) held.reserve(number);
  acre::barrier();
  if (acre::rank() == other) {
    hand_over(number);
    acre::collect();
  }
  acre::drain();
  const std::string home = "/agas{locality#1/total}/";
  const auto of = [&](const std::string& counter) {
    return acre::rank() == 0 ? acre::read_agas_counter(counter) : 0;
  };
  const std::uint64_t spent = of(home + "time/decrement_credit");
  const std::uint64_t ended = of(home + "count/unbind_gid");
  const std::uint64_t batches = of("/agas/count/credit/batches");
  acre::barrier();
  const stopwatch watch;
  std::uint64_t waiting = 0;
  for (std::uint64_t i = 0; acre::rank() == 0 && i < number; ++i) {
    held.pop_back();
    acre::progress();
    if (i % 61 == 0)
      waiting = std::max(waiting, acre::read_agas_counter("/agas/count/credit/waiting"));
  }
  acre::drain();
  const double seconds = watch.seconds();
  // Objects whose last reference is dropped, but whose credit waits.
  const std::uint64_t left = number - (of(home + "count/unbind_gid") - ended);
  acre::barrier();
  const stopwatch rest;
  acre::collect();
  acre::drain();
  if (acre::rank() == 0) {
    std::printf(
        "{\"references\": %llu, \"batches\": %llu, \"waiting\": %llu, \"left\": %llu, "
        "\"ended\": %llu, \"seconds\": %.6f, \"collect_seconds\": %.6f, "
        "\"decrement_seconds\": %.6f}\n",
        static_cast<unsigned long long>(number),
        static_cast<unsigned long long>(of("/agas/count/credit/batches") - batches),
        static_cast<unsigned long long>(waiting), static_cast<unsigned long long>(left),
        static_cast<unsigned long long>(of(home + "count/unbind_gid") - ended), seconds,
        rest.seconds(), 1e-9 * static_cast<double>(of(home + "time/decrement_credit") - spent));
  }
  acre::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  if (argc > 2 && argv[1] == std::string_view("references")) {
    give_back(std::strtoull(argv[2], nullptr, 10));
    return 0;
  }
  if (argc > 2 && argv[1] == std::string_view("collect")) {
    collect(std::strtoull(argv[2], nullptr, 10));
    return 0;
  }
  const std::uint64_t calls = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  if (acre::rank() == 0) {
    results found;
    if (acre::size() > 2) {
      call_by_home(found, calls);
    } else {
      create(found, calls);
      resolve(found, calls);
      call(found, calls);
      move(found, calls);
      name(found, calls);
      credit(found, calls);
    }
    found.print();
  }
  acre::barrier();
}
