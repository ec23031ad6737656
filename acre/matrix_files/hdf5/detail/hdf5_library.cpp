// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/hdf5/detail/hdf5_library.hpp>

#include <acre/base/error.hpp>
#include <acre/base/file_size_signal.hpp>
#include <acre/layout/extents_text.hpp>
#include <acre/matrix_files/hdf5/detail/hdf5_boxes.hpp>
#include <acre/matrix_files/hdf5/detail/hdf5_types.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <hdf5.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace acre::matrix_files::hdf5 {
namespace {

constexpr const char* pattern_key = "acre_pattern";
constexpr const char* reading = "load_hdf5";
constexpr const char* writing = "hdf5_writer";

/// HDF5 prints no errors; oversized files raise errors, not SIGXFSZ.
class silence {
 public:
  silence() {
    H5open();
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  silence(const silence&) = delete;
  silence& operator=(const silence&) = delete;

 private:
  const base::file_size_signal_blocked blocked_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

std::string reason() {
  std::string said;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned number, const H5E_error2_t* each, void* to) -> herr_t {
        if (number == 0 && each->desc != nullptr) *static_cast<std::string*>(to) = each->desc;
        return 0;
      },
      &said);
  constexpr std::string_view before = "error message = '";
  if (const std::size_t found = said.find(before); found != std::string::npos) {
    said = said.substr(found + before.size());
    said.resize(std::min(said.find('\''), said.size()));
  }
  return said.empty() ? "HDF5 reports no reason" : said;
}

handle access_to_write() {
  handle made(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(made.number(), H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(made.number(), false, true);
#endif
  return made;
}
handle access_to_read() {
  handle made(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(made.number(), H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(made.number(), true, true);
#endif
  return made;
}

handle open_to_read(const char* call, const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) {
    throw error(call, "cannot read " + path + ": " + std::strerror(errno),
                "all ranks must see the file under this name");
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw error(call, "cannot read " + path + ": " + std::strerror(errno),
                "request permission to read it from its owner");
  }
  if (!S_ISREG(found.st_mode) || H5Fis_hdf5(path.c_str()) <= 0) {
    throw error(call, path + " is not an HDF5 file",
                "check the path; h5ls lists the contents of an HDF5 file");
  }
  const handle access = access_to_read();
  handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.number()), H5Fclose);
  if (file.is_open()) return file;
  const std::string why = reason();
  if (why.starts_with("truncated file")) {
    throw error(call, path + " ends before its last byte: " + why,
                "check that the file is complete");
  }
  throw error(call, "cannot read " + path + ": " + why,
              "check for another writer; h5clear -s clears the mark of a crashed writer");
}

void each_dataset(handle::id group, const std::string& prefix, int depth,
                  const std::function<void(const std::string&, handle::id)>& f) {
  H5G_info_t info{};
  if (depth == 0 || H5Gget_info(group, &info) < 0) return;  // groups may be cyclic
  for (hsize_t each = 0; each < info.nlinks; ++each) {
    std::array<char, 4096> name{};
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, each, name.data(), name.size(),
                           H5P_DEFAULT) < 0) {
      continue;
    }
    const handle object(H5Oopen(group, name.data(), H5P_DEFAULT), H5Oclose);
    if (!object.is_open()) continue;
    const std::string path = prefix + "/" + name.data();
    const H5I_type_t kind = H5Iget_type(object.number());
    if (kind == H5I_DATASET) f(path, object.number());
    if (kind == H5I_GROUP) each_dataset(object.number(), path, depth - 1, f);
  }
}
constexpr int most_groups_deep = 32;

std::string list_of_datasets(handle::id file) {
  std::string list;
  int number = 0;
  each_dataset(file, "", most_groups_deep, [&](const std::string& name, handle::id) {
    constexpr int most = 20;
    if (++number <= most) list += (list.empty() ? "" : ", ") + name;
    if (number == most + 1) list += ", ...";
  });
  return list.empty() ? "it has no datasets" : "it has " + list;
}

