// SPDX-License-Identifier: BSD-3-Clause
// Includes what most programs use.
#pragma once

// First: compilers list the headers before an error.
// clang-format off
#include <acre/global/wire/call_flaws.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/team.hpp>
// clang-format on

#include <acre/array/array.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/base/cplusplus.hpp>
#include <acre/base/error.hpp>
#include <acre/container/bag/bag.hpp>
#include <acre/container/bag/tagged_bag.hpp>
#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/container/distributor.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash/admitting.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/counting_map.hpp>
#include <acre/container/hash/finding.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/container/hash/hash_multimap.hpp>
#include <acre/container/hash/hash_set.hpp>
#include <acre/container/queue/circular_queue.hpp>
#include <acre/container/queue/fast_queue.hpp>
#include <acre/container/read_way.hpp>
#include <acre/container/sets/disjoint_set.hpp>
#include <acre/container/sets/union_find.hpp>
#include <acre/container/sets/uniting.hpp>
#include <acre/global/future/counting_promise.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/future/shared_future.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/future/when_any.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/atomic_apply.hpp>
#include <acre/global/memory/atomic_ref.hpp>
#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/put_signal.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/rpc/dist_object.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/global_lock.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/quiescence.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/global/transfer/atomic_completions.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/global/transfer/indexed.hpp>
#include <acre/global/transfer/put_get_completions.hpp>
#include <acre/global/transfer/put_then.hpp>
#include <acre/global/transfer/strided.hpp>
#include <acre/global/transfer/strided_async.hpp>
#include <acre/launch/job.hpp>
#include <acre/layout/blocked.hpp>
#include <acre/layout/hosted.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/layout/segments.hpp>
#include <acre/mapping/communication.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/user_code.hpp>
