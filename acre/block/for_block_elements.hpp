// SPDX-License-Identifier: BSD-3-Clause
// Instantiates templates for all element types of block matrices.
#pragma once

#include <complex>

/// Expands INSTANTIATE(T) for each element type.
#define ACRE_FOR_BLOCK_ELEMENTS(INSTANTIATE) \
  INSTANTIATE(float)                         \
  INSTANTIATE(double)                        \
  INSTANTIATE(std::complex<float>)           \
  INSTANTIATE(std::complex<double>)
