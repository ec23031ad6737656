// SPDX-License-Identifier: BSD-3-Clause
// Includes mobile objects with stable names, and the global layer (teams, global pointers, RPC).
#pragma once

// First: compilers list the headers before an error.
// clang-format off
#include <acre/global/wire/call_flaws.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/team.hpp>
#include <acre/agas/collection.hpp>
// clang-format on

#include <acre/agas/balance.hpp>
#include <acre/agas/checkpoint.hpp>
#include <acre/agas/collect.hpp>
#include <acre/agas/collection_section.hpp>
#include <acre/agas/contribute.hpp>
#include <acre/agas/counter_sampler.hpp>
#include <acre/agas/counters.hpp>
#include <acre/agas/create_copy.hpp>
#include <acre/agas/gid.hpp>
#include <acre/agas/imbalance_watch.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/invoke_prioritised.hpp>
#include <acre/agas/invoke_to.hpp>
#include <acre/agas/load_meter.hpp>
#include <acre/agas/location.hpp>
#include <acre/agas/names.hpp>
#include <acre/agas/network_order.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/agas/object_report.hpp>
#include <acre/agas/sparse_collection.hpp>
#include <acre/agas/this_object.hpp>
#include <acre/base/cplusplus.hpp>
#include <acre/base/error.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/quiescence.hpp>
#include <acre/launch/job.hpp>
