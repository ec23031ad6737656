#include <acre/array/detail/array_elements.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::detail {

void throw_no_array(const char* maker) {
  const std::string text = maker;
  throw error(text.substr(0, text.find('{')), "there is no array: it was moved away, or never made",
              "make one with " + text);
}

void throw_out_of_range(const char* call, std::size_t index, std::size_t size,
                        const std::source_location& where) {
  const bool negative = static_cast<std::ptrdiff_t>(index) < 0;
  throw error(call,
              "there is no element " + std::to_string(index) + " (size " + std::to_string(size) +
                  ")" + describe_place(where),
              negative ? "the index was computed to be less than 0" : "");
}

}  // namespace acre::detail
