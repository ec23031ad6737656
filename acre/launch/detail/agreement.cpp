// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/agreement.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/fingerprint.hpp>
#include <acre/base/host_name.hpp>
#include <acre/fabric/open_conduit.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <unordered_map>

namespace acre::launch {
namespace {

constexpr const char* of_any_program = "";
constexpr const char* of_this_program = "program";

std::vector<std::byte> pack(std::span<const fact> facts, std::int64_t program) {
  std::string text = host_name() + '\0' + std::to_string(program) + '\0';
  for (const fact& each : facts) {
    text += each.name + '\0' + each.value + '\0';
    text += (each.shown.empty() ? each.value : each.shown) + '\0';
    text += std::string(each.is_of_program ? of_this_program : of_any_program) + '\0';
  }
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

struct told {
  std::string host;
  std::string program;
  std::vector<fact> facts;
};

told unpack_facts(std::span<const std::byte> packed) {
  std::string_view text(reinterpret_cast<const char*>(packed.data()), packed.size());
  const auto take = [&] {
    const std::string_view word = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    return std::string(word);
  };
  told theirs{.host = take(), .program = {}, .facts = {}};
  theirs.program = take();
  while (!text.empty()) {
    fact each{.name = take(), .value = {}, .shown = {}};
    each.value = take();
    each.shown = take();
    each.is_of_program = take() == of_this_program;
    theirs.facts.push_back(std::move(each));
  }
  return theirs;
}

std::string shown_by(const told& who, const std::string& name) {
  for (const fact& each : who.facts) {
    if (each.name == name) return each.shown.empty() ? "not set" : each.shown;
  }
  return "unknown";
}

std::string named(std::size_t rank, const told& who) {
  return "rank " + std::to_string(rank) + " (host " + who.host + ")";
}

std::string described(const build& of) {
  char hash[16];
  std::snprintf(hash, sizeof hash, "%08x", of.hash);
  return of.path + " (build " + hash + ")";
}

fact setting(const char* name) {
  return {.name = name, .value = environment(name).value_or(""), .shown = {}};
}

fact report(const char* name) {
  const auto wanted = environment(name);
  const bool is_on = wanted && *wanted != "off";
  return {.name = name, .value = is_on ? "on" : "off", .shown = is_on ? *wanted : "not set"};
}

constexpr const char* programs = "ACRE_PROGRAMS";

constexpr const char* same_build =
    "start the same build on all ranks; for a job of several programs, name them in one command "
    "(./a : ./b) without ACRE_PROGRAMS=same, or set ACRE_PROGRAMS=several on all ranks";

std::uint64_t sum_of_builds(std::span<const build> libraries) noexcept {
  std::uint64_t sum = 0;
  for (const build& each : libraries) sum += mix_bits(each.hash);
  return sum;
}

void add_program(std::vector<fact>& facts, const program_build& mine, bool may_differ) {
  facts.push_back({.name = "the program",
                   .value = std::to_string(mine.executable.hash),
                   .shown = described(mine.executable),
                   .advice = same_build,
                   .is_of_program = may_differ});
  std::string all;
  for (const build& each : mine.libraries) all += (all.empty() ? "" : ", ") + described(each);
  facts.push_back({.name = "the set of shared libraries that use Acre",
                   .value = std::to_string(sum_of_builds(mine.libraries)),
                   .shown = all.empty() ? "empty" : all,
                   .advice = same_build,
                   .is_of_program = may_differ});
}

struct report_of_rank {
  std::size_t rank;
  const told& content;
};

void compare(const report_of_rank& first, const report_of_rank& second,
             std::span<const fact> mine) {
  const bool is_one_program = first.content.program == second.content.program;
  std::size_t left = second.content.facts.size();
  for (const fact& each : first.content.facts) {
    const auto same = [&](const fact& theirs) {
      return theirs.name == each.name &&
             (theirs.value == each.value || (each.is_of_program && !is_one_program));
    };
    if (std::ranges::any_of(second.content.facts, same)) {
      --left;
      continue;
    }
    const auto known = std::ranges::find(mine, each.name, &fact::name);
    throw error("job",
                each.name + " is " + shown_by(first.content, each.name) + " on " +
                    named(first.rank, first.content) + ", but " +
                    shown_by(second.content, each.name) + " on " +
                    named(second.rank, second.content),
                known != mine.end() ? known->advice : same_build);
  }
  if (left == 0) return;
  throw error("job",
              named(first.rank, first.content) + " and " + named(second.rank, second.content) +
                  " differ in their builds",
              same_build);
}

}  // namespace

std::uint64_t digest(std::span<const fact> facts) noexcept {
  std::uint64_t sum = facts.size();
  for (const fact& each : facts) {
    sum = mix_bits(sum ^ fingerprint(each.name));
    sum = mix_bits(sum ^ fingerprint(each.value));
  }
  return sum;
}

void require_agreement(runtime::bootstrap& launcher, std::span<const fact> mine,
                       std::span<const std::uint64_t> digests) {
  const auto differs = [&](std::uint64_t each) { return each != digests[0]; };
  if (std::ranges::none_of(digests, differs)) return;
  const auto lists = launcher.exchange(pack(mine, launcher.program_number()));
  // The refusal kills ranks. MPICH's proxy ends by EPIPE, and loses the message, when it still
  // answers one of them.
  launcher.barrier();
  if (lists.size() != digests.size()) throw error("job", "the launcher has lost ranks");
  std::vector<told> all;
  std::unordered_map<std::string, std::size_t> first_of;
  for (const auto& each : lists) {
    all.push_back(unpack_facts(each));
    const std::size_t rank = all.size() - 1;
    const std::size_t sibling = first_of.try_emplace(all.back().program, rank).first->second;
    for (const std::size_t other : {std::size_t{0}, sibling}) {
      if (digests[other] == digests[rank]) continue;
      compare({other, all[other]}, {rank, all[rank]}, mine);
    }
  }
}

std::uint64_t fingerprint_of(const program_build& program) noexcept {
  return mix_bits(program.executable.hash + sum_of_builds(program.libraries));
}

std::vector<fact> facts_of_rank(const program_build& program) {
  const auto choice = environment_choice(programs, {"same", "several"});
  fact conduit = setting("ACRE_CONDUIT");
  if (conduit.value.empty()) conduit.value = fabric::conduit_names().front();
  std::vector<fact> facts{
      {.name = "Acre's library",
       .value = ::acre::base::has_checks ? "built with checks" : "built without checks",
       .shown = {},
       .advice = same_build},
      setting("ACRE_RANKS_PER_NODE"),
      std::move(conduit),
      report("ACRE_COUNTERS"),
      report("ACRE_AGAS_COUNTERS"),
      report("ACRE_OBJECT_REPORT"),
      {.name = programs, .value = choice.value_or("same"), .shown = {}},
  };
  if (choice != "several") add_program(facts, program, !choice);
  return facts;
}

}  // namespace acre::launch
