// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/matrix_files/binsparse/binsparse.hpp>
#include <acre/matrix_files/binsparse/binsparse_file_test.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/matrix_files/hdf5/hdf5.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <hdf5.h>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace acre::binsparse_test;
using namespace acre::sparse_test;
using namespace acre::files_test;

using complex = std::complex<double>;

template <class T>
void expect_round_trip(const std::string& path, const table_of<T>& all, std::size_t rows) {
  acre::store_binsparse(path, spread(all, rows, 17));
  expect_matrix(acre::load_binsparse<T>(acre::world(), path), all);
}

template <class T, class F>
table_of<T> table_by(const table_of<long>& all, F&& f) {
  table_of<T> made;
  for (const auto& [place, value] : all) made[place] = f(static_cast<int>(value));
  return made;
}

TEST(BinsparseSmoke, IsReadAsItWasWritten) {
  const folder here;
  for (const std::size_t rows : {0U, 31U}) {
    const table_of<long> all = random_table(rows, 17, 0.3, 1);
    const auto thirds = table_by<double>(all, [](int value) { return value / 3.0; });
    const auto places = table_by<acre::present>(all, [](int) { return acre::present(); });
    expect_round_trip(here / "a", all, rows);
    expect_round_trip(here / "a", thirds, rows);
    expect_round_trip(here / "a",
                      table_by<complex>(all, [](int value) { return complex(value, -0.5); }), rows);
    expect_round_trip(here / "a", table_by<bool>(all, [](int value) { return value > 4; }), rows);
    expect_round_trip(
        here / "a",
        table_by<std::uint8_t>(
            all, [](int value) { return static_cast<std::uint8_t>(250 + value % 6); }),
        rows);
    expect_round_trip(here / "a", places, rows);
    expect_matrix(acre::load_binsparse<int>(acre::world(), here / "a"),
                  table_by<int>(all, [](int) { return 1; }));
  }
  EXPECT_EQ(here.files(), 1U);
}

TEST(Binsparse, SeveralAreInAFileAndOtherRanksReadThem) {
  const folder here;
  const auto a = random_table(31, 17, 0.3, 2);
  const auto b = random_table(5, 9, 0.3, 3);
  std::vector<std::size_t> firsts(acre::size() + 1, 31);
  for (std::size_t i = 0; i < acre::size(); ++i) firsts[i] = 3 * i;
  const acre::row_cut cut(firsts);
  acre::store_binsparse(here / "a", spread(b, 5, 9), "deep/a");
  acre::store_binsparse(here / "a", spread(b, 5, 9), "/b/");
  acre::store_binsparse(here / "a", spread(a, cut, 17), "deep/a");
  expect_matrix(acre::load_binsparse<long>(acre::world(), here / "a", cut, "deep/a"), a);
  expect_matrix(acre::load_binsparse<long>(acre::world(), here / "a", {}, "b"), b);
  const acre::team part = acre::world().split(acre::rank() == 0 ? 0 : 1);
  EXPECT_EQ(acre::load_binsparse<long>(part, here / "a", {}, "b").entries(), b.size());
  acre::barrier();
}

TEST(Binsparse, FilesAreAsTheSpecificationHasThem) {
  const folder here;
  acre::store_binsparse(here / "a", spread(table_of<float>{{{0, 1}, 3}, {{2, 0}, 4}}, 3, 2));
  const auto found = acre::hdf5_info(here / "a");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name + " " + found[0].type, "/indices_1 uint32");
  EXPECT_EQ(found[1].name + " " + found[1].type, "/pointers_to_1 uint64");
  EXPECT_EQ(found[2].name + " " + found[2].type, "/values float32");
  EXPECT_EQ(found[1].extents, std::vector<std::size_t>{4});
  const auto said = std::get<std::string>(acre::hdf5_attribute(here / "a", "/", "binsparse"));
  for (const char* part : {R"("version": "0.1")", R"("format": "CSR")", R"("values": "float32")",
                           R"("number_of_stored_values": 2)", R"("indices_1": "uint32")"}) {
    acre::files_test::expect_error(said, part);
  }
  acre::barrier();
}

const dataset indices_1{"indices_1", H5T_STD_I32LE, {1, 0, 2, 3, 1}};
const dataset numbers{"values", H5T_STD_I8LE, {10, 11, 12, 13, -14}};

