// The front of a queue's memory, and what the calls of a queue are called.
#pragma once

#include <acre/container/queue/detail/queue_ends.hpp>
#include <acre/global/phase_record.hpp>

namespace acre::detail {

struct queue_head {
  queue_ends ends;
  alignas(64) phase_record record;
};

struct queue_calls {
  const char* name;
  const char* push;
  const char* pop;
  const char* push_wait;
  const char* pop_wait;
  const char* peek;
  const char* totals;
  const char* for_each_local;
  const char* resize;
  const char* migrate;
};

}  // namespace acre::detail
