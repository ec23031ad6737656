// SPDX-License-Identifier: BSD-3-Clause
// Includes sorted maps, priority queues and deques.
#pragma once

#include <acre/container/deque/deque.hpp>
#include <acre/container/priority/priority_queue.hpp>
#include <acre/container/sorted/sorted_map.hpp>
