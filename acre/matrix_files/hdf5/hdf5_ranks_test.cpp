// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/for_each.hpp>
#include <acre/array/array.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/matrix_files/hdf5/hdf5.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <hdf5.h>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace {

using namespace acre::files_test;

struct particle {
  std::int16_t kind;
  double mass;
  friend bool operator==(const particle&, const particle&) = default;
};

}  // namespace

namespace acre {

template <>
inline constexpr auto hdf5_fields<particle> =
    std::tuple(hdf5_field("kind", &particle::kind), hdf5_field("mass", &particle::mass));

}  // namespace acre

namespace {

template <class T>
std::vector<T> by_library(const std::string& path, const char* name, hid_t type, std::size_t size) {
  std::vector<T> read(size);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
  EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
  H5Dclose(data);
  H5Fclose(file);
  return read;
}

TEST(Hdf5Smoke, WhatIsStoredIsReadAgainWithAnyPattern) {
  const folder here;
  const std::string path = here / "m.h5";
  with_tables([&](auto& m) {
    acre::generate_with_index(m, number);
    acre::store_hdf5(path, "/deep/down/m", m);
    EXPECT_EQ(here.files(), 1U);
    auto again = acre::load_hdf5<std::int32_t, 2>(acre::world(), path, "deep/down/m");
    EXPECT_EQ(again.extents(), m.extents());
    expect_numbers(again);
    acre::fill(m, 0);
    acre::load_hdf5(path, "/deep/down/m", m);
    expect_numbers(m);
    if (acre::rank() == 0) {
      const auto found = acre::hdf5_info(path).at(0);
      EXPECT_EQ(found.name, "/deep/down/m");
      EXPECT_EQ(found.type, "int32");
      EXPECT_EQ(found.pattern, acre::layout::pattern_text(m.pattern()));
      const auto read = by_library<std::int32_t>(path, "/deep/down/m", H5T_NATIVE_INT32, m.size());
      for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i], number(i));
    }
    acre::barrier();
  });
}

TEST(Hdf5, AFileHasSeveralDatasetsAndWhatIsSaidOfThem) {
  const folder here;
  const std::string path = here / "several.h5";
  const acre::array<particle> particles(acre::world(), 5, particle{3, 0.5});
  const acre::array<bool> flags(acre::world(), 4, true);
  const acre::matrix<std::complex<float>, 2> waves(acre::world(), {2, 3}, {1.5F, -2});
  acre::hdf5_writer file(acre::world(), path);
  file.store("/flags", flags);
  file.store("particles", particles);
  file.attribute("/", "title", "a test");
  file.attribute("/flags", "time", 2.5);
  file.attribute("/flags", "step", std::int64_t{3});
  file.attribute("/flags", "step", std::int64_t{4});
  file.close();
  acre::store_hdf5(path, "/fields/waves", waves);

  const auto found = acre::hdf5_info(path);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name + " " + found[0].type, "/fields/waves complex64");
  EXPECT_EQ(found[1].name + " " + found[1].type, "/flags bool");
  EXPECT_EQ(found[2].name + " " + found[2].type, "/particles {kind: int16, mass: float64}");
  EXPECT_EQ(found[0].extents, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(std::get<std::string>(acre::hdf5_attribute(path, "/", "title")), "a test");
  EXPECT_EQ(std::get<double>(acre::hdf5_attribute(path, "/flags", "time")), 2.5);
  EXPECT_EQ(std::get<std::int64_t>(acre::hdf5_attribute(path, "/flags", "step")), 4);
  expect_error(error_of([&] { (void)acre::hdf5_attribute(path, "/flags", "hour"); }),
               "has no value under");

  acre::array<particle> again(acre::world(), 5);
  acre::load_hdf5(path, "/particles", again);
  for (const particle each : again) EXPECT_EQ(each, (particle{3, 0.5}));
  const auto read = acre::load_hdf5<std::complex<float>, 2>(acre::world(), path, "/fields/waves");
  for (const std::complex<float> each : read) EXPECT_EQ(each, std::complex<float>(1.5F, -2));
  acre::barrier();
}