template <class T = int>
acre::csr_matrix<T> load(const folder& here, const std::string& text,
                         const std::vector<dataset>& datasets) {
  write_binsparse(here / "a", text, datasets);
  return acre::load_binsparse<T>(acre::world(), here / "a");
}

TEST(Binsparse, ReadsAllFormats) {
  const folder here;
  const table_of<int> by_rows{
      {{0, 1}, 10}, {{1, 0}, 11}, {{1, 2}, 12}, {{3, 3}, 13}, {{3, 1}, -14}};
  table_of<int> by_columns;
  for (const auto& [place, value] : by_rows) by_columns[{place.second, place.first}] = value;
  const dataset pointers{"pointers_to_1", H5T_STD_I32BE, {0, 1, 3, 3, 5}};
  const dataset some{"pointers_to_1", H5T_STD_I32LE, {0, 1, 3, 5}};
  const dataset names{"indices_0", H5T_STD_I32LE, {0, 1, 3}};
  const dataset majors{"indices_0", H5T_STD_I32LE, {0, 1, 1, 3, 3}};
  for (const auto& [format, expected] :
       {std::pair<std::string, const table_of<int>&>("R", by_rows), {"C", by_columns}}) {
    const auto text = [&](const std::string& name) {
      return described(name + format, "[4,4.0]", "int8");
    };
    expect_matrix(load(here, text("CS"), {pointers, indices_1, numbers}), expected);
    expect_matrix(load(here, text("DCS"), {names, some, indices_1, numbers}), expected);
    expect_matrix(load(here, text("COO"), {majors, indices_1, numbers}), expected);
  }
  expect_matrix(load(here, described("COO", "[4,4]", "int8"), {majors, indices_1, numbers}),
                by_rows);
}

const dataset lower_rows{"indices_0", H5T_STD_I32LE, {0, 1, 2, 3, 3}};
const dataset lower_columns{"indices_1", H5T_STD_I32LE, {0, 0, 1, 1, 3}};

std::string structured(const std::string& values, const std::string& structure) {
  return described("COO", "[4,4]", values, R"(,"structure":")" + structure + "\"");
}

TEST(Binsparse, UnfoldsTriangles) {
  const folder here;
  const auto expected = [](auto value, auto mirrored) {
    table_of<decltype(value)> all{{{0, 0}, value}, {{3, 3}, value}};
    for (const auto& [i, j] : {std::pair(1, 0), {2, 1}, {3, 1}}) {
      const auto row = static_cast<std::size_t>(i);
      const auto column = static_cast<std::size_t>(j);
      all[{row, column}] = value;
      all[{column, row}] = mirrored;
    }
    return all;
  };
  const dataset seven{"values", H5T_STD_I64LE, {7}};
  expect_matrix(
      load(here, structured("iso[int64]", "symmetric_lower"), {lower_rows, lower_columns, seven}),
      expected(7, 7));
  dataset upper_rows = lower_columns;
  dataset upper_columns = lower_rows;
  std::swap(upper_rows.name, upper_columns.name);
  expect_matrix(load<acre::present>(here, structured("iso[int64]", "skew_symmetric_upper"),
                                    {upper_rows, upper_columns, seven}),
                expected(acre::present(), acre::present()));
  const dataset skew{"values", H5T_IEEE_F32LE, {0, 3, 3, 3, 0}};
  auto turned = expected(3.0, -3.0);
  turned[{0, 0}] = turned[{3, 3}] = 0;
  expect_matrix(load<double>(here, structured("float32", "skew_symmetric_lower"),
                             {lower_rows, lower_columns, skew}),
                turned);
  const dataset pairs{"values", H5T_IEEE_F64LE, {2, 0, 2, 1, 2, 1, 2, 1, 2, 0}};
  auto conjugates = expected(complex(2, 1), complex(2, -1));
  conjugates[{0, 0}] = conjugates[{3, 3}] = 2;
  expect_matrix(load<complex>(here, structured("complex[float64]", "hermitian_lower"),
                              {lower_rows, lower_columns, pairs}),
                conjugates);
}

