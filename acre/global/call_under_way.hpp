// What is still to be done of a call whose message has been taken.
#pragma once

#include <acre/global/detail/call_tally.hpp>

namespace acre::detail {

/// While it lives, drain() and the end of the job wait: whoever keeps a call for later has one.
class call_under_way {
 public:
  call_under_way() noexcept { count_call_sent(); }
  ~call_under_way() { count_call_done(); }
  call_under_way(const call_under_way&) = delete;
  call_under_way& operator=(const call_under_way&) = delete;
};

/// The same until a request that is kept here, and handed to its rank's owner later, has run there.
inline void count_call_under_way() noexcept { count_call_sent(); }

}  // namespace acre::detail
