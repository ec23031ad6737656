// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/sets/sets_checkpoint.hpp>

#include <acre/base/error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace acre {

namespace {

constexpr std::size_t elements_of_saved_item = 4096;

global::saved_container content_of(const union_find& sets) {
  auto content = global::description_of(typeid(sets), typeid(std::uint64_t), typeid(void));
  content.elements += ", " + std::to_string(sets.size()) + " elements";
  return content;
}

struct saved_run {
  std::uint64_t first;
  std::vector<std::uint64_t> representatives;
};

void add(std::vector<union_find::edge>& pairs, const saved_run& run, std::uint64_t elements,
         const std::string& path) {
  bool is_right = run.first <= elements && run.representatives.size() <= elements - run.first;
  std::uint64_t element = run.first;
  for (const std::uint64_t each : run.representatives) {
    is_right = is_right && each < elements;
    if (each != element) pairs.emplace_back(element, each);
    ++element;
  }
  if (!is_right) {
    throw error("restore",
                path + " is damaged: it has an element beyond " + std::to_string(elements),
                "restore an older checkpoint");
  }
}

}  // namespace

void checkpoint(const union_find& sets, const std::string& path, const site& where) {
  const runtime::failures_held until_all_is_done;
  sets.members().barrier(where);
  global::saved_pieces mine;
  global::run_together(sets.members(), "checkpoint", where, [&] {
    saved_run run{.first = sets.local_offset(), .representatives = {}};
    const auto end_run = [&] {
      mine.add(run.first, std::span<const std::uint64_t>(run.representatives));
      run.first += run.representatives.size();
      run.representatives.clear();
    };
    sets.for_each_local(
        [&](std::uint64_t, std::uint64_t representative) {
          run.representatives.push_back(representative);
          if (run.representatives.size() == elements_of_saved_item) end_run();
        },
        where);
    if (!run.representatives.empty()) end_run();
  });
  mine.write(sets.members(), content_of(sets), path, where);
}

void restore(union_find& sets, const std::string& path, const site& where) {
  const runtime::failures_held until_all_is_done;
  const global::saved_file file(sets.members(), content_of(sets), path, where);
  std::vector<union_find::edge> pairs;
  global::run_together(sets.members(), "restore", where, [&] {
    global::for_each_saved(file.read_share(), [&](reader& from) {
      const auto first = from.read<std::uint64_t>();
      add(pairs, {first, from.read<std::vector<std::uint64_t>>()}, sets.size(), path);
    });
  });
  sets.clear(where);
  global::run_together(sets.members(), "restore", where,
                       [&] { sets.unite_all(pairs, no_guarantee{}, where); });
}

}  // namespace acre
