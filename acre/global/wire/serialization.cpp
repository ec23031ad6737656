// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/wire/serialization.hpp>

#include <acre/base/error.hpp>
#include <acre/base/type_name.hpp>

#include <string>
#include <typeinfo>

namespace acre::global {
namespace {

constexpr const char* damaged =
    "sender and receiver disagree on the types, or the message is damaged: read the written types "
    "in the same order";

}  // namespace

void throw_truncated(std::size_t needed, std::size_t left) {
  throw error("deserialize",
              "the message is truncated within a value (" + std::to_string(needed) +
                  " bytes required, " + std::to_string(left) + " left)",
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
              "the message has the index " + std::to_string(index) + ", which must be below " +
                  std::to_string(alternatives),
              damaged);
}

void throw_trailing(std::size_t left) {
  throw error("deserialize", std::to_string(left) + " bytes are left after the last value",
              damaged);
}

void throw_too_deep() {
  throw error("deserialize",
              "values are nested deeper than " + std::to_string(reader::max_depth) + " levels",
              "send deep structures as flat vectors; if the structure is shallow, the message is "
              "damaged");
}

void throw_too_deep_to_send() {
  throw error("serialize",
              "values are nested deeper than " + std::to_string(reader::max_depth) + " levels",
              "send deep structures as flat vectors; a structure whose pointers form a cycle "
              "cannot be sent");
}

void throw_misaligned() {
  throw error("deserialize", "a view of this message would be misaligned",
              "align the payload to 8 bytes, as payloads of messages are");
}

void throw_unlisted_class(const std::type_info& type, const std::type_info& base) {
  throw error("serialize",
              "a " + base::readable_name(type) + " cannot be sent as a " +
                  base::readable_name(base) + ": acre_classes does not list it",
              "return a pointer to each class that is sent: std::tuple<circle*, square*> "
              "acre_classes(const shape&)");
}

void throw_valueless() {
  throw error("serialize", "a variant is valueless after an exception",
              "assign a value to the variant before the call");
}

void throw_no_room(std::size_t needed, std::size_t left) {
  throw error("serialize",
              "the buffer is too small for a value (" + std::to_string(needed) +
                  " bytes required, " + std::to_string(left) + " left)",
              "allocate serialized_size(values...) bytes, and do not change a value while it is "
              "sent");
}

}  // namespace acre::global