TEST(Hdf5, BoxesAreStoredAndRead) {
  const folder here;
  const std::string path = here / "steps.h5";
  acre::matrix<std::int32_t, 2> m(acre::world(), {6, 5});
  acre::generate_with_index(m, number);
  acre::hdf5_writer file(acre::world(), path);
  file.create<std::int32_t, 3>("/steps", {3, 6, 7});
  file.store<3>("/steps", {.first = {1, 0, 1}, .extents = {1, 6, 5}}, m);
  file.close();

  const auto all = acre::load_hdf5<std::int32_t, 3>(acre::world(), path, "/steps");
  std::size_t index = 0;
  for (const std::int32_t each : all) {
    const std::size_t step = index / 42;
    const std::size_t row = index / 7 % 6;
    const std::size_t column = index % 7;
    const bool is_inside = step == 1 && column >= 1 && column < 6;
    EXPECT_EQ(each, is_inside ? number(5 * row + column - 1) : 0);
    ++index;
  }
  acre::barrier();
  const acre::team part = acre::world().split(acre::rank() == 0 ? 0 : 1);
  acre::matrix<std::int32_t, 2> larger(part, {8, 8}, -1);
  const auto inner = acre::sub(larger, {.first = {1, 2}, .extents = {6, 5}});
  acre::load_hdf5<3>(path, "/steps", {.first = {1, 0, 1}, .extents = {1, 6, 5}}, inner);
  expect_numbers(inner);

  expect_error(error_of([&] {
                 acre::load_hdf5<3>(path, "/steps", {.first = {1, 0, 3}, .extents = {1, 6, 5}}, m);
               }),
               ") exceeds it");
  expect_error(
      error_of([&] { acre::load_hdf5<3>(path, "/steps", {.first = {}, .extents = {1, 5, 6}}, m); }),
      "a box of 1 x 5 x 6 elements does not match a range of 6 x 5");
  file = acre::hdf5_writer::adding_to(acre::world(), path);
  file.create<std::int32_t, 3>("/steps", {3, 6, 7});
  file.close();
  acre::load_hdf5<3>(path, "/steps", {.first = {1, 0, 1}, .extents = {1, 6, 5}}, m);
  for (const std::int32_t each : m) EXPECT_EQ(each, 0);
  acre::barrier();
}

TEST(Hdf5, WhatMembersHaveIsJoined) {
  const folder here;
  const std::string path = here / "joined.h5";
  std::vector<std::int32_t> mine(acre::rank() % 2 == 0 ? acre::rank() + 1 : 0);
  const std::size_t first = acre::world().exclusive_scan(mine.size(), std::size_t{0});
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = number(first + i);
  acre::hdf5_writer file(acre::world(), path);
  file.store_joined("/numbers", std::span<const std::int32_t>(mine));
  file.store_joined("/none", std::span<const std::int32_t>());
  file.close();
  const auto read = acre::load_hdf5<std::int32_t, 1>(acre::world(), path, "/numbers");
  EXPECT_EQ(read.size(), acre::world().allreduce(mine.size()));
  expect_numbers(read);
  EXPECT_EQ((acre::load_hdf5<std::int32_t, 1>(acre::world(), path, "/none").size()), 0U);
  acre::barrier();
}

TEST(Hdf5, APatternIsReadAsItWasStored) {
  const folder here;
  const std::string path = here / "ragged.h5";
  std::vector<std::size_t> places(acre::size() + 1, 12);
  for (std::size_t i = 0; i < acre::size(); ++i) places[i] = i;
  const auto pattern =
      acre::make_distribution({12, 2}, acre::size(), acre::dist::at(places), acre::dist::none);
  auto m = acre::make_matrix<std::int32_t>(acre::world(), pattern);
  acre::generate_with_index(m, number);
  acre::store_hdf5(path, "/m", m);
  using type = decltype(m);
  auto again = acre::load_hdf5_as_stored<type>(acre::world(), path, "/m");
  EXPECT_EQ(again.pattern(), pattern);
  expect_numbers(again);
  if (acre::size() == 1) return;
  const acre::team less = acre::world().split(acre::rank() == 0 ? 0 : 1);
  expect_error(error_of([&] { (void)acre::load_hdf5_as_stored<type>(less, path, "/m"); }),
               "which does not match this matrix's type over");
  acre::barrier();
}

