// All of Acre.
#pragma once

#include <acre/base/cplusplus.hpp>
#include <acre/base/error.hpp>
#include <acre/container/admitting.hpp>
#include <acre/container/array.hpp>
#include <acre/container/bloom_filter.hpp>
#include <acre/container/buffered.hpp>
#include <acre/container/counting_map.hpp>
#include <acre/container/finding.hpp>
#include <acre/container/hash_map.hpp>
#include <acre/container/hash_set.hpp>
#include <acre/container/promise.hpp>
#include <acre/global/allocate.hpp>
#include <acre/global/atomic.hpp>
#include <acre/global/future.hpp>
#include <acre/global/future_put_get.hpp>
#include <acre/global/global_ptr.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/rpc.hpp>
#include <acre/global/strided.hpp>
#include <acre/global/task.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/progress.hpp>
