// Files of NumPy's: what is stored is read again, on other teams and with other patterns, and what
// is no such file is refused by all.
#include <acre/algorithm/files_test.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/npy.hpp>
#include <acre/array/matrix_view.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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
  expect_error(error_for(""), "it does not begin as one");
  expect_error(error_for("\x93NUMPY\x01"), "it does not begin as one");
  expect_error(error_for(std::string("\x93NUMPY\x01\x00\x76\x00{'descr'", 18)),
               "it ends in its header");
  expect_error(error_for(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)), "1 MiB");
  acre::store_npy(path, m);
  const std::string whole = read_file(path);
  acre::barrier();
  expect_error(error_for(whole.substr(0, whole.size() - 1)), "ends before its last element: 223");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = whole;
    return error_for(changed.replace(changed.find(from), from.size(), to));
  };
  expect_error(with("<f8", "<f4"), "NumPy's type <f4, and <f8 was asked for");
  expect_error(with("<f8", ">f8"), "NumPy's type >f8, and <f8 was asked for");
  expect_error(with("False", "True "), "its elements lie by columns");
  expect_error(with("(4, 3)", "(3, 4)"), "has 3 x 4 elements, and the range 4 x 3");
  expect_error(with("(4, 3)", "(12, )"), "has 1 dimensions");
  expect_error(with("(4, 3)", "(4, -)"), "its shape is no list of numbers");
  expect_error(with("'<f8'", "[1,2]"), "its elements are records");
}

TEST(Npy, ReadsLaterVersionsOfTheFormat) {
  const folder here;
  const std::string path = here / "later.npy";
  acre::array<std::int32_t> a(acre::world(), 5, 3);
  acre::store_npy(path, a);
  std::string file = read_file(path);
  acre::barrier();
  // Their header's length has four bytes.
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

TEST(Npy, ADiskThatIsFullLeavesTheOldFile) {
  const folder here;
  const std::string path = here / "a.npy";
  acre::array<std::int32_t> a(acre::world(), 5000, 3);
  acre::store_npy(path, a);
  const std::string before = read_file(path);
  acre::barrier();
  // There is no room for all of it; or it is the last rank that finds none.
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
  for (const char* const name : {"link.npy", "link_of_link.npy"}) {  // to nothing, and to a file
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
  EXPECT_EQ(std::filesystem::status(path).permissions(), perms{0600});  // of a new one
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
  expect_error(error_of([&] { acre::load_npy(here / "pipe", a); }), "it is no plain file");
  const auto advice_of = [](auto&& call) {
    try {
      call();
    } catch (const acre::error& failed) {
      return failed.advice();
    }
    return std::string();
  };
  expect_error(advice_of([&] { acre::load_npy(here / "", a); }), "give the name of a file");
  expect_error(advice_of([&] { acre::store_npy(here / "no/a.npy", a); }), "make the directory");
}

TEST(Npy, AFileThatCannotBeWrittenLeavesTheOldOne) {
  const folder here;
  acre::array<std::int32_t> a(acre::world(), 10, 3);
  acre::store_npy(here / "a.npy", a);
  const std::string before = read_file(here / "a.npy");
  acre::barrier();
  expect_error(error_of([&] { acre::store_npy(here / "no/a.npy", a); }), "No such file");
  // Nobody can write to a name that is a folder's.
  if (acre::rank() == 0) std::filesystem::create_directory(here / "b.npy");
  acre::barrier();
  expect_error(error_of([&] { acre::store_npy(here / "b.npy", a); }), "cannot write");
  EXPECT_EQ(here.files(), 2U);
  EXPECT_EQ(read_file(here / "a.npy"), before);
  acre::barrier();
}

}  // namespace
