// SPDX-License-Identifier: BSD-3-Clause
// Reads a Binsparse file, partitioned equally by entries.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>
#include <acre/matrix_files/binsparse/detail/binsparse_header.hpp>
#include <acre/matrix_files/hdf5/hdf5.hpp>

#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace acre::matrix_files {

struct binsparse_fault {
  std::uint64_t at;
  std::string problem;
  std::string advice;
};

/// Binsparse's name of T: "int32"; "bint8" for bool.
template <class T>
[[nodiscard]] std::string binsparse_type_of() {
  if constexpr (std::is_empty_v<T>) {
    return "uint8";
  } else if constexpr (std::same_as<T, bool>) {
    return "bint8";
  } else {
    const std::string bits = std::to_string(8 * sizeof(T));
    return (std::floating_point<T> ? "float" : std::is_signed_v<T> ? "int" : "uint") + bits;
  }
}

/// True if P holds all values of `type`.
template <class P>
[[nodiscard]] bool holds_binsparse(const std::string& type) {
  const bool is_real = type.starts_with("float");
  if (type == "bint8") return true;
  if (std::same_as<P, bool> || (is_real && !std::floating_point<P>)) return false;
  const int bits = std::stoi(type.substr(type.find_first_of("123456789")));
  if (is_real) return bits <= static_cast<int>(8 * sizeof(P));
  const bool has_sign = type.starts_with("int");
  if (has_sign && !std::is_signed_v<P>) return false;
  return bits - (has_sign ? 1 : 0) <= std::numeric_limits<P>::digits;
}

template <class P>
[[nodiscard]] bool holds_value(long double value) {
  if constexpr (std::floating_point<P>) {
    return !std::isfinite(value) || (std::fabs(value) <= std::numeric_limits<P>::max() &&
                                     static_cast<long double>(static_cast<P>(value)) == value);
  } else {
    return value >= static_cast<long double>(std::numeric_limits<P>::min()) &&
           value <= static_cast<long double>(std::numeric_limits<P>::max()) &&
           std::trunc(value) == value;
  }
}

/// Calls are collective except header(), rows(), columns(); errors are thrown on all members.
class binsparse_input {
 public:
  /// Cost: 2 broadcasts, and reading a fill value.
  /// @throws acre::error when description and datasets are inconsistent, or absent entries are not
  /// 0
  binsparse_input(const team& members, const std::string& path, const std::string& group,
                  const site& where);

  [[nodiscard]] const binsparse_header& header() const noexcept { return header_; }

  /// @throws acre::error when T cannot hold the values
  template <class T>
  void check_type() const {
    using part = typename base::part_of_number<T>::type;
    if constexpr (!std::is_empty_v<T>) {
      if (header_.is_complex && !base::is_complex<T>) throw_other_type();
      if (!header_.is_iso && !holds_binsparse<part>(header_.values)) throw_other_type();
      if (header_.symmetry == binsparse_symmetry::skew && std::is_unsigned_v<part>) {
        throw_other_type();
      }
    }
  }

  /// Reads positions of local entries. Cost: some 20 allgathers, and 1 alltoallv if compressed;
  /// memory: 16 bytes per entry.
  void read_places();
  [[nodiscard]] std::span<const std::uint64_t> rows() const noexcept {
    return header_.is_by_columns() ? minors_ : majors_;
  }
  [[nodiscard]] std::span<const std::uint64_t> columns() const noexcept {
    return header_.is_by_columns() ? majors_ : minors_;
  }

  /// Calls f(row, column, value) for local and mirrored entries, after all checks.
  template <class T, class F>
  void each_entry(F&& f) {
    read_places();
    std::vector<T> values;
    read_values(values);
    check_symmetry(values);
    together("values", [&] {
      for (std::size_t i = 0; i < minors_.size(); ++i) {
        const std::uint64_t row = rows()[i];
        const std::uint64_t column = columns()[i];
        const T value = of(values, i);
        f(row, column, value);
        if (header_.half != binsparse_half::all && row != column) f(column, row, turned(value));
      }
    });
  }

  [[nodiscard]] std::vector<std::uint32_t> numbers(const std::string& name);

 private:
  template <class T>
  static T of(const std::vector<T>& values, std::size_t i) {
    if constexpr (std::is_empty_v<T>) {
      return T{};
    } else {
      return values[values.size() == 1 ? 0 : i];
    }
  }
  template <class T>
  [[nodiscard]] T turned(const T& value) const {
    if constexpr (std::is_empty_v<T>) {
      return value;
    } else if constexpr (std::is_unsigned_v<T>) {
      return value;  // check_type() excludes skew
    } else {
      if (header_.symmetry == binsparse_symmetry::skew) return static_cast<T>(-value);
      return header_.symmetry == binsparse_symmetry::hermitian ? base::conjugate(value) : value;
    }
  }

