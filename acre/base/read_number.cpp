// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/read_number.hpp>

#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace acre::base {
namespace {

double convert(const char* text, char** stop, locale_t locale, double) {
  return ::strtod_l(text, stop, locale);
}
float convert(const char* text, char** stop, locale_t locale, float) {
  return ::strtof_l(text, stop, locale);
}
long double convert(const char* text, char** stop, locale_t locale, long double) {
  return ::strtold_l(text, stop, locale);
}

}  // namespace

template <std::floating_point Real>
std::from_chars_result read_real(const char* begin, const char* end, Real& value) noexcept {
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  // Neither spaces nor hexadecimal digits, which strtod would accept.
  constexpr std::string_view letters = "+-.0123456789eEaAfFiInNtTyY";
  const std::string number(text.substr(0, text.find_first_not_of(letters)));
  if (number.starts_with('+')) return {begin, std::errc::invalid_argument};
  char* stop = nullptr;
  errno = 0;
  const Real read = convert(number.c_str(), &stop, plain, Real{});
  const std::ptrdiff_t length = stop - number.c_str();
  if (length == 0) return {begin, std::errc::invalid_argument};
  const bool is_out_of_range = errno == ERANGE && (std::isinf(read) || read == 0);
  if (is_out_of_range) return {begin + length, std::errc::result_out_of_range};
  value = read;
  return {begin + length, std::errc()};
}

template std::from_chars_result read_real(const char*, const char*, float&) noexcept;
template std::from_chars_result read_real(const char*, const char*, double&) noexcept;
template std::from_chars_result read_real(const char*, const char*, long double&) noexcept;

}  // namespace acre::base
