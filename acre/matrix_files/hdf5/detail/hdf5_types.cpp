// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/hdf5/detail/hdf5_types.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <hdf5.h>
#include <type_traits>
#include <utility>

namespace acre::matrix_files::hdf5 {
namespace {

static_assert(std::is_same_v<hid_t, handle::id> && std::is_same_v<herr_t, int>);

handle::id native(const hdf5_number& number) {
  const auto of = [&](handle::id one, handle::id two, handle::id four, handle::id eight) {
    return number.bytes == 1 ? one : number.bytes == 2 ? two : number.bytes == 4 ? four : eight;
  };
  switch (number.kind) {
    case hdf5_kind::integer:
      return of(H5T_NATIVE_INT8, H5T_NATIVE_INT16, H5T_NATIVE_INT32, H5T_NATIVE_INT64);
    case hdf5_kind::natural:
      return of(H5T_NATIVE_UINT8, H5T_NATIVE_UINT16, H5T_NATIVE_UINT32, H5T_NATIVE_UINT64);
    case hdf5_kind::real:
      return number.bytes == 4   ? H5T_NATIVE_FLOAT
             : number.bytes == 8 ? H5T_NATIVE_DOUBLE
                                 : H5T_NATIVE_LDOUBLE;
    case hdf5_kind::boolean:
      break;
  }
  return H5T_NATIVE_INT8;
}

handle boolean() {
  handle made(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  for (const auto& [name, value] : {std::pair("FALSE", std::int8_t{0}), {"TRUE", std::int8_t{1}}}) {
    H5Tenum_insert(made.number(), name, &value);
  }
  return made;
}
handle make_number(const hdf5_number& number) {
  if (number.kind == hdf5_kind::boolean) return boolean();
  return {H5Tcopy(native(number)), H5Tclose};
}

std::string member_name(handle::id type, unsigned index) {
  char* name = H5Tget_member_name(type, index);
  std::string copied(name == nullptr ? "" : name);
  H5free_memory(name);
  return copied;
}
handle member_type(handle::id type, unsigned index) {
  return {H5Tget_member_type(type, index), H5Tclose};
}
bool is_boolean(handle::id type) {
  return H5Tget_nmembers(type) == 2 && member_name(type, 0) == "FALSE" &&
         member_name(type, 1) == "TRUE";
}

std::string record_text(handle::id type) {
  const auto members = static_cast<unsigned>(std::max(H5Tget_nmembers(type), 0));
  if (members == 2 && member_name(type, 0) == "r" && member_name(type, 1) == "i") {
    const handle part = member_type(type, 0);
    if (H5Tget_class(part.number()) == H5T_FLOAT) {
      return "complex" + std::to_string(16 * H5Tget_size(part.number()));
    }
  }
  std::string text;
  for (unsigned each = 0; each < members; ++each) {
    text += (each == 0 ? "{" : ", ") + member_name(type, each) + ": " +
            type_text(member_type(type, each).number());
  }
  return text + "}";
}

/// Bits of integers represented exactly.
std::size_t digits(const hdf5_number& number) {
  switch (number.kind) {
    case hdf5_kind::integer:
      return 8 * number.bytes - 1;
    case hdf5_kind::natural:
      return 8 * number.bytes;
    case hdf5_kind::real:
      return number.bytes == 4 ? 24 : number.bytes == 8 ? 53 : 64;
    case hdf5_kind::boolean:
      break;
  }
  return 0;
}

bool holds_all(const hdf5_number& number, handle::id in_file) {
  if (number.kind == hdf5_kind::boolean) {
    return H5Tget_class(in_file) == H5T_ENUM && is_boolean(in_file) && H5Tget_size(in_file) == 1;
  }
  if (H5Tget_class(in_file) == H5T_INTEGER) {
    const bool is_signed = H5Tget_sign(in_file) != H5T_SGN_NONE;
    if (is_signed && number.kind == hdf5_kind::natural) return false;
    return H5Tget_precision(in_file) - (is_signed ? 1 : 0) <= digits(number);
  }
  if (H5Tget_class(in_file) == H5T_FLOAT) {
    const std::size_t bits = number.bytes > 8 ? 80 : 8 * number.bytes;
    return number.kind == hdf5_kind::real && H5Tget_precision(in_file) <= bits;
  }
  return false;
}

}  // namespace

handle make_type(const hdf5_type& type) {
  if (*type.numbers.front().name == '\0') return make_number(type.numbers.front());
  handle made(H5Tcreate(H5T_COMPOUND, type.bytes), H5Tclose);
  for (const hdf5_number& each : type.numbers) {
    H5Tinsert(made.number(), each.name, each.offset, make_number(each).number());
  }
  return made;
}

std::string type_text(handle::id type) {
  const std::string bits = std::to_string(8 * H5Tget_size(type));
  const std::string order =
      H5Tget_size(type) > 1 && H5Tget_order(type) == H5T_ORDER_BE ? " (big-endian)" : "";
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits + order;
    case H5T_FLOAT:
      return "float" + bits + order;
    case H5T_ENUM:
      return is_boolean(type) ? "bool" : "an enumeration";
    case H5T_COMPOUND:
      return record_text(type);
    case H5T_STRING:
      return "text";
    case H5T_ARRAY:
      return "arrays";
    case H5T_VLEN:
      return "lists";
    case H5T_REFERENCE:
      return "references";
    default:
      return "opaque bytes";
  }
}

bool holds_all(const hdf5_type& type, handle::id in_file) {
  if (*type.numbers.front().name == '\0') return holds_all(type.numbers.front(), in_file);
  return H5Tget_class(in_file) == H5T_COMPOUND &&
         std::ranges::all_of(type.numbers, [&](const hdf5_number& each) {
           const int index = H5Tget_member_index(in_file, each.name);
           return index >= 0 &&
                  holds_all(each, member_type(in_file, static_cast<unsigned>(index)).number());
         });
}

}  // namespace acre::matrix_files::hdf5