bool has(handle::id file, const std::string& path) {
  if (path.find_first_not_of('/') == std::string::npos) return true;
  for (std::size_t end = path.find_first_not_of('/'); end != std::string::npos;) {
    end = path.find('/', end);
    const std::string part = path.substr(0, end);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end != std::string::npos) end = path.find_first_not_of('/', end);
  }
  return H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0;
}

handle open_object(const char* call, handle::id file, const std::string& path,
                   const std::string& name) {
  handle object;
  if (!name.empty() && has(file, name)) {
    object = handle(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose);
  }
  if (object.is_open()) return object;
  throw error(call, path + " does not contain \"" + name + "\"", list_of_datasets(file));
}

std::vector<std::size_t> extents_of(handle::id dataset) {
  const handle space(H5Dget_space(dataset), H5Sclose);
  const int dimensions = std::max(H5Sget_simple_extent_ndims(space.number()), 0);
  std::vector<hsize_t> extents(static_cast<std::size_t>(dimensions));
  H5Sget_simple_extent_dims(space.number(), extents.data(), nullptr);
  return {extents.begin(), extents.end()};
}

std::optional<std::size_t> offset_of(handle::id dataset) {
  const handle how(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(how.number()) != H5D_CONTIGUOUS || H5Pget_external_count(how.number()) != 0) {
    return std::nullopt;
  }
  const haddr_t at = H5Dget_offset(dataset);
  if (at != HADDR_UNDEF) return static_cast<std::size_t>(at);
  if (elements_in(extents_of(dataset)) == 0) return 0;
  return std::nullopt;
}

bool has_type(handle::id dataset, const hdf5_type& type) {
  const handle in_file(H5Dget_type(dataset), H5Tclose);
  return H5Tequal(in_file.number(), make_type(type).number()) > 0;
}

std::optional<std::string> text_in(handle::id attribute, handle::id type) {
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    const handle in_memory(H5Tcopy(type), H5Tclose);
    if (H5Aread(attribute, in_memory.number(), &text) < 0 || text == nullptr) return std::nullopt;
    std::string copied(text);
    H5free_memory(text);
    return copied;
  }
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return std::nullopt;
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::optional<hdf5_value> value_of(handle::id attribute) {
  const handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.number()) != 1) return std::nullopt;
  const handle type(H5Aget_type(attribute), H5Tclose);
  switch (H5Tget_class(type.number())) {
    case H5T_STRING:
      return text_in(attribute, type.number());
    case H5T_FLOAT: {
      double value = 0;
      if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) return std::nullopt;
      return value;
    }
    case H5T_INTEGER: {
      std::int64_t value = 0;
      if (H5Aread(attribute, H5T_NATIVE_INT64, &value) < 0) return std::nullopt;
      return value;
    }
    default:
      return std::nullopt;
  }
}

std::string text_of(handle::id object, const char* key) {
  if (H5Aexists(object, key) <= 0) return {};
  const handle attribute(H5Aopen(object, key, H5P_DEFAULT), H5Aclose);
  const auto value = attribute.is_open() ? value_of(attribute.number()) : std::nullopt;
  const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
  return text == nullptr ? std::string() : *text;
}

hdf5_dataset described(const std::string& name, handle::id dataset) {
  const handle type(H5Dget_type(dataset), H5Tclose);
  return {.name = name,
          .type = type_text(type.number()),
          .extents = extents_of(dataset),
          .pattern = text_of(dataset, pattern_key)};
}

