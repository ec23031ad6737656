// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/wire/serialization.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::global {
namespace {

constexpr const char* damaged =
    "sender and receiver disagree on the types, or the message is damaged: read what was written, "
    "in the same order";

}  // namespace

void throw_truncated(std::size_t needed, std::size_t left) {
  throw error("deserialize",
              "the message ends in the middle of a value (" + std::to_string(needed) +
                  " bytes wanted, " + std::to_string(left) + " left)",
              damaged);
}

void throw_absurd_count(std::uint64_t count, std::size_t left) {
  throw error("deserialize",
              "the message announces " + std::to_string(count) + " elements, more than its " +
                  std::to_string(left) + " remaining bytes can hold",
              damaged);
}

void throw_bad_index(std::size_t index, std::size_t alternatives) {
  throw error("deserialize",
              "the message has " + std::to_string(index) + " where a number below " +
                  std::to_string(alternatives) + " belongs",
              damaged);
}

void throw_trailing(std::size_t left) {
  throw error("deserialize", std::to_string(left) + " bytes are left after the last value",
              damaged);
}

void throw_too_deep() {
  throw error("deserialize",
              "values are nested more than " + std::to_string(reader::max_depth) + " deep",
              "send deep structures as flat vectors; if this one is not deep, the message is "
              "damaged");
}

void throw_too_deep_to_send() {
  throw error("serialize",
              "values are nested more than " + std::to_string(reader::max_depth) + " deep",
              "send deep structures as flat vectors; what a pointer leads back to itself would "
              "never end");
}

void throw_misaligned() {
  throw error("deserialize", "a view of this message would be misaligned",
              "read views from payloads that begin at a multiple of 8, as those of messages do");
}

void throw_valueless() {
  throw error("serialize", "a variant is valueless after an exception",
              "give the variant a value before it is sent");
}

void throw_no_room(std::size_t needed, std::size_t left) {
  throw error("serialize",
              "no room for a value (" + std::to_string(needed) + " bytes wanted, " +
                  std::to_string(left) + " left)",
              "do not change a value while it is being sent, and make buffers of "
              "serialized_size(values...) bytes");
}

}  // namespace acre::global
