// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/for_each.hpp>
#include <acre/array/coarray.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/matrix_files/npy/npy.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>
#include <acre/view/zipped.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace acre::files_test;

TEST(NpySmoke, WhatIsStoredIsReadAgainWithAnyPattern) {
  const folder here;
  with_tables([&](auto& m) {
    acre::generate_with_index(m, number);
    acre::store_npy(here / "m.npy", m);
    EXPECT_EQ(here.files(), 1U);
    auto again = acre::load_npy<std::int32_t, 2>(acre::world(), here / "m.npy");
    EXPECT_EQ(again.extents(), m.extents());
    expect_numbers(again);
    acre::fill(m, 0);
    acre::load_npy(here / "m.npy", m);
    expect_numbers(m);
  });
}

TEST(Npy, IsWhatNumpyWrites) {
  const folder here;
  acre::array<double> a(acre::world(), 3, 0.5);
  acre::store_npy(here / "a.npy", a);
  const std::string file = read_file(here / "a.npy");
  EXPECT_EQ(file.size(), 128U + 3 * sizeof(double));
  EXPECT_EQ(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(file.substr(10, 60), "{'descr': '<f8', 'fortran_order': False, 'shape': (3, ), }  ");
  EXPECT_EQ(file[127], '\n');
  acre::barrier();
}

TEST(Npy, HasTheTypesThatNumpyHas) {
  static_assert(acre::numpy_type<bool> && acre::numpy_type<char> &&
                acre::numpy_type<std::uint64_t>);
  static_assert(acre::numpy_type<std::complex<double>> && !acre::numpy_type<std::string>);
  const folder here;
  acre::matrix<std::complex<float>, 3> m(acre::world(), {2, 3, 4}, {1.5F, -2});
  acre::store_npy(here / "c.npy", m);
  const auto again = acre::load_npy<std::complex<float>, 3>(acre::world(), here / "c.npy");
  for (const std::complex<float> each : again) EXPECT_EQ(each, std::complex<float>(1.5F, -2));
  acre::barrier();
}

TEST(Npy, TakesPartsOfMatricesAndTeams) {
  const folder here;
  acre::matrix<std::int32_t, 2> m(acre::world(), {6, 6}, -1);
  const auto inner = acre::sub(m, {.first = {1, 2}, .extents = {4, 3}});
  acre::generate_with_index(inner, number);
  acre::store_npy(here / "inner.npy", inner);
  acre::fill(m, 0);
  acre::load_npy(here / "inner.npy", inner);
  expect_numbers(inner);
  const acre::team part = acre::world().split(acre::rank() == 0 ? 0 : 1);
  auto read = acre::load_npy<std::int32_t, 2>(part, here / "inner.npy");
  expect_numbers(read);
}

TEST(Npy, RefusesOtherFilesOnAllRanks) {
  const folder here;
  acre::matrix<double, 2> m(acre::world(), {4, 3}, 1);
  const std::string path = here / "x.npy";
  const auto error_for = [&](const std::string& content) {
    write_file(path, content);
    const std::string said = error_of([&] { acre::load_npy(path, m); });
    acre::barrier();
    return said;
  };
  expect_error(error_of([&] { acre::load_npy(here / "none.npy", m); }), "No such file");
  expect_error(error_for(""), "it does not begin with the magic string");
  expect_error(error_for("\x93NUMPY\x01"), "it does not begin with the magic string");
  expect_error(error_for(std::string("\x93NUMPY\x01\x00\x76\x00{'descr'", 18)),
               "it ends within its header");
  expect_error(error_for(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)), "1 MiB");
  acre::store_npy(path, m);
  const std::string whole = read_file(path);
  acre::barrier();
  expect_error(error_for(whole.substr(0, whole.size() - 1)), "ends before its last element: 223");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = whole;
    return error_for(changed.replace(changed.find(from), from.size(), to));
  };
  expect_error(with("<f8", "<c8"), "NumPy's type <c8, but the requested type <f8 does not hold");
  expect_error(with("<f8", "<U2"), "NumPy's type <U2, which is unsupported");
  expect_error(with("<f8", "<f9"), "NumPy's type <f9");
  expect_error(with("<f8", "M8["), "NumPy's type M8[");
  expect_error(with("False", "None "), "lacks a valid fortran_order");
  std::string later = whole;
  later[6] = '\4';
  expect_error(error_for(later), "version 4 of the format");
  expect_error(with("(4, 3)", "(3, 4)"), "has 3 x 4 elements, but the range has 4 x 3");
  expect_error(with("(4, 3)", "(12, )"), "has 1 dimensions");
  expect_error(with("(4, 3)", "(4, -)"), "its shape is not a list of numbers");
  expect_error(with("'<f8'", "[1,2]"), "its elements are records");
}