bool set_attribute(handle::id object, const char* key, const hdf5_value& value) {
  if (H5Aexists(object, key) > 0 && H5Adelete(object, key) < 0) return false;
  const handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const auto set = [&](handle::id type, const void* from) {
    const handle made(H5Acreate2(object, key, type, space.number(), H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
    return made.is_open() && H5Awrite(made.number(), type, from) >= 0;
  };
  if (const auto* real = std::get_if<double>(&value)) return set(H5T_NATIVE_DOUBLE, real);
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    return set(H5T_NATIVE_INT64, integer);
  const handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.number(), H5T_VARIABLE);
  H5Tset_cset(type.number(), H5T_CSET_UTF8);
  const char* text = std::get<std::string>(value).c_str();
  return set(type.number(), &text);
}

class any_file_size {
 public:
  any_file_size() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit most = before_;
    most.rlim_cur = most.rlim_max;
    ::setrlimit(RLIMIT_FSIZE, &most);
  }
  ~any_file_size() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  any_file_size(const any_file_size&) = delete;
  any_file_size& operator=(const any_file_size&) = delete;

 private:
  rlimit before_{};
};

/// Discarded files write to memory: on a full disk, HDF5 cannot close them.
void write_to_nowhere(handle::id file) {
  void* found = nullptr;
  const handle access(H5Fget_access_plist(file), H5Pclose);
  if (H5Fget_vfd_handle(file, access.number(), &found) < 0 || found == nullptr) return;
  const int nowhere = ::memfd_create("acre-hdf5-unwritten", MFD_CLOEXEC);
  if (nowhere < 0) return;
  ::dup3(nowhere, *static_cast<int*>(found), O_CLOEXEC);
  ::close(nowhere);
}

}  // namespace

std::string reader_of(const std::string& path) {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return "HDF5 " + std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(release) + " reading " + path;
}

dataset_for_reading::dataset_for_reading(const std::string& path, const std::string& name,
                                         const hdf5_type& type)
    : what_(path + ": " + name) {
  const silence now;
  file_ = open_to_read(reading, path);
  static_cast<void>(open_object(reading, file_.number(), path, name));
  const handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  // Decompresses chunks of successive boxes once.
  H5Pset_chunk_cache(access.number(), 12421, std::size_t{64} << 20, 1);
  dataset_ = handle(H5Dopen2(file_.number(), name.c_str(), access.number()), H5Dclose);
  if (!dataset_.is_open()) {
    throw error(reading, what_ + " is a group, or another object without elements",
                list_of_datasets(file_.number()));
  }
  type_ = make_type(type);
  const handle in_file(H5Dget_type(dataset_.number()), H5Tclose);
  if (!holds_all(type, in_file.number())) {
    throw error(reading,
                what_ + " has elements of type " + type_text(in_file.number()) +
                    ", but the requested type, " + type_text(type_.number()) +
                    ", does not hold all of their values",
                "load it with its own type");
  }
  extents_ = extents_of(dataset_.number());
}

std::optional<std::size_t> dataset_for_reading::offset_of_plain_elements() const {
  const silence now;
  const handle in_file(H5Dget_type(dataset_.number()), H5Tclose);
  if (H5Tequal(in_file.number(), type_.number()) <= 0) return std::nullopt;
  return offset_of(dataset_.number());
}

std::string dataset_for_reading::pattern() const {
  const silence now;
  return text_of(dataset_.number(), pattern_key);
}

void dataset_for_reading::read(std::span<const std::size_t> first, std::span<const std::size_t> box,
                               std::byte* to) const {
  const silence now;
  const std::vector<hsize_t> begin(first.begin(), first.end());
  const std::vector<hsize_t> count(box.begin(), box.end());
  const handle here(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                    H5Sclose);
  const handle there(H5Dget_space(dataset_.number()), H5Sclose);
  if (H5Sselect_hyperslab(there.number(), H5S_SELECT_SET, begin.data(), nullptr, count.data(),
                          nullptr) < 0 ||
      H5Dread(dataset_.number(), type_.number(), here.number(), there.number(), H5P_DEFAULT, to) <
          0) {
    throw error(reading, "cannot read " + what_ + ": " + reason(),
                "h5dump -p prints its filters; install the HDF5 plugin of a missing filter");
  }
}

