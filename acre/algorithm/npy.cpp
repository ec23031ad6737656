// The format is that of NumPy's documents, "NEP 1: A simple file format for NumPy arrays": a magic
// word, the length of the header, the header, which is a literal of Python, and the elements.
#include <acre/algorithm/npy.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace acre::detail {
namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::size_t most_header = std::size_t{1} << 20;

/// The header of version 1.0, padded so that elements begin at a multiple of 64.
std::string header_for(std::string_view type, std::span<const std::size_t> extents) {
  std::string dictionary =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::size_t extent : extents) dictionary += std::to_string(extent) + ", ";
  if (extents.size() > 1) dictionary.resize(dictionary.size() - 2);
  dictionary += "), }";
  constexpr std::size_t before = 10;  // magic, version, length
  const std::size_t bytes = (before + dictionary.size() + 1 + 63) / 64 * 64;
  dictionary.resize(bytes - before - 1, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

/// What follows `'key':` in a literal of a dictionary.
std::optional<std::string_view> value_after(std::string_view dictionary, std::string_view key) {
  std::string quoted(1, '\'');
  quoted.append(key).append(1, '\'');
  const std::size_t found = dictionary.find(quoted);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view rest = dictionary.substr(found + key.size() + 2);
  const std::size_t begin = rest.find_first_not_of(" :");
  if (begin == std::string_view::npos) return std::nullopt;
  return rest.substr(begin);
}

std::optional<std::vector<std::size_t>> extents_in(std::string_view tuple) {
  if (!tuple.starts_with('(')) return std::nullopt;
  std::vector<std::size_t> extents;
  const char* at = tuple.data() + 1;
  const char* const end = tuple.data() + tuple.size();
  for (;;) {
    while (at != end && (*at == ' ' || *at == ',')) ++at;
    if (at == end) return std::nullopt;
    if (*at == ')') return extents;
    std::size_t extent = 0;
    const auto [behind, problem] = std::from_chars(at, end, extent);
    if (problem != std::errc()) return std::nullopt;
    extents.push_back(extent);
    at = behind;
  }
}

/// A file of this process.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// All of the bytes, in as many calls of the system as it takes.
/// @return 0, or what is wrong; no_data where the file ends before
constexpr int no_data = -1;
template <class Byte, class Move>
int move_all(std::span<Byte> bytes, std::size_t offset, Move&& move) noexcept {
  while (!bytes.empty()) {
    const ssize_t moved = move(bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) return errno;
    if (moved == 0) return no_data;
    bytes = bytes.subspan(static_cast<std::size_t>(moved));
    offset += static_cast<std::size_t>(moved);
  }
  return 0;
}

int write_all(int file, std::size_t offset, std::span<const std::byte> bytes) noexcept {
  return move_all(bytes, offset, [file](const std::byte* data, std::size_t size, off_t at) {
    return ::pwrite(file, data, size, at);
  });
}
int read_all(int file, std::size_t offset, std::span<std::byte> bytes) noexcept {
  return move_all(bytes, offset, [file](std::byte* data, std::size_t size, off_t at) {
    return ::pread(file, data, size, at);
  });
}

std::string problem_text(int problem) {
  return problem == no_data ? "it ends before its last element" : std::strerror(problem);
}

}  // namespace

struct npy_file::state {
  state(const team& of, const std::string& name, const char* user_call, const site& place)
      : members(of), path(name), where(place), call(user_call) {}

  team members;
  std::string path;
  site where;
  const char* call;
  array_header header;
  std::string name_until_finished;  ///< empty: the file is read
  descriptor file;
  int problem = 0;  ///< of this member
  bool is_finished = false;

