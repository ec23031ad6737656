// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/report.hpp>

#include <acre/agas/counters.hpp>

#include <apps/program/program.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace acre::amr {
namespace {

struct rank_summary {
  letter_counts letters;
  double seconds = 0;
  double agas_seconds = 0;
  std::uint64_t moves = 0;
  std::uint64_t calls = 0;
  std::uint64_t hops = 0;
};

std::vector<rank_summary> summaries(const distributed_mesh& mesh, double seconds) {
  rank_summary mine{.letters = mesh.letters(), .seconds = seconds};
  const auto in_seconds = [](std::string_view name) {
    return 1e-9 * static_cast<double>(read_agas_counter(name));
  };
  mine.agas_seconds = in_seconds("/agas/primary/time") + in_seconds("/agas/component/time") +
                      in_seconds("/agas/symbol/time");
  mine.moves = read_agas_counter("/agas/count/end_migration");
  mine.calls = read_agas_counter("/agas/count/calls/delivered");
  mine.hops = read_agas_counter("/agas/count/calls/forwards");
  return world().allgather(mine);
}

struct named_work {
  const char* name;
  work_kind kind;
};
constexpr std::array<named_work, 6> kinds{{{"counted", &rank_work::counted},
                                           {"measured", &rank_work::measured},
                                           {"busy", &rank_work::busy},
                                           {"change", &rank_work::change},
                                           {"leaves", &rank_work::leaves},
                                           {"traffic", &rank_work::traffic}}};

template <class Of>
auto each_of(std::span<const rank_summary> ranks, Of of) {
  std::vector<std::remove_cvref_t<decltype(of(ranks.front()))>> found;
  for (const rank_summary& each : ranks) found.push_back(of(each));
  return found;
}

template <class Of>
auto sum_of(std::span<const rank_summary> ranks, Of of) {
  auto found = of(rank_summary{});
  for (const rank_summary& each : ranks) found += of(each);
  return found;
}

double share_of_agas(std::span<const rank_summary> ranks) {
  const double seconds = sum_of(ranks, [](const auto& r) { return r.seconds; });
  return seconds > 0 ? sum_of(ranks, [](const auto& r) { return r.agas_seconds; }) / seconds : 0;
}

double of_even(std::span<const period> periods, work_kind kind) {
  const double even = even_path(periods, kind);
  return even > 0 ? critical_path(periods, kind) / even : 1;
}

std::size_t shown_each(std::size_t all) {
  constexpr std::size_t most = 16;
  return (all + most - 1) / most;
}

void print(const distributed_mesh& mesh, std::span<const rank_summary> ranks) {
  const std::span<const period> periods = mesh.periods();
  std::uint64_t moves = 0;
  const std::span<const balance_report> changes = mesh.history();
  for (const balance_report& each : changes) moves += each.moves;
  fmt::print("imbalance at changes of the mesh, before > after it was balanced:");
  for (std::size_t i = 0; i < changes.size(); i += shown_each(changes.size())) {
    fmt::print(" {:.2f}>{:.2f}", changes[i].before, changes[i].after);
  }
  fmt::print("\nimbalance of the steps after them, by counted cells:");
  for (std::size_t i = 0; i < periods.size(); i += shown_each(periods.size())) {
    fmt::print(" {:.2f}", imbalance(periods[i], &rank_work::counted));
  }
  const double busy = critical_path(periods, &rank_work::busy);
  const double change = critical_path(periods, &rank_work::change);
  fmt::print(
      "\ncritical path: {:.2f} of an even one by counted cells, {:.2f} by measured stages; "
      "{:.3f} s in steps and {:.3f} s in changes (the threads' clocks; even: {:.3f} s)\n",
      of_even(periods, &rank_work::counted), of_even(periods, &rank_work::measured), busy, change,
      even_path(periods, &rank_work::busy) + even_path(periods, &rank_work::change));
  using program::grouped;
  fmt::print(
      "{} nodes moved for balance, {} in all; letters: {} within ranks, {} between; "
      "{} names looked up; {} calls, passed on {} times\n",
      grouped(moves), grouped(sum_of(ranks, [](const auto& r) { return r.moves; })),
      grouped(sum_of(ranks, [](const auto& r) { return r.letters.within; })),
      grouped(sum_of(ranks, [](const auto& r) { return r.letters.sent; })),
      grouped(sum_of(ranks, [](const auto& r) { return r.letters.looked_up; })),
      grouped(sum_of(ranks, [](const auto& r) { return r.calls; })),
      grouped(sum_of(ranks, [](const auto& r) { return r.hops; })));
  const phase_times& times = mesh.times();
  fmt::print("rank 0's clock: {:.3f} s in steps, {:.3f} s in changes, {:.3f} s in balancing; ",
             times.steps, times.regrid, times.balance);
  const double share = share_of_agas(ranks);
  fmt::print("objects that move took {}\n", share > 0
                                                ? fmt::format("{:.2f} % of the time", 100 * share)
                                                : "(set ACRE_AGAS_TIMES=on to measure it)");
}

std::string json(const distributed_mesh& mesh, std::span<const rank_summary> ranks,
                 const asked_of_homes& asked, std::uint64_t fingerprint) {
  const auto list = [&](auto of) {
    return fmt::format("[{}]", fmt::join(each_of(ranks, of), ", "));
  };
  std::string text = fmt::format("{{\"ranks\": {}, \"seconds\": {:.6f}, \"fingerprint\": \"{:x}\"",
                                 ranks.size(), ranks.front().seconds, fingerprint);
  text += fmt::format(", \"agas_share\": {:.6g}", share_of_agas(ranks));
  const std::span<const period> periods = mesh.periods();
  for (const named_work& each : kinds) {
    text +=
        fmt::format(", \"{0}\": {{\"critical\": {1:.6g}, \"even\": {2:.6g}, \"of_ranks\": [",
                    each.name, critical_path(periods, each.kind), even_path(periods, each.kind));
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      double sum = 0;
      for (const period& one : periods) sum += one.ranks[r].*each.kind;
      text += fmt::format("{}{:.6g}", r == 0 ? "" : ", ", sum);
    }
    text += "], \"imbalance\": [";
    for (const period& one : periods) {
      text +=
          fmt::format("{}{:.4f}", &one == &periods.front() ? "" : ", ", imbalance(one, each.kind));
    }
    text += "]}";
  }
  text += ", \"letters_within\": " + list([](const auto& r) { return r.letters.within; });
  text += ", \"letters_sent\": " + list([](const auto& r) { return r.letters.sent; });
  text += ", \"letters_received\": " + list([](const auto& r) { return r.letters.received; });
  text += ", \"looked_up\": " + list([](const auto& r) { return r.letters.looked_up; });
  text += ", \"made\": " + list([](const auto& r) { return r.letters.made; });
  text += ", \"links_left\": " + list([](const auto& r) { return r.letters.links_left; });
  text += fmt::format(", \"names_of_homes\": [{}]", fmt::join(asked.names, ", "));
  text += fmt::format(", \"letters_by_homes\": [{}]", fmt::join(asked.letters, ", "));
  text += ", \"moves\": " + list([](const auto& r) { return r.moves; });
  text += ", \"calls\": " + list([](const auto& r) { return r.calls; });
  text += ", \"hops\": " + list([](const auto& r) { return r.hops; });
  return text + "}\n";
}

}  // namespace

void report(const distributed_mesh& mesh, double seconds, const std::string& path) {
  const std::vector<rank_summary> ranks = summaries(mesh, seconds);
  const std::uint64_t fingerprint = mesh.fingerprint();
  asked_of_homes asked = here().asked();
  world().allreduce(std::span(asked.names));
  world().allreduce(std::span(asked.letters));
  if (rank() != 0) return;
  print(mesh, ranks);
  fmt::print("fingerprint {:x}\n", fingerprint);
  if (!path.empty()) program::write_report("acre-amr", path, json(mesh, ranks, asked, fingerprint));
}

}  // namespace acre::amr