  template <class T>
  void read_values(std::vector<T>& values) {
    using part = typename base::part_of_number<T>::type;
    if constexpr (!std::is_empty_v<T>) {
      const std::size_t parts = header_.is_complex ? 2 : 1;
      if (header_.is_iso && header_.entries != 0) {
        values.push_back(one_value<T>());
      } else if (header_.values == "bint8") {
        std::vector<std::int16_t> bytes;
        read_numbers(bytes, values, parts);
        for (std::size_t i = 0; i < bytes.size(); ++i) values[i] = T(bytes[i] != 0 ? 1 : 0);
      } else if constexpr (!std::same_as<T, bool>) {
        std::vector<part> numbers;
        read_numbers(numbers, values, parts);
        for (std::size_t i = 0; i < values.size(); ++i) {
          if constexpr (base::is_complex<T>) {
            values[i] = parts == 2 ? T(numbers[2 * i], numbers[2 * i + 1]) : T(numbers[i]);
          } else {
            values[i] = numbers[i];
          }
        }
      }
    }
  }
  template <class Number, class T>
  void read_numbers(std::vector<Number>& numbers, std::vector<T>& values, std::size_t parts) {
    together("values", [&] {
      numbers.resize(parts * minors_.size());
      values.resize(minors_.size());
    });
    read("values", parts * first_, hdf5_type_of<Number>(),
         std::as_writable_bytes(std::span(numbers)));
  }
  /// @throws acre::error when T cannot hold it
  template <class T>
  [[nodiscard]] T one_value() {
    using part = typename base::part_of_number<T>::type;
    const std::complex<long double> value = read_one("values");
    const auto real = static_cast<part>(0);
    if (header_.values == "bint8") return T(value.real() != 0 ? 1 : real);
    if (!holds_value<part>(value.real()) || !holds_value<part>(value.imag())) throw_other_type();
    if constexpr (base::is_complex<T>) {
      return {static_cast<part>(value.real()), static_cast<part>(value.imag())};
    } else {
      return static_cast<T>(value.real());
    }
  }

  template <class T>
  void check_symmetry(const std::vector<T>& values) {
    if (header_.half == binsparse_half::all) return;
    together("values", [&] {
      for (std::size_t i = 0; i < minors_.size(); ++i) {
        check_negative(of(values, i), i);
        const bool is_diagonal = minors_[i] == majors_[i];
        const bool is_equal = turned(of(values, i)) == of(values, i);
        if (is_diagonal && !is_equal && !is_nan(of(values, i))) {
          throw binsparse_fault{first_ + i,
                                header_.symmetry == binsparse_symmetry::skew
                                    ? "is not 0, on the diagonal of a skew-symmetric matrix"
                                    : "is not real, on the diagonal of a hermitian matrix",
                                "the file may be damaged"};
        }
      }
    });
  }
  template <class T>
  static bool is_nan(const T& value) {
    return !(value == value);
  }
  /// The least integer cannot be negated.
  template <class T>
  void check_negative(const T& value, std::size_t i) const {
    if constexpr (std::signed_integral<T>) {
      if (header_.symmetry != binsparse_symmetry::skew) return;
      if (value != std::numeric_limits<T>::min()) return;
      throw binsparse_fault{first_ + i, "has a negative that the requested type cannot hold",
                            "load it with a larger type"};
    }
  }

  [[noreturn]] void throw_other_type() const;
  [[nodiscard]] std::string path_of(const std::string& name) const;
  /// @throws acre::error for another number of elements, or another type unless `type` is empty
  void check_dataset(const std::string& name, const std::string& type, std::uint64_t elements);
  /// Calls part() on all members; all throw the first fault. Cost: 1 allreduce + 1 allgather.
  void together(const std::string& name, const std::function<void()>& part);
  void read(const std::string& name, std::uint64_t first, const hdf5_type& type,
            std::span<std::byte> to);
  [[nodiscard]] std::complex<long double> read_one(const std::string& name);
  [[nodiscard]] std::vector<std::uint64_t> read_indices(const std::string& name,
                                                        const std::string& type,
                                                        std::uint64_t first, std::uint64_t count);
  void check_indices(const std::string& name, const std::vector<std::uint64_t>& indices,
                     std::uint64_t first, std::uint64_t end, const char* of);
  void unpack_pointers();
  void check_half();

  team members_;
  std::string path_;
  std::string group_;
  site where_;
  binsparse_header header_;
  std::uint64_t pointed_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> majors_;
  std::vector<std::uint64_t> minors_;
};

}  // namespace acre::matrix_files