file_for_writing file_for_writing::anew(const std::string& path, const std::string& shown) {
  const silence now;
  const handle access = access_to_write();
  handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.number()), H5Fclose);
  if (file.is_open()) return file_for_writing(std::move(file));
  throw error(writing, "cannot write " + shown + ": " + reason(),
              "the previous file of this name is unchanged");
}

file_for_writing file_for_writing::open(const std::string& path, const std::string& shown) {
  const silence now;
  const handle access = access_to_write();
  handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.number()), H5Fclose);
  if (file.is_open()) return file_for_writing(std::move(file));
  throw error(writing, "cannot add to a copy of " + shown + ": " + reason(),
              "the previous file of this name is unchanged");
}

file_for_writing::~file_for_writing() {
  if (!file_.is_open()) return;
  const silence now;
  write_to_nowhere(file_.number());
  const any_file_size meanwhile;
  file_ = handle();
}

std::optional<std::size_t> file_for_writing::offset_of_same(const std::string& name,
                                                            const hdf5_type& type,
                                                            std::span<const std::size_t> extents) {
  const handle old(H5Dopen2(file_.number(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!old.is_open()) {
    throw error(writing, name + " is a group, or another object without elements",
                "choose another name");
  }
  if (!has_type(old.number(), type) || !std::ranges::equal(extents_of(old.number()), extents)) {
    return std::nullopt;
  }
  return offset_of(old.number());
}

std::size_t file_for_writing::make(const std::string& name, const hdf5_type& type,
                                   std::span<const std::size_t> extents,
                                   const std::string& pattern) {
  const silence now;
  if (name.find_first_not_of('/') == std::string::npos) {
    throw error(writing, "a dataset needs a name",
                "use, for example, \"/heat\" or \"/fields/heat\"");
  }
  std::optional<std::size_t> at;
  if (has(file_.number(), name)) {
    at = offset_of_same(name, type, extents);
    if (!at && H5Ldelete(file_.number(), name.c_str(), H5P_DEFAULT) < 0) {
      throw error(writing, "cannot replace " + name + ": " + reason(), "choose another name");
    }
  }
  handle dataset;
  if (at) {
    dataset = handle(H5Dopen2(file_.number(), name.c_str(), H5P_DEFAULT), H5Dclose);
  } else {
    const std::vector<hsize_t> lengths(extents.begin(), extents.end());
    const handle space(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr),
                       H5Sclose);
    const handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.number(), 1);
    H5Pset_char_encoding(links.number(), H5T_CSET_UTF8);
    // HDF5 allocates but writes no elements.
    const handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_layout(how.number(), H5D_CONTIGUOUS);
    H5Pset_alloc_time(how.number(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how.number(), H5D_FILL_TIME_NEVER);
    dataset = handle(H5Dcreate2(file_.number(), name.c_str(), make_type(type).number(),
                                space.number(), links.number(), how.number(), H5P_DEFAULT),
                     H5Dclose);
    if (dataset.is_open()) at = offset_of(dataset.number());
  }
  if (at && H5Aexists(dataset.number(), pattern_key) > 0) {
    H5Adelete(dataset.number(), pattern_key);
  }
  if (!at || (!pattern.empty() && !set_attribute(dataset.number(), pattern_key, pattern))) {
    throw error(writing, "cannot create " + name + ": " + reason(),
                "check that no parent in the name is a dataset");
  }
  return *at;
}

std::pair<std::size_t, std::vector<std::size_t>> file_for_writing::find(const std::string& name,
                                                                        const hdf5_type& type) {
  const silence now;
  static_cast<void>(open_object(writing, file_.number(), "the file", name));
  const handle dataset(H5Dopen2(file_.number(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const handle in_file(H5Dget_type(dataset.number()), H5Tclose);
  if (!dataset.is_open() || !has_type(dataset.number(), type)) {
    throw error(writing,
                name + " has elements of type " + type_text(in_file.number()) +
                    ", but the box to store has elements of type " +
                    type_text(make_type(type).number()),
                "store elements of the dataset's type, or replace the whole dataset");
  }
  const auto at = offset_of(dataset.number());
  if (!at) {
    throw error(writing, name + " is chunked, or in another file",
                "create a contiguous dataset for boxes, with hdf5_writer::create()");
  }
  return {*at, extents_of(dataset.number())};
}

void file_for_writing::say(const std::string& name, const std::string& key,
                           const hdf5_value& value) {
  const silence now;
  const handle object = open_object(writing, file_.number(), "the file", name);
  if (!set_attribute(object.number(), key.c_str(), value)) {
    throw error(writing, "cannot set the attribute " + key + " of " + name + ": " + reason(),
                "keys must not be empty, and text must not contain zero bytes");
  }
}

std::size_t file_for_writing::end() const {
  const silence now;
  hsize_t bytes = 0;
  H5Fget_filesize(file_.number(), &bytes);
  return static_cast<std::size_t>(bytes);
}

std::size_t file_for_writing::close() {
  const silence now;
  haddr_t bytes = 0;
  if (H5Fflush(file_.number(), H5F_SCOPE_GLOBAL) < 0 || H5Fget_eoa(file_.number(), &bytes) < 0) {
    throw error(writing, "cannot write the file: " + reason(),
                "free space, or write elsewhere; the previous file of this name is unchanged");
  }
  file_ = handle();
  return static_cast<std::size_t>(bytes);
}

bool can_add_to(const std::string& path) {
  const silence now;
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  const handle file = open_to_read(writing, path);
  each_dataset(file.number(), "", most_groups_deep, [](const std::string& name, handle::id id) {
    static_cast<void>(described(name, id));
    static_cast<void>(offset_of(id));
    H5Aiterate2(
        id, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t object, const char* key, const H5A_info_t*, void*) -> herr_t {
          const handle attribute(H5Aopen(object, key, H5P_DEFAULT), H5Aclose);
          if (attribute.is_open()) static_cast<void>(value_of(attribute.number()));
          return 0;
        },
        nullptr);
  });
  return true;
}

std::optional<hdf5_dataset> dataset_of(const std::string& path, const std::string& name) {
  const silence now;
  const handle file = open_to_read("hdf5_info", path);
  if (!has(file.number(), name)) return std::nullopt;
  const handle dataset(H5Dopen2(file.number(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.is_open()) return std::nullopt;
  return described(name, dataset.number());
}

std::vector<hdf5_dataset> datasets_of(const std::string& path) {
  const silence now;
  const handle file = open_to_read("hdf5_info", path);
  std::vector<hdf5_dataset> found;
  each_dataset(file.number(), "", most_groups_deep, [&](const std::string& name, handle::id id) {
    found.push_back(described(name, id));
  });
  return found;
}

hdf5_value attribute_of(const std::string& path, const std::string& name, const std::string& key,
                        const site& where) {
  const silence now;
  constexpr const char* call = "hdf5_attribute";
  const handle file = open_to_read(call, path);
  const handle object = open_object(call, file.number(), path, name);
  const bool is_said = H5Aexists(object.number(), key.c_str()) > 0;
  const handle attribute(is_said ? H5Aopen(object.number(), key.c_str(), H5P_DEFAULT) : -1,
                         H5Aclose);
  const auto value = attribute.is_open() ? value_of(attribute.number()) : std::nullopt;
  if (value) return *value;
  throw error(call,
              path + ": " + name + " has " +
                  (is_said ? "a value that is neither a number nor text" : "no value") +
                  " under the key \"" + key + "\"" + describe_place(where),
              "h5dump -A lists all keys and values");
}

}  // namespace acre::matrix_files::hdf5