  /// What failed on any member is thrown on all. Collective.
  void agree(const char* doing) {
    const std::vector<int> problems = members.allgather(problem, where);
    const auto found = std::ranges::find_if(problems, [](int each) { return each != 0; });
    if (found == problems.end()) return;
    drop();
    members.barrier(where);  // when the error is heard of, nothing is left
    const auto member = static_cast<rank_t>(found - problems.begin());
    throw error(call,
                std::string("cannot ") + doing + " " + path + ": " + problem_text(*found) +
                    " (rank " + std::to_string(members[member].world_rank()) + ")" +
                    describe_place(where),
                name_until_finished.empty() ? "all ranks must see the file, under this name"
                                            : "what had this name before is as it was");
  }
  [[nodiscard]] bool is_first() const { return members.rank() == 0; }
  /// What is not whole is not kept.
  void drop() noexcept {
    if (is_finished || name_until_finished.empty() || !is_first()) return;
    ::unlink(name_until_finished.c_str());
    is_finished = true;
  }
};

npy_file::npy_file(std::unique_ptr<state> opened) noexcept : state_(std::move(opened)) {}
npy_file::npy_file(npy_file&&) noexcept = default;

npy_file::~npy_file() {
  if (state_ != nullptr) state_->drop();
}

const npy_file::array_header& npy_file::header() const noexcept { return state_->header; }

