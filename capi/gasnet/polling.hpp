// What a call does that a program repeats until something has happened: gasnet_AMPoll() and all
// that try.
//
// A thread may end the job while others poll on and on. These stop for ever once it is over.
#pragma once

namespace acre::gasnet {

/// Makes progress, also of a barrier that this node has notified. Lets others have the core when
/// many in a row have found nothing.
void poll(const char* call);

#if defined(GASNET_PAR)
/// Held while a thread moves communication on; does not return from being made when the job is
/// over.
class [[nodiscard]] at_work {
 public:
  at_work() noexcept;
  ~at_work();
  at_work(const at_work&) = delete;
  at_work& operator=(const at_work&) = delete;
};
/// Stops the other threads.
/// @return whether none of them moves communication any more
bool stop_others() noexcept;
#else
class [[nodiscard]] at_work {
 public:
  at_work() noexcept {}
};
inline bool stop_others() noexcept { return true; }
#endif

}  // namespace acre::gasnet