TEST(Npy, ReadsLaterVersionsOfTheFormat) {
  const folder here;
  const std::string path = here / "later.npy";
  acre::array<std::int32_t> a(acre::world(), 5, 3);
  acre::store_npy(path, a);
  std::string file = read_file(path);
  acre::barrier();
  for (const char version : {'\2', '\3'}) {
    std::string later = file;
    later[6] = version;
    later.insert(10, 2, '\0');
    write_file(path, later);
    acre::fill(a, 0);
    acre::load_npy(path, a);
    for (const std::int32_t each : a) EXPECT_EQ(each, 3);
    acre::barrier();
  }
}

template <class T>
std::string npy_file_with(const std::string& type, bool is_by_columns, const std::string& shape,
                          const std::vector<T>& values) {
  std::string header = "{'descr': '" + type +
                       "', 'fortran_order': " + (is_by_columns ? "True" : "False") +
                       ", 'shape': (" + shape + "), }";
  header.resize(117, ' ');
  std::string file("\x93NUMPY\x01\x00\x76\x00", 10);
  file += header + "\n";
  for (const T& value : values) {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    const std::size_t part = type[1] == 'c' ? bytes.size() / 2 : bytes.size();
    for (std::size_t at = 0; type[0] == '>' && at < bytes.size(); at += part) {
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                   bytes.begin() + static_cast<std::ptrdiff_t>(at + part));
    }
    file += bytes;
  }
  return file;
}

template <class To, class From>
void expect_read(const folder& here, const std::string& type, const std::vector<From>& values,
                 const std::vector<To>& expected) {
  SCOPED_TRACE(type);
  write_file(here / "x.npy",
             npy_file_with(type, false, std::to_string(values.size()) + ",", values));
  const auto read = acre::load_npy<To, 1>(acre::world(), here / "x.npy");
  ASSERT_EQ(read.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(To(read(i)), expected[i]);
  acre::barrier();
}
template <class To, class From>
void expect_refused(const folder& here, const std::string& type, const std::vector<From>& values,
                    const std::string& text) {
  SCOPED_TRACE(type);
  write_file(here / "x.npy",
             npy_file_with(type, false, std::to_string(values.size()) + ",", values));
  const std::string said =
      error_of([&] { static_cast<void>(acre::load_npy<To, 1>(acre::world(), here / "x.npy")); });
  // Only the reading member sees misfits.
  const int found = acre::world().allreduce(said.find(text) != std::string::npos ? 1 : 0);
  EXPECT_TRUE(found == static_cast<int>(acre::size()) || (found > 0 && said != "no error")) << said;
  acre::barrier();
}

TEST(Npy, ElementsOfOtherTypesAreConvertedWhereNothingIsLost) {
  const folder here;
  using complex = std::complex<double>;
  using small_complex = std::complex<float>;
  expect_read<double, float>(here, "<f4", {0.5F, -3, 1e30F}, {0.5, -3, double(1e30F)});
  expect_read<double, float>(here, ">f4", {0.5F, -3}, {0.5, -3});
  expect_read<double, double>(here, ">f8", {0.1, -3}, {0.1, -3});
  expect_read<float, std::uint16_t>(here, "<f2", {0x3c00, 0xc100, 0x0001, 0x7bff},
                                    {1, -2.5F, 0x1p-24F, 65504});
  expect_read<std::int64_t, std::int8_t>(here, "|i1", {-1, 127}, {-1, 127});
  expect_read<std::int32_t, std::int64_t>(here, ">i8", {-7, 2147483647}, {-7, 2147483647});
  expect_read<std::uint8_t, std::int16_t>(here, "<i2", {0, 255}, {0, 255});
  expect_read<double, std::int64_t>(here, "<i8", {-7, std::int64_t{1} << 60}, {-7, 0x1p60});
  expect_read<double, std::uint64_t>(here, "<u8", {7, std::uint64_t{1} << 63}, {7, 0x1p63});
  expect_read<std::int32_t, bool>(here, "|b1", {true, false}, {1, 0});
  expect_read<double, bool>(here, "|b1", {true, false}, {1, 0});
  expect_read<bool, std::uint8_t>(here, "|b1", {1, 0, 2}, {true, false, true});
  expect_read<complex, small_complex>(here, ">c8", {{1, -2}, {0.5F, 3}}, {{1, -2}, {0.5, 3}});
  expect_read<complex, complex>(here, ">c16", {{1, -2}, {0.1, 3}}, {{1, -2}, {0.1, 3}});
  expect_read<small_complex, float>(here, "<f4", {1, -2}, {1, -2});
  expect_read<complex, std::int32_t>(here, "<i4", {1, -2}, {1, -2});
  std::string quoted = npy_file_with<double>("<f8", false, "2,", {0.1, 2});
  std::ranges::replace(quoted, '\'', '"');
  write_file(here / "x.npy", quoted);
  EXPECT_EQ((acre::load_npy<double, 1>(acre::world(), here / "x.npy")(1)), 2);
  acre::barrier();
}

TEST(Npy, ElementsThatLoseSomethingAreRefused) {
  const folder here;
  using complex = std::complex<double>;
  const std::string by_type = "does not hold all of their values";
  expect_refused<float, double>(here, "<f8", {1}, by_type);
  expect_refused<int, float>(here, "<f4", {1}, by_type);
  expect_refused<double, complex>(here, "<c16", {1}, by_type);
  expect_refused<std::complex<float>, double>(here, "<f8", {1}, by_type);
  expect_refused<bool, int>(here, "<i4", {1}, by_type);
  expect_refused<std::int32_t, std::int64_t>(here, "<i8", {1, std::int64_t{1} << 31},
                                             "2147483648 of element 1");
  expect_refused<std::uint32_t, std::int32_t>(here, "<i4", {1, 2, -1}, "-1 of element 2");
  expect_refused<double, std::int64_t>(here, "<i8", {(std::int64_t{1} << 53) + 1},
                                       "9007199254740993 of element 0");
  expect_refused<double, std::uint64_t>(here, "<u8", {~std::uint64_t{0}},
                                        "18446744073709551615 of element 0");
  expect_refused<float, std::int64_t>(here, "<i8", {~(std::int64_t{1} << 63)}, "of element 0");
}

TEST(Npy, ElementsMayLieByColumns) {
  const folder here;
  const std::string path = here / "columns.npy";
  for (const std::size_t columns : {std::size_t{1}, std::size_t{5}, std::size_t{300}}) {
    constexpr std::size_t rows = 7;
    std::vector<std::int16_t> values(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        values[j * rows + i] = static_cast<std::int16_t>(number(i * columns + j));
      }
    }
    for (const char* const type : {"<i2", ">i2"}) {
      write_file(path, npy_file_with(type, true, "7L, " + std::to_string(columns), values));
      auto read = acre::load_npy<std::int32_t, 2>(acre::world(), path);
      expect_numbers(read);
      auto tiles = acre::make_matrix<std::int32_t>(
          acre::world(),
          acre::make_pattern<acre::use_case::transpose>({rows, columns}, acre::size()));
      acre::load_npy(path, tiles);
      expect_numbers(tiles);
    }
  }
  std::vector<std::int32_t> values(2 * 3 * 4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i / 12 + i / 4 % 3 * 2 + i % 4 * 6] = number(i);
  }
  write_file(path, npy_file_with("<i4", true, "2, 3, 4", values));
  auto read = acre::load_npy<std::int32_t, 3>(acre::world(), path);
  expect_numbers(read);
}

