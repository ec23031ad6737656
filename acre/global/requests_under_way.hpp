// Requests to owners that are under way together, of which somebody takes the
// answers in the order of asking.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/at_owner.hpp>

#include <cstddef>
#include <list>
#include <utility>

namespace acre::at_owner {

/// @tparam Note  what the caller remembers of each
///
/// Used by one thread; waits may run code that uses it too. When it is destroyed, what is under
/// way goes on, and its answers are lost.
template <class Note>
class requests_under_way {
 public:
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

  /// Sends a request of any size, as start_request() does.
  void add(const request& what, Note note) {
    // Its place first: what is on its way must not be forgotten for want of memory.
    std::list<one> added;
    added.push_back({{}, what.owner, std::move(note)});
    added.front().started = start_request(what);
    all_.splice(all_.end(), added);
  }

  /// Waits until at most so many are left, and calls take(note, record, owner) for each of the
  /// others.
  template <class Take>
  void await(std::size_t at_most, runtime::may_run meanwhile, Take&& take, const char* call,
             const site& where) {
    while (all_.size() > at_most) {
      runtime::wait_until([&] { return all_.size() <= at_most || all_.front().started.is_done(); },
                          call, meanwhile, where);
      if (all_.size() <= at_most) return;
      one first = std::move(all_.front());
      all_.pop_front();
      take(first.note, *first.started, first.owner);
    }
  }

 private:
  struct one {
    runtime::awaited<request_record> started;
    rank_t owner;
    Note note;
  };
  std::list<one> all_;
};

}  // namespace acre::at_owner
