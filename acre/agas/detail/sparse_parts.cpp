// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/sparse_parts.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <exception>
#include <map>

namespace acre::agas {
namespace {

struct sparse_parts {
  spin_lock lock;
  std::map<std::uint64_t, std::unique_ptr<sparse_part_base>> all;
  std::uint64_t last = 0;
};
/// Never destroyed: a handle may outlive the job.
sparse_parts& parts() {
  static auto& made = *new sparse_parts;
  return made;
}

[[maybe_unused]] const bool parts_registered = runtime::add_job_hooks({.ended = [] {
  std::map<std::uint64_t, std::unique_ptr<sparse_part_base>> gone;
  const std::lock_guard hold(parts().lock);
  std::swap(gone, parts().all);
  parts().last = 0;
}});

}  // namespace

std::uint64_t add_sparse_part(std::unique_ptr<sparse_part_base> part) {
  const std::lock_guard hold(parts().lock);
  parts().all.emplace(++parts().last, std::move(part));
  return parts().last;
}

void remove_sparse_part(std::uint64_t number) noexcept {
  std::unique_ptr<sparse_part_base> removed;
  const std::lock_guard hold(parts().lock);
  const auto found = parts().all.find(number);
  if (found == parts().all.end()) return;
  removed = std::move(found->second);
  parts().all.erase(found);
}

void end_sparse_part(std::uint64_t number) noexcept {
  const runtime::failures_held until_all_are_here;
  try {
    drain();
    remove_sparse_part(number);
    barrier();
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

sparse_part_base& sparse_part_of(std::uint64_t number) {
  if (number == 0) {
    throw error("sparse_collection", "this handle of a collection is empty",
                "it was default-constructed, or moved from: use make_sparse_collection()");
  }
  const std::lock_guard hold(parts().lock);
  const auto found = parts().all.find(number);
  if (found != parts().all.end()) return *found->second;
  throw error("sparse_collection", "the collection has ended",
              "keep the collection until all calls have completed, or call drain() before its end");
}

void throw_no_sparse_member(const char* call) {
  throw error(call, "the sparse collection has no member with this index",
              "insert it first; erase() removes it");
}

}  // namespace acre::agas