TEST(Binsparse, ReadsNumbersThatFit) {
  const folder here;
  const std::vector<dataset> places{lower_rows, lower_columns};
  const auto of = [&](const char* type, const dataset& values) {
    std::vector<dataset> all = places;
    all.push_back(values);
    write_binsparse(here / "a", described("COO", "[4,4]", type), all);
  };
  of("bint8", {"values", H5T_STD_I8LE, {0, 1, 1, 3, 0}});
  EXPECT_EQ(acre::load_binsparse<bool>(acre::world(), here / "a").get(3, 1), true);
  EXPECT_EQ(acre::load_binsparse<float>(acre::world(), here / "a").get(3, 1), 1.0F);
  of("iso[complex[float32]]", {"values", H5T_IEEE_F32LE, {1, 0.5}});
  EXPECT_EQ(acre::load_binsparse<complex>(acre::world(), here / "a").get(3, 1), complex(1, 0.5));
  of("iso[float64]", {"values", H5T_IEEE_F64LE, {1}});
  EXPECT_EQ(acre::load_binsparse<bool>(acre::world(), here / "a").get(2, 1), true);
  of("iso[float64]", {"values", H5T_IEEE_F64LE, {-1.5}});
  const std::string path = here / "a";
  const auto error = [&]<class T>(T) {
    return error_of([&] { static_cast<void>(acre::load_binsparse<T>(acre::world(), path)); });
  };
  expect_same_error(error(1), "/values has values of type iso[float64], which the requested", path);
  EXPECT_EQ(acre::load_binsparse<float>(acre::world(), path).get(2, 1), -1.5F);
  of("float64", {"values", H5T_IEEE_F64LE, {1, 1, 1, 1, 1}});
  expect_same_error(error(1.0F), "of type float64, which the requested type cannot hold", path);
  of("complex[float32]", {"values", H5T_IEEE_F32LE, std::vector<double>(10)});
  expect_same_error(error(1.0), "of type complex[float32], which the requested", path);
  of("int32", {"values", H5T_STD_I32LE, {1, 1, 1, 1, 1}});
  expect_same_error(error(1U), "of type int32, which the requested", path);
}

struct bad_files {
  folder here;
  std::string path = here / "bad";
  std::string text = described("CSR", "[4,4]", "int8");
  std::vector<dataset> datasets{
      {"pointers_to_1", H5T_STD_I32LE, {0, 1, 3, 3, 5}}, indices_1, numbers};

  [[nodiscard]] std::string said() const {
    return error_of([&] { static_cast<void>(acre::load_binsparse<int>(acre::world(), path)); });
  }
  void expect(const std::string& from, const std::string& to, const std::string& part) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_binsparse(path, changed.replace(at, from.size(), to), datasets);
    expect_same_error(said(), part, path);
  }
  void expect(std::size_t number, const dataset& other, const std::string& part) {
    const dataset before = datasets[number];
    datasets[number] = other;
    expect("", "", part);
    datasets[number] = before;
  }
};

TEST(Binsparse, NamesWhatIsWrongWithADescription) {
  bad_files bad;
  bad.expect("{", "", "\"binsparse\" is not JSON");
  bad.expect("{\"binsparse\"", "{\"other\"", "lacks the object \"binsparse\"");
  bad.expect("0.1", "2.0", "has the unsupported version \"2.0\"");
  bad.expect("CSR", "DMATR", "has the unsupported format \"DMATR\"");
  bad.expect("\"format\":\"CSR\"", "\"custom\":{}", "has an unsupported custom format");
  bad.expect("[4,4]", "[4]", "has the invalid \"shape\" [4]");
  bad.expect("[4,4]", "[4,-4]", "has the invalid \"shape\" -4");
  bad.expect("[4,4]", "[4,4.5]", "has the invalid \"shape\" 4.5");
  bad.expect("[4,4]", "[5,4]", "/pointers_to_1 has 5 elements, but the attribute");
  bad.expect("[4,4]", "[4,4294967296]", "a matrix of 4 rows and 4294967296 columns is too large");
  bad.expect("number_of_stored_values", "number", "lacks \"number_of_stored_values\"");
  bad.expect(":5", ":6", "/values has 5 elements, but the attribute \"binsparse\" requires");
  bad.expect(":5", ":18446744073709551615", "has more entries than a file can hold");
  bad.expect("\"indices_1\":\"int32\",", "", "lacks a type of indices_1");
  bad.expect("\"indices_1\":\"int32\"", "\"indices_1\":\"int64\"",
             "/indices_1 has elements of type int32, but the attribute");
  bad.expect("\"indices_1\":\"int32\"", "\"indices_1\":\"float64\"", "indices_1");
  bad.expect("int8\"", "text\"", "has the unsupported type \"text\" of values");
  bad.expect("int8\"", "complex[int8]\"", "has the unsupported type \"complex[int8]\" of values");
  bad.expect("int8\"}", "int8\"},\"structure\":\"banded\"",
             "has the unsupported structure \"banded\"");
  bad.expect("int8\"}", "int8\"},\"structure\":\"hermitian_lower\"", "has a hermitian structure");
  bad.expect("[4,4]", "[4,5],\"structure\":\"symmetric_lower\"", "but 4 rows and 5 columns");
  bad.expect("int8\"}", "int8\"},\"fill\":true", "/fill_value is missing");
  bad.datasets.push_back({"fill_value", H5T_STD_I8LE, {1}});
  bad.expect("int8\"}", "int8\"},\"fill\":true", "/fill_value is not 0");
}

