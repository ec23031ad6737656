// SPDX-License-Identifier: BSD-3-Clause
// Writes a file of KIND repeatedly; all its numbers are VALUE (1 to 9).
//
//     files-writer KIND FILE VALUE TIMES
//     files-writer KIND FILE VALUE for SECONDS      prints numbers of files and conflicts
//     files-writer KIND FILE VALUE kill MICROSECONDS RANK   kills RANK that long after file 1
#include <acre/arrays.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/matrix_files/dbcsr/block_dbcsr_file.hpp>
#include <acre/matrix_files/matrix_market/block_matrix_market.hpp>
#include <acre/matrix_files/npy/npy.hpp>
#include <acre/objects.hpp>
#ifdef ACRE_FILES_HAVE_HDF5
#include <acre/matrix_files/hdf5/hdf5.hpp>
#endif

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

struct cell {
  std::vector<double> numbers;
  friend auto acre_fields(cell& c) { return std::tie(c.numbers); }
};

std::function<void()> writer_of(const std::string& kind, const std::string& path, int value) {
  if (kind == "text") {
    return [=] {
      if (acre::rank() == 0) {
        acre::write_whole("files-writer", path,
                          std::string(1 << 16, static_cast<char>('0' + value)));
      }
      acre::barrier();
    };
  }
  if (kind == "checkpoint") {
    auto cells = std::make_shared<acre::object_collection<cell>>(acre::make_collection<cell>(
        20, [=](std::size_t) { return cell{std::vector<double>(400, value)}; }));
    return [=] { acre::checkpoint(*cells, path); };
  }
  if (kind == "market" || kind == "dbcsr") {
    const acre::block_sizes sizes(std::vector<std::uint32_t>(10, 8));
    auto matrix = std::make_shared<acre::block_matrix<double>>(
        acre::world(), acre::block_distribution(sizes, sizes, acre::size()));
    const std::vector<double> block(64, value);
    for (std::uint32_t i = 0; i < 10; ++i) {
      if (acre::rank() == 0) matrix->put_block(i, i, block);
    }
    matrix->finalise();
    if (kind == "market") return [=] { acre::store_matrix_market(path, *matrix); };
    return [=] { acre::store_dbcsr(path, *matrix, "m"); };
  }
  auto field = std::make_shared<acre::array<double>>(acre::world(), 8192, value);
#ifdef ACRE_FILES_HAVE_HDF5
  if (kind == "hdf5") {
    return [=] {
      acre::hdf5_writer file(acre::world(), path);
      file.store("field", *field);
      file.close();
    };
  }
#endif
  return [=] { acre::store_npy(path, *field); };
}

void die_after(std::chrono::microseconds wait) {
  std::thread([wait] {
    std::this_thread::sleep_for(wait);
    ::kill(::getpid(), SIGKILL);
  }).detach();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const acre::job job;
  const auto write = writer_of(argv[1], argv[2], std::atoi(argv[3]));
  const std::string_view how = argv[4];
  if (how != "for" && how != "kill") {
    for (int i = 0; i < std::atoi(argv[4]); ++i) write();
    return 0;
  }
  if (argc < 6 || (how == "kill" && argc < 7)) return 2;
  const bool is_killed = how == "kill";
  const auto end = clock_type::now() + std::chrono::seconds(is_killed ? 60 : std::atoi(argv[5]));
  int files = 0;
  int in_the_way = 0;
  for (bool goes_on = true; goes_on;) {
    if (is_killed && files == 1 && acre::rank() == static_cast<acre::rank_t>(std::atoi(argv[6]))) {
      die_after(std::chrono::microseconds(std::atoi(argv[5])));
    }
    try {
      write();
      ++files;
    } catch (const acre::error& failed) {
      if (failed.problem().find("is writing it") == std::string::npos) throw;
      ++in_the_way;
    }
    goes_on = acre::world().broadcast(clock_type::now() < end, 0);
  }
  if (acre::rank() == 0) std::printf("%d files, %d in the way\n", files, in_the_way);
}
