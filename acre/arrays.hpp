// SPDX-License-Identifier: BSD-3-Clause
// Includes arrays, algorithms, halos, NumPy and text files, and the global layer (teams, global
// pointers, RPC).
#pragma once

// First: compilers list the headers before an error.
// clang-format off
#include <acre/global/wire/call_flaws.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/team.hpp>
// clang-format on

#include <acre/algorithm/accumulate.hpp>
#include <acre/algorithm/argsort.hpp>
#include <acre/algorithm/compare.hpp>
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/copy_async.hpp>
#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/dot.hpp>
#include <acre/algorithm/elements.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/histogram.hpp>
#include <acre/algorithm/lower_bound.hpp>
#include <acre/algorithm/multiply.hpp>
#include <acre/algorithm/policy.hpp>
#include <acre/algorithm/redistribute.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/reduce_along.hpp>
#include <acre/algorithm/rotate.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/algorithm/sort.hpp>
#include <acre/algorithm/top_k.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/algorithm/transpose.hpp>
#include <acre/algorithm/unique.hpp>
#include <acre/array/array.hpp>
#include <acre/array/coarray.hpp>
#include <acre/array/halo.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/array/list.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_blocks.hpp>
#include <acre/array/matrix_slice.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/array/ragged_array.hpp>
#include <acre/array/shared.hpp>
#include <acre/array/shared_counter.hpp>
#include <acre/array/stencil.hpp>
#include <acre/array/transposed.hpp>
#include <acre/base/cplusplus.hpp>
#include <acre/base/error.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/memory/atomic_ref.hpp>
#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/event.hpp>
#include <acre/global/team/pairwise_barrier.hpp>
#include <acre/launch/job.hpp>
#include <acre/layout/blocked.hpp>
#include <acre/layout/composed.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/layout/distribution.hpp>
#include <acre/layout/hosted.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/layout/properties.hpp>
#include <acre/layout/segments.hpp>
#include <acre/matrix_files/npy/npy.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/global_box.hpp>
#include <acre/view/global_span.hpp>
#include <acre/view/index.hpp>
#include <acre/view/own.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/shifted.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>
#include <acre/view/zipped.hpp>