TEST(Npy, ViewsAreStoredAsWhatTheyCompute) {
  const folder here;
  const std::string path = here / "view.npy";
  acre::matrix<std::int32_t, 2> m(acre::world(), {6, 5});
  acre::generate_with_index(m, [](std::size_t i) { return number(i) * 2; });
  acre::store_npy(path, m | acre::views::transform([](std::int32_t x) { return x / 2; }));
  auto halves = acre::load_npy<std::int32_t, 2>(acre::world(), path);
  EXPECT_EQ(halves.extent(1), 5U);
  expect_numbers(halves);
  acre::store_npy(path, acre::whole(m) | acre::views::transform([](std::int32_t x) {
                          return static_cast<double>(x) / 2;
                        }));
  EXPECT_EQ(double(acre::load_npy<double, 2>(acre::world(), path)(0, 0)), -7);
  acre::store_npy(path, m | acre::views::strided(2));
  const auto each_second = acre::load_npy<std::int32_t, 1>(acre::world(), path);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(int(each_second(i)), 2 * number(2 * i));
  acre::barrier();
  acre::store_npy(path, acre::views::zip(m, m) | acre::views::transform([](const auto& pair) {
                          return std::get<0>(pair) + std::get<1>(pair);
                        }));
  EXPECT_EQ(int(acre::load_npy<std::int32_t, 1>(acre::world(), path)(1)), 4 * number(1));
  acre::barrier();
}

