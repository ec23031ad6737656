// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/object_space.hpp>

namespace acre::agas {

constinit lasting_object_space this_ranks_objects;

}  // namespace acre::agas
