// All of Acre.
#pragma once

// Before all others: compilers list the headers between a program and an error's text.
// clang-format off
#include <acre/global/call_flaws.hpp>
#include <acre/global/rpc.hpp>
#include <acre/global/team.hpp>
// clang-format on

#include <acre/array/array.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/base/cplusplus.hpp>
#include <acre/base/error.hpp>
#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/container/distributor.hpp>
#include <acre/container/hash/admitting.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/counting_map.hpp>
#include <acre/container/hash/finding.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/container/hash/hash_set.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/fast_queue.hpp>
#include <acre/global/allocate.hpp>
#include <acre/global/atomic.hpp>
#include <acre/global/atomic_completions.hpp>
#include <acre/global/completion.hpp>
#include <acre/global/counting_promise.hpp>
#include <acre/global/dist_object.hpp>
#include <acre/global/drain.hpp>
#include <acre/global/future.hpp>
#include <acre/global/future_put_get.hpp>
#include <acre/global/global_lock.hpp>
#include <acre/global/global_ptr.hpp>
#include <acre/global/guarantee.hpp>
#include <acre/global/indexed.hpp>
#include <acre/global/member.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/put_get_completions.hpp>
#include <acre/global/put_signal.hpp>
#include <acre/global/put_then.hpp>
#include <acre/global/shared_future.hpp>
#include <acre/global/strided.hpp>
#include <acre/global/strided_async.hpp>
#include <acre/global/symmetric_array.hpp>
#include <acre/global/task.hpp>
#include <acre/global/wait_until.hpp>
#include <acre/global/when_any.hpp>
#include <acre/layout/blocked.hpp>
#include <acre/layout/hosted.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/layout/segments.hpp>
#include <acre/mapping/communication.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/user_code.hpp>