void write_by_library(const std::string& path, hid_t type, std::optional<hsize_t> chunk) {
  if (acre::rank() == 0) {
    const hsize_t extents[] = {7, 5};
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(2, extents, nullptr);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk) {
      const hsize_t chunks[] = {*chunk, 2};
      H5Pset_chunk(how, 2, chunks);
      H5Pset_deflate(how, 6);
    }
    const hid_t data = H5Dcreate2(file, "m", type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    std::vector<std::int32_t> numbers;
    for (std::size_t i = 0; i < 35; ++i) numbers.push_back(number(i));
    EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
    const hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(group);
    H5Dclose(data);
    H5Pclose(how);
    H5Sclose(space);
    H5Fclose(file);
  }
  acre::barrier();
}

TEST(Hdf5, WhatOthersHaveWrittenOtherwiseIsRead) {
  const folder here;
  const std::string path = here / "others.h5";
  acre::matrix<std::int32_t, 2> boxes(acre::world(), {7, 5});
  auto tiles = acre::make_matrix<std::int32_t>(
      acre::world(), acre::make_pattern<acre::use_case::transpose>({7, 5}, acre::size()));
  for (const auto& [type, chunk] : {std::pair<hid_t, std::optional<hsize_t>>(H5T_NATIVE_INT32, 3),
                                    {H5T_STD_I16BE, std::nullopt},
                                    {H5T_STD_I8LE, 1}}) {
    write_by_library(path, type, chunk);
    acre::load_hdf5(path, "m", boxes);
    expect_numbers(boxes);
    acre::load_hdf5(path, "m", tiles);
    expect_numbers(tiles);
    acre::load_hdf5<2>(path, "m", {.first = {2, 1}, .extents = {5, 4}},
                       acre::sub(boxes, {.first = {0, 0}, .extents = {5, 4}}));
    EXPECT_EQ(boxes(4, 3), number(6 * 5 + 4));
    acre::barrier();
  }
}

TEST(Hdf5, RefusesOtherFilesOnAllRanks) {
  const folder here;
  const std::string path = here / "x.h5";
  acre::matrix<std::int32_t, 2> m(acre::world(), {7, 5}, 1);
  const auto load = [&](const char* name) {
    const std::string said = error_of([&] { acre::load_hdf5(path, name, m); });
    acre::barrier();
    return said;
  };
  expect_error(load("m"), "No such file");
  write_file(path, "no such thing");
  expect_error(load("m"), "is not an HDF5 file");
  expect_error(error_of([&] { acre::store_hdf5(path, "m", m); }), "is not an HDF5 file");
  write_by_library(path, H5T_NATIVE_INT32, 3);
  const std::string whole = read_file(path);
  acre::barrier();
  try {
    acre::load_hdf5(path, "n", m);
  } catch (const acre::error& failed) {
    EXPECT_EQ(failed.problem().find(path + " does not contain \"n\""), 0U);
    EXPECT_EQ(failed.advice(), "it has /m");
  }
  acre::barrier();
  expect_error(load("m/n"), "does not contain \"m/n\"");
  expect_error(load(""), "does not contain \"\"");
  expect_error(load("group"), "is a group");
  expect_error(error_of([&] { (void)acre::load_hdf5<std::int32_t, 3>(acre::world(), path, "m"); }),
               "has 2 dimensions (7 x 5), but 3 were requested");
  acre::matrix<std::int32_t, 2> turned(acre::world(), {5, 7}, 1);
  expect_error(error_of([&] { acre::load_hdf5(path, "m", turned); }),
               "has 7 x 5 elements, but the range has 5 x 7");
  expect_error(
      error_of([&] { (void)acre::load_hdf5<std::complex<float>, 2>(acre::world(), path, "m"); }),
      "elements of type int32, but the requested type, complex64, does not hold");
  write_file(path, whole.substr(0, whole.size() - 1));
  expect_error(load("m"), "ends before its last byte");
  write_by_library(path, H5T_IEEE_F32BE, std::nullopt);
  expect_error(load("m"), "elements of type float32 (big-endian), but the requested type, int32");
}

