#include <acre/array/detail/array_memory.hpp>

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>

#include <string>

namespace acre::detail {

void throw_out_of_range(const char* name, const char* call, std::size_t index, std::size_t size,
                        const site& where) {
  const bool negative = static_cast<std::ptrdiff_t>(index) < 0;
  throw error(std::string(name) + "::" + call,
              "there is no element " + std::to_string(index) + " (size " + std::to_string(size) +
                  ")" + describe_place(where),
              negative ? "the index was computed to be less than 0" : "");
}

}  // namespace acre::detail
