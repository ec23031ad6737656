// SPDX-License-Identifier: BSD-3-Clause
// Includes distributed strings, their algorithms and files.
#pragma once

#include <acre/algorithm/elements.hpp>
#include <acre/algorithm/search_text.hpp>
#include <acre/algorithm/sort_text.hpp>
#include <acre/array/text_array.hpp>
#include <acre/array/text_checkpoint.hpp>
#include <acre/matrix_files/csv/lines.hpp>