npy_file npy_file::create(const team& members, const std::string& path, const char* type,
                          std::span<const std::size_t> extents, std::size_t element,
                          const site& where) {
  auto made = std::make_unique<state>(members, path, "store_npy", where);
  state& here = *made;
  here.header.type = type;
  here.header.extents.assign(extents.begin(), extents.end());
  here.name_until_finished = path + ".being-written";
  const std::string header = header_for(type, extents);
  here.header.bytes = header.size();
  npy_file opened(std::move(made));
  if (here.is_first()) {
    here.file = descriptor(
        ::open(here.name_until_finished.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    std::size_t bytes = header.size() + element;
    for (const std::size_t extent : extents)
      bytes = (bytes - header.size()) * extent + header.size();
    if (!here.file.is_open()) {
      here.problem = errno;
    } else if (const int refused =
                   ::posix_fallocate(here.file.number(), 0, static_cast<off_t>(bytes));
               refused != 0 && refused != EOPNOTSUPP && refused != EINVAL) {
      here.problem = refused;  // the disk is full: better now than half-way
    } else {
      here.problem = write_all(here.file.number(), 0, std::as_bytes(std::span(header)));
    }
  }
  here.agree("write");
  if (!here.is_first()) {
    here.file = descriptor(::open(here.name_until_finished.c_str(), O_RDWR | O_CLOEXEC));
    if (!here.file.is_open()) here.problem = errno;
  }
  here.agree("write");
  return opened;
}

namespace {

/// @throws acre::error
npy_file::array_header read_header(int file, const std::string& path, const site& where) {
  const auto no_npy = [&](const char* why) {
    return error("load_npy",
                 path + " is no file of NumPy's that can be read: " + why + describe_place(where),
                 "write it by numpy.save, of numpy.ascontiguousarray(a)");
  };
  std::array<unsigned char, 12> begin{};
  if (read_all(file, 0, std::as_writable_bytes(std::span(begin)).first(10)) != 0 ||
      std::memcmp(begin.data(), magic.data(), magic.size()) != 0) {
    throw no_npy("it does not begin as one");
  }
  const bool is_long = begin[6] >= 2;  // the length has four bytes
  if (is_long && read_all(file, 10, std::as_writable_bytes(std::span(begin)).subspan(10)) != 0) {
    throw no_npy("it ends in its header");
  }
  std::size_t length = begin[8] | std::size_t{begin[9]} << 8;
  if (is_long) length |= std::size_t{begin[10]} << 16 | std::size_t{begin[11]} << 24;
  if (length > most_header) throw no_npy("its header is longer than 1 MiB");
  const std::size_t before = is_long ? 12 : 10;
  std::string dictionary(length, ' ');
  if (read_all(file, before, std::as_writable_bytes(std::span(dictionary))) != 0) {
    throw no_npy("it ends in its header");
  }
  const auto type = value_after(dictionary, "descr");
  const auto order = value_after(dictionary, "fortran_order");
  const auto shape = value_after(dictionary, "shape");
  if (!type || !order || !shape) throw no_npy("its header does not say type, order and shape");
  if (!type->starts_with('\'')) throw no_npy("its elements are records");
  if (!order->starts_with("False")) throw no_npy("its elements lie by columns");
  const auto extents = extents_in(*shape);
  if (!extents) throw no_npy("its shape is no list of numbers");
  return {.type = std::string(type->substr(1, type->find('\'', 1) - 1)),
          .extents = *extents,
          .bytes = before + length};
}

void check_header(const npy_file::array_header& header, const std::string& path, const char* type,
                  std::size_t dimensions, std::size_t element, std::size_t bytes,
                  const site& where) {
  if (header.type != type) {
    throw error("load_npy",
                path + " has elements of NumPy's type " + header.type + ", and " + type +
                    " was asked for" + describe_place(where),
                "read it as what it is, or convert it: numpy.save(name, a.astype('" +
                    std::string(type) + "'))");
  }
  if (header.extents.size() != dimensions) {
    throw error("load_npy",
                path + " has " + std::to_string(header.extents.size()) + " dimensions (" +
                    layout::extents_text(header.extents) + "), and " + std::to_string(dimensions) +
                    " were asked for" + describe_place(where),
                "read it with as many dimensions as it has");
  }
  std::size_t needed = element;
  for (const std::size_t extent : header.extents) {
    if (extent != 0 && needed > std::numeric_limits<std::size_t>::max() / 2 / extent) {
      needed = std::numeric_limits<std::size_t>::max() / 2;
    } else {
      needed *= extent;
    }
  }
  if (bytes < header.bytes || bytes - header.bytes < needed) {
    throw error("load_npy",
                path + " ends before its last element: " + std::to_string(bytes) + " bytes for " +
                    layout::extents_text(header.extents) + describe_place(where),
                "was it copied as a whole?");
  }
}

}  // namespace

npy_file npy_file::open(const team& members, const std::string& path, const char* type,
                        std::size_t dimensions, std::size_t element, const site& where) {
  auto made = std::make_unique<state>(members, path, "load_npy", where);
  state& here = *made;
  here.file = descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat found{};
  if (!here.file.is_open() || ::fstat(here.file.number(), &found) != 0) here.problem = errno;
  here.agree("read");
  // Each member reads the header: the file is the same for all, and so is what is wrong with it.
  here.header = read_header(here.file.number(), path, where);
  check_header(here.header, path, type, dimensions, element,
               static_cast<std::size_t>(found.st_size), where);
  return npy_file(std::move(made));
}

void npy_file::write(std::size_t offset, std::span<const std::byte> bytes) noexcept {
  if (state_->problem != 0) return;
  state_->problem = write_all(state_->file.number(), state_->header.bytes + offset, bytes);
}

void npy_file::read(std::size_t offset, std::span<std::byte> bytes) noexcept {
  if (state_->problem != 0) return;
  state_->problem = read_all(state_->file.number(), state_->header.bytes + offset, bytes);
}

void npy_file::finish() {
  state& here = *state_;
  const bool is_written = !here.name_until_finished.empty();
  if (is_written && here.problem == 0 && ::fsync(here.file.number()) != 0) here.problem = errno;
  here.agree(is_written ? "write" : "read");
  if (!is_written) return;
  if (here.is_first() && ::rename(here.name_until_finished.c_str(), here.path.c_str()) != 0) {
    here.problem = errno;
  }
  here.agree("write");
  here.is_finished = true;
}

void require_extents_of_file(const std::string& path, std::span<const std::size_t> file,
                             std::span<const std::size_t> range, const site& where) {
  if (std::ranges::equal(file, range)) return;
  throw error("load_npy",
              path + " has " + layout::extents_text(file) + " elements, and the range " +
                  layout::extents_text(range) + describe_place(where),
              "load_npy<T, N>(team, path) makes a matrix as large as the file");
}

}  // namespace acre::detail
