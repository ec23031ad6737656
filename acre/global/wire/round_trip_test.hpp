// SPDX-License-Identifier: BSD-3-Clause
// Serialises and deserialises a value.
#pragma once

#include <acre/global/wire/serialization.hpp>

#include <gtest/gtest.h>

namespace acre::wire_test {

template <class T>
[[nodiscard]] T round_trip(const T& value) {
  const auto bytes = serialize(value);
  EXPECT_EQ(bytes.size(), serialized_size(value));
  return deserialize<T>(bytes);
}

}  // namespace acre::wire_test