/// Damaged sizes of an attribute and its heap; crashes HDF5 1.10.8 in the child.
TEST(Hdf5, ADamagedFileIsAnErrorOnAllRanks) {
  const folder here;
  const std::string path = here / "a.h5";
  acre::array<double> a(acre::world(), 10, 3);
  {
    acre::hdf5_writer file(acre::world(), path);
    file.store("/m", a);
    file.attribute("/m", "material", "copper");
    file.close();
  }
  const std::string whole = read_file(path);
  acre::barrier();
  const std::size_t heap = whole.find("GCOL");
  const std::size_t key = whole.find("material");
  ASSERT_LT(std::max(heap, key) + 32, whole.size());
  for (const std::size_t at : {key - 4, key + 12, heap + 8, heap + 24}) {
    std::string damaged = whole;
    damaged.replace(at, 4, "\x7f\x10\x7f\x10");
    write_file(path, damaged);
    const std::string said = error_of([&] { acre::load_hdf5(path, "/m", a); });
    EXPECT_EQ(acre::world().broadcast(said, 0).substr(0, 12), said.substr(0, 12));
    error_of([&] { static_cast<void>(acre::hdf5_info(path)); });
    error_of([&] { static_cast<void>(acre::hdf5_attribute(path, "/m", "material")); });
    error_of([&] { acre::store_hdf5(path, "/n", a); });
    acre::barrier();
  }
}

TEST(Hdf5, AFileThatCannotBeWrittenLeavesTheOldOne) {
  const folder here;
  const std::string path = here / "a.h5";
  acre::matrix<std::int32_t, 2> m(acre::world(), {64, 64}, 3);
  acre::store_hdf5(path, "/m", m);
  const std::string before = read_file(path);
  acre::barrier();
  const auto expect_old = [&] {
    EXPECT_EQ(here.files(), 1U);
    EXPECT_EQ(read_file(path), before);
    acre::barrier();
  };
  const acre::team alone = acre::world().split(static_cast<int>(acre::rank()));
  if (acre::size() > 1) {
    acre::hdf5_writer of_one(alone, here / std::to_string(acre::rank()).c_str());
    EXPECT_THROW(of_one.store("/m", m), acre::error);
  }
  acre::barrier();
  const bool is_last = acre::rank() == acre::size() - 1;
  for (const std::size_t bytes : {12000U, 4096U, 20000U, 300000U}) {
    std::optional<full_disk> full;
    expect_error(error_of([&] {
                   acre::hdf5_writer file(acre::world(), path);
                   if (bytes == 12000U ? is_last : acre::rank() == 0) full.emplace(bytes);
                   file.store("/n", m);
                   file.attribute("/n", "text", std::string(200000, 'x'));
                   file.close();
                 }),
                 "File too large");
    full.reset();
    expect_old();
  }
  {
    acre::hdf5_writer unfinished = acre::hdf5_writer::adding_to(acre::world(), path);
    unfinished.store("/n", m);
  }
  acre::barrier();
  expect_old();
  acre::hdf5_writer file = acre::hdf5_writer::adding_to(acre::world(), path);
  expect_error(error_of([&] { file.store("/m/inside", m); }), "cannot create /m/inside");
  expect_error(error_of([&] { file.store("/n", m); }), "the writer is closed");
  expect_old();
  expect_error(error_of([&] {
                 acre::hdf5_writer(acre::world(), path)
                     .create<std::int32_t, 2>("/n", {5, static_cast<std::size_t>(-3)});
               }),
               "a dataset of 5 x 18446744073709551613 elements exceeds the maximum file size");
  expect_error(error_of([&] {
                 acre::hdf5_writer(acre::world(), path)
                     .create<double, 2>("/n", {0, static_cast<std::size_t>(-1)});
               }),
               "elements is empty, but an extent exceeds the maximum file size");
  {
    constexpr std::size_t many = std::size_t{1} << 40;
    acre::hdf5_writer(acre::world(), path).create<double, 3>("/n", {many, many, 0});
  }
  acre::barrier();
  expect_old();
  expect_error(error_of([&] { acre::store_hdf5(here / "no/a.h5", "m", m); }), "No such file");
  if (acre::rank() == 0) std::filesystem::create_directory(here / "b.h5");
  acre::barrier();
  expect_error(error_of([&] { acre::store_hdf5(here / "b.h5", "m", m); }), "Is a directory");
  expect_no_other_kind_written(here,
                               [&](const std::string& name) { acre::store_hdf5(name, "m", m); });
}

}  // namespace
