// SPDX-License-Identifier: BSD-3-Clause
// What block matrices are made of, for sources that compile templates for all of it.
#pragma once

#include <complex>

/// INSTANTIATE(T) per element type.
#define ACRE_FOR_BLOCK_ELEMENTS(INSTANTIATE) \
  INSTANTIATE(float)                         \
  INSTANTIATE(double)                        \
  INSTANTIATE(std::complex<float>)           \
  INSTANTIATE(std::complex<double>)