TEST(Binsparse, NamesTheFirstWrongElement) {
  bad_files bad;
  const auto pointers = [](std::vector<double> values) {
    return dataset{"pointers_to_1", H5T_STD_I32LE, std::move(values)};
  };
  const auto indices = [](std::vector<double> values) {
    return dataset{"indices_1", H5T_STD_I32LE, std::move(values)};
  };
  bad.expect(0, pointers({1, 1, 3, 3, 5}), "/pointers_to_1[0] is 1, but it must be 0");
  bad.expect(0, pointers({0, 3, 1, 3, 5}), "/pointers_to_1[2] is 1, but the previous one is 3");
  bad.expect(0, pointers({0, 1, -3, 3, 5}),
             "/pointers_to_1[2] is -3, but the matrix has 5 entries");
  bad.expect(0, pointers({0, 1, 3, 6, 5}), "/pointers_to_1[3] is 6, but the matrix has 5 entries");
  bad.expect(0, pointers({0, 1, 3, 3, 4}), "/pointers_to_1[4] is 4, but the matrix has 5 entries");
  bad.expect(1, indices({1, 4, 2, 3, 9}), "/indices_1[1] is 4, but the matrix has 4 columns");
  bad.expect(1, indices({1, 0, 2, 3, -1}), "/indices_1[4] is -1, but the matrix has 4 columns");
  bad.expect(1, indices({1, 2, 2, 3, 3}), "row 1 has two entries in column 2, both counted from 0");
  bad.expect(1, {"indices_2", H5T_STD_I32LE, {}}, "/indices_1 is missing, or not a dataset");
  bad.expect(2, {"values", H5T_STD_I16LE, {1, 2, 3, 4, 5}}, "/values has elements of type int16");
  bad.text = structured("int8", "symmetric_lower");
  bad.datasets = {lower_rows, lower_columns, numbers};
  bad.expect(0, {"indices_0", H5T_STD_I32LE, {0, 1, 2, 0, 3}},
             "/indices_1[3] is an entry in row 0 and column 1, in the triangle");
  bad.text = structured("int8", "skew_symmetric_lower");
  bad.expect("", "", "/values[0] is not 0, on the diagonal of a skew-symmetric matrix");
  bad.datasets[2].values = {0, 1, 1, 1, 0};
  write_binsparse(bad.path, bad.text, bad.datasets);
  expect_same_error(
      error_of([&] { static_cast<void>(acre::load_binsparse<bool>(acre::world(), bad.path)); }),
      "of type int8", bad.path);
}

TEST(Binsparse, RefusesOtherFilesOnAllRanks) {
  bad_files bad;
  expect_same_error(bad.said(), "No such file", bad.path);
  write_file(bad.path, "no such thing");
  expect_same_error(bad.said(), "is not an HDF5 file", bad.path);
  if (acre::rank() == 0) std::filesystem::remove(bad.path);
  acre::barrier();
  acre::store_hdf5(bad.path, "/x", acre::matrix<double, 2>(acre::world(), {2, 2}));
  expect_same_error(bad.said(), "has no value under the key \"binsparse\"", bad.path);
  write_binsparse(bad.path, bad.text, bad.datasets);
  const std::string whole = read_file(bad.path);
  acre::barrier();
  write_file(bad.path, whole.substr(0, whole.size() - 1));
  expect_same_error(bad.said(), "ends before its last byte", bad.path);
}

TEST(Binsparse, LeavesTheFileAsItWasWhereItCannotBeWritten) {
  const auto matrix = spread(random_table(31, 17, 0.5, 1), 31, 17);
  expect_not_stored_on_full_disk(
      5000, [&](const std::string& path) { acre::store_binsparse(path, matrix); });
}

}  // namespace
