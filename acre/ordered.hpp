// SPDX-License-Identifier: BSD-3-Clause
// Includes sorted maps and priority queues.
#pragma once

#include <acre/container/priority/priority_queue.hpp>
#include <acre/container/sorted/sorted_map.hpp>