TEST(Npy, CoarraysHaveTheExtentsOfImagesAndOfOne) {
  const folder here;
  const std::string path = here / "images.npy";
  acre::coarray<std::int32_t[3][2]> images(acre::world());
  acre::generate_with_index(images, number);
  acre::store_npy(path, images);
  auto read = acre::load_npy<std::int32_t, 3>(acre::world(), path);
  EXPECT_EQ(read.extents(), (acre::layout::coordinates<3>{acre::size(), 3, 2}));
  expect_numbers(read);
  acre::fill(images, 0);
  acre::load_npy(path, images);
  expect_numbers(images);
  acre::coarray<double[][2]> sized(acre::world(), 4, 1.5);
  acre::store_npy(path, sized);
  EXPECT_EQ((acre::load_npy<double, 3>(acre::world(), path).extents()),
            (acre::layout::coordinates<3>{acre::size(), 4, 2}));
  acre::coarray<double> single(acre::world(), 2);
  acre::store_npy(path, single);
  EXPECT_EQ((acre::load_npy<double, 1>(acre::world(), path).size()), acre::size());
}

TEST(Npy, ADiskThatIsFullLeavesTheOldFile) {
  const folder here;
  const std::string path = here / "a.npy";
  acre::array<std::int32_t> a(acre::world(), 5000, 3);
  acre::store_npy(path, a);
  const std::string before = read_file(path);
  acre::barrier();
  for (const bool is_known_before : {true, false}) {
    std::optional<full_disk> full;
    if (acre::rank() == (is_known_before ? 0 : acre::size() - 1)) full.emplace(15000);
    expect_error(error_of([&] { acre::store_npy(path, a); }), "File too large");
    full.reset();
    EXPECT_EQ(here.files(), 1U);
    EXPECT_EQ(read_file(path), before);
    acre::barrier();
  }
}

TEST(Npy, IsWrittenToWhereASymbolicLinkLeads) {
  const folder here;
  const acre::array<std::int32_t> a(acre::world(), 10, 3);
  if (acre::rank() == 0) {
    std::filesystem::create_directory(here / "disk");
    std::filesystem::create_symlink("disk/real.npy", here / "link.npy");
    std::filesystem::create_symlink(here / "link.npy", here / "link_of_link.npy");
    std::filesystem::create_symlink("round.npy", here / "round.npy");
  }
  acre::barrier();
  for (const char* const name : {"link.npy", "link_of_link.npy"}) {
    acre::store_npy(here / name, a);
    EXPECT_TRUE(std::filesystem::is_symlink(here / name));
    EXPECT_TRUE(std::filesystem::is_regular_file(here / "disk/real.npy"));
    EXPECT_EQ(here.files(), 4U);
    acre::barrier();
  }
  expect_error(error_of([&] { acre::store_npy(here / "round.npy", a); }), "symbolic links");
}

TEST(Npy, AFileHasTheRightsOfTheOneThatItReplaces) {
  const folder here;
  const std::string path = here / "a.npy";
  const acre::array<std::int32_t> a(acre::world(), 10, 3);
  using std::filesystem::perms;
  const mode_t before = ::umask(0077);
  acre::store_npy(path, a);
  EXPECT_EQ(std::filesystem::status(path).permissions(), perms{0600});
  acre::barrier();
  if (acre::rank() == 0) std::filesystem::permissions(path, perms{0664});
  acre::store_npy(path, a);
  EXPECT_EQ(std::filesystem::status(path).permissions(), perms{0664});
  ::umask(before);
  acre::barrier();
}

TEST(Npy, OnlyPlainFilesAreWrittenAndRead) {
  const folder here;
  acre::array<std::int32_t> a(acre::world(), 10, 3);
  expect_no_other_kind_written(here, [&](const std::string& name) { acre::store_npy(name, a); });
  expect_error(error_of([&] { acre::load_npy(here / "pipe", a); }), "it is not a regular file");
  const auto advice_of = [](auto&& call) {
    try {
      call();
    } catch (const acre::error& failed) {
      return failed.advice();
    }
    return std::string();
  };
  expect_error(advice_of([&] { acre::load_npy(here / "", a); }), "give the name of a file");
  expect_error(advice_of([&] { acre::store_npy(here / "no/a.npy", a); }), "create the directory");
}

TEST(Npy, AFileThatCannotBeWrittenLeavesTheOldOne) {
  const folder here;
  acre::array<std::int32_t> a(acre::world(), 10, 3);
  acre::store_npy(here / "a.npy", a);
  const std::string before = read_file(here / "a.npy");
  acre::barrier();
  expect_error(error_of([&] { acre::store_npy(here / "no/a.npy", a); }), "No such file");
  if (acre::rank() == 0) std::filesystem::create_directory(here / "b.npy");
  acre::barrier();
  expect_error(error_of([&] { acre::store_npy(here / "b.npy", a); }), "cannot write");
  EXPECT_EQ(here.files(), 2U);
  EXPECT_EQ(read_file(here / "a.npy"), before);
  acre::barrier();
}

}  // namespace
