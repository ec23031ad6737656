// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/hdf5/hdf5.hpp>

#include <acre/base/child_stream.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/on_first.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/layout/extents_text.hpp>
#include <acre/matrix_files/hdf5/detail/hdf5_boxes.hpp>
#include <acre/matrix_files/hdf5/detail/hdf5_library.hpp>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <sys/types.h>
#include <utility>

namespace acre {
namespace matrix_files {
namespace {

struct bad_news {
  std::string problem;
  std::string advice;
};

void require_possible(const char* call, const std::string& name,
                      std::span<const std::size_t> extents, std::size_t element) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<off_t>::max());
  const auto fail = [&](const char* what) {
    throw error(call,
                name + ": a dataset of " + layout::extents_text(extents) + " elements " + what,
                "check for a negative extent");
  };
  const bool is_empty = std::ranges::find(extents, std::size_t{0}) != extents.end();
  std::size_t bytes = element;
  for (const std::size_t extent : extents) {
    if (is_empty && extent > most) fail("is empty, but an extent exceeds the maximum file size");
    if (is_empty) continue;
    if (extent > most / bytes) fail("exceeds the maximum file size");
    bytes *= extent;
  }
}

/// Calls look() in a child process: libhdf5 may crash on damaged files.
template <class F>
std::invoke_result_t<F> looked_up(const char* call, const std::string& path, F&& look) {
  base::child_stream child(call, matrix_files::hdf5::reader_of(path),
                           [&](const base::child_stream::sender& send) {
                             const std::vector<std::byte> bytes = serialize(look());
                             const std::size_t size = bytes.size();
                             send(std::as_bytes(std::span(&size, 1)));
                             send(bytes);
                           });
  std::size_t size = 0;
  child.take(std::as_writable_bytes(std::span(&size, 1)));
  std::vector<std::byte> bytes(size);
  child.take(bytes);
  child.finish();
  return deserialize<std::invoke_result_t<F>>(bytes);
}

std::vector<std::size_t> without_ones(std::span<const std::size_t> extents) {
  std::vector<std::size_t> rest;
  std::ranges::copy_if(extents, std::back_inserter(rest), [](std::size_t n) { return n != 1; });
  return rest;
}

void require_box(const char* call, const std::string& what, std::span<const std::size_t> dataset,
                 std::span<const std::size_t> first, std::span<const std::size_t> box,
                 std::span<const std::size_t> range, const site& where) {
  bool is_inside = first.size() == dataset.size();
  for (std::size_t d = 0; is_inside && d < dataset.size(); ++d) {
    is_inside = first[d] <= dataset[d] && box[d] <= dataset[d] - first[d];
  }
  if (!is_inside) {
    throw error(call,
                what + " has " + layout::extents_text(dataset) + " elements, but the box of " +
                    layout::extents_text(box) + " at (" + layout::extents_text(first) +
                    ") exceeds it" + describe_place(where),
                "first + extents of a box must not exceed the dataset's extents in any dimension");
  }
  if (without_ones(box) != without_ones(range)) {
    throw error(call,
                "a box of " + layout::extents_text(box) + " elements does not match a range of " +
                    layout::extents_text(range) + describe_place(where),
                "use the same extents for both; extents of 1 may be omitted");
  }
}

}  // namespace

struct hdf5_input::state {
  struct run {
    std::size_t index;
    std::span<std::byte> bytes;
  };

  hdf5_type type;
  std::string name;
  site where;
  std::string what;
  global::team_file file;
  std::vector<std::size_t> extents{};
  std::string pattern{};
  bool is_direct = false;
  std::size_t offset = 0;
  box_in_file box{};
  std::vector<run> runs{};

  void look();
  void read_by_library();
  void read_boxes(const matrix_files::hdf5::dataset_for_reading& data,
                  const base::child_stream::sender& send) const;
};

hdf5_input::hdf5_input(const team& members, const std::string& path, const std::string& name,
                       const hdf5_type& type, const site& where)
    : state_(new state{.type = type,
                       .name = name,
                       .where = where,
                       .what = path + ": " + name,
                       .file = global::team_file::open(members, path, "load_hdf5", where)}) {
  state_->look();
}
hdf5_input::~hdf5_input() = default;

void hdf5_input::state::look() {
  using found = std::tuple<std::vector<std::size_t>, std::string, bool, std::size_t, std::size_t>;
  std::size_t identity = 0;
  std::tie(extents, pattern, is_direct, offset,
           identity) = global::on_first(file.members(), "load_hdf5", where, [&] {
    using described = std::tuple<std::vector<std::size_t>, std::string, std::optional<std::size_t>>;
    const auto [lengths, stored, at] = looked_up("load_hdf5", file.path(), [&] {
      const matrix_files::hdf5::dataset_for_reading data(file.path(), name, type);
      return described(data.extents(), data.pattern(), data.offset_of_plain_elements());
    });
    require_possible("load_hdf5", what, lengths, type.bytes);
    const std::size_t bytes = elements_in(lengths) * type.bytes;
    if (at && (*at > file.bytes() || bytes > file.bytes() - *at)) {
      throw error("load_hdf5", what + " ends before its last element",
                  "check that the file is complete");
    }
    return found(lengths, stored, at.has_value(), at.value_or(0), file.identity());
  });
  // Member 0 read another file of this name.
  if (identity != file.identity()) file.fail(ESTALE);
}

const std::vector<std::size_t>& hdf5_input::extents() const noexcept { return state_->extents; }
const std::string& hdf5_input::pattern() const noexcept { return state_->pattern; }

void hdf5_input::require_dimensions(std::size_t dimensions) const {
  if (extents().size() == dimensions) return;
  throw error("load_hdf5",
              state_->what + " has " + std::to_string(extents().size()) + " dimensions (" +
                  layout::extents_text(extents()) + "), but " + std::to_string(dimensions) +
                  " were requested" + describe_place(state_->where),
              "load it with its number of dimensions");
}

void hdf5_input::place(std::span<const std::size_t> range) {
  if (!std::ranges::equal(extents(), range)) {
    throw error("load_hdf5",
                state_->what + " has " + layout::extents_text(extents()) +
                    " elements, but the range has " + layout::extents_text(range) +
                    describe_place(state_->where),
                "use load_hdf5<T, N>(team, path, name) for a matrix of the dataset's extents, or "
                "load a box");
  }
  const std::vector<std::size_t> first(range.size(), 0);
  state_->box = box_in_file(extents(), first, range);
}

void hdf5_input::place(std::span<const std::size_t> first, std::span<const std::size_t> box,
                       std::span<const std::size_t> range) {
  require_box("load_hdf5", state_->what, extents(), first, box, range, state_->where);
  state_->box = box_in_file(extents(), first, box);
}

void hdf5_input::read(std::size_t index, std::span<std::byte> bytes) {
  state& here = *state_;
  if (bytes.empty()) return;
  if (!here.is_direct) return here.runs.push_back({index, bytes});
  const std::size_t element = here.type.bytes;
  here.box.each_run(index, bytes.size() / element, [&](std::size_t at, std::size_t count) {
    here.file.read(here.offset + at * element, bytes.first(count * element));
    bytes = bytes.subspan(count * element);
  });
}

void hdf5_input::finish() {
  if (!state_->is_direct) state_->read_by_library();
  state_->file.finish();
}

void hdf5_input::read_run(std::size_t first, std::span<std::byte> bytes) {
  const std::size_t count[] = {bytes.size() / state_->type.bytes};
  place(std::span(&first, 1), count, count);
  read(0, bytes);
  finish();
}

void hdf5_input::state::read_by_library() {
  const team& members = file.members();
  bad_news news;
  try {
    // The child sends elements in ascending order.
    std::ranges::sort(runs, {}, &run::index);
    base::child_stream child(
        "load_hdf5", matrix_files::hdf5::reader_of(file.path()),
        [&](const base::child_stream::sender& send) {
          read_boxes(matrix_files::hdf5::dataset_for_reading(file.path(), name, type), send);
        });
    for (const run& each : runs) child.take(each.bytes);
    child.finish();
  } catch (const error& failed) {
    news = {failed.problem(), failed.advice()};
  }
  const rank_t none = members.size();
  const rank_t failed = members.allreduce(news.problem.empty() ? none : members.rank(), op::min);
  if (failed == none) return;
  const auto [problem, advice] =
      members.broadcast(std::pair(news.problem, news.advice), failed, where);
  throw error("load_hdf5", problem + describe_place(where), advice);
}

void hdf5_input::state::read_boxes(const matrix_files::hdf5::dataset_for_reading& data,
                                   const base::child_stream::sender& send) const {
  merged_boxes boxes(box.extents());
  for (const run& each : runs) boxes.add(each.index, each.bytes.size() / type.bytes);
  constexpr std::size_t most = std::size_t{16} << 20;
  std::vector<std::byte> buffer;
  boxes.each_part(most / type.bytes,
                  [&](std::vector<std::size_t> first, const std::vector<std::size_t>& part) {
                    for (std::size_t d = 0; d < first.size(); ++d) first[d] += box.first()[d];
                    buffer.resize(elements_in(part) * type.bytes);
                    data.read(first, part, buffer.data());
                    send(buffer);
                  });
}

void throw_other_pattern(const std::string& path, const std::string& name,
                         const std::string& stored, rank_t members, const site& where) {
  throw error(
      "load_hdf5_as_stored",
      path + ": " + name + " was stored " +
          (stored.empty() ? "without a pattern" : "with the pattern \"" + stored + "\"") +
          ", which does not match this matrix's type over " + std::to_string(members) + " members" +
          describe_place(where),
      "use load_hdf5<T, N>(team, path, name), which loads it in boxes with any number of members");
}

}  // namespace matrix_files

struct hdf5_writer::state {
  global::team_file file;
  std::optional<matrix_files::hdf5::file_for_writing> library{};

  /// Reserves space for HDF5's own writes: on a full disk, HDF5 1.10 crashes at exit.
  bool make_room(std::size_t bytes = 0) {
    constexpr std::size_t enough = std::size_t{1} << 18;
    file.reserve(library->end(), enough + bytes);
    return file.is_good();
  }

  std::size_t element = 0;
  std::size_t offset = 0;
  matrix_files::box_in_file box{};
};

namespace {

constexpr const char* writer_call = "hdf5_writer";

}  // namespace

hdf5_writer::hdf5_writer(std::unique_ptr<state> made) noexcept : state_(std::move(made)) {}
hdf5_writer::hdf5_writer(hdf5_writer&&) noexcept = default;
hdf5_writer& hdf5_writer::operator=(hdf5_writer&&) noexcept = default;
hdf5_writer::~hdf5_writer() = default;

template <class F>
void hdf5_writer::guarded(site where, F&& f) {
  if (state_ == nullptr) {
    throw error(writer_call, "the writer is closed" + describe_place(where),
                "construct a new writer; an error closes a writer");
  }
  try {
    f(*state_);
  } catch (...) {
    const team members = state_->file.members();
    state_.reset();
    members.barrier(where);  // all have cleaned up
    throw;
  }
}

hdf5_writer::hdf5_writer(const team& members, const std::string& path, const site& where)
    : state_(new state{.file = global::team_file::create(members, path, writer_call, where)}) {
  guarded(where, [&](state& here) {
    here.file.share();
    const bool is_good = global::on_first(members, writer_call, where, [&] {
      here.file.reserve(0, 4096);
      if (!here.file.is_good()) return false;
      here.library.emplace(
          matrix_files::hdf5::file_for_writing::anew(here.file.name_until_finished(), path));
      return here.make_room();
    });
    if (!is_good) here.file.agree();
  });
}

hdf5_writer hdf5_writer::adding_to(const team& members, const std::string& path,
                                   const site& where) {
  const bool is_there = global::on_first(members, writer_call, where, [&] {
    return matrix_files::looked_up(writer_call, path,
                                   [&] { return matrix_files::hdf5::can_add_to(path); });
  });
  if (!is_there) return {members, path, where};
  hdf5_writer made(std::unique_ptr<state>(
      new state{.file = global::team_file::create(members, path, writer_call, where)}));
  made.guarded(where, [&](state& here) {
    here.file.share();
    const auto old = global::team_file::open(members, path, writer_call, where);
    here.file.copy_share(old);
    here.file.agree();
    const bool is_good = global::on_first(members, writer_call, where, [&] {
      here.library.emplace(
          matrix_files::hdf5::file_for_writing::open(here.file.name_until_finished(), path));
      return here.make_room();
    });
    if (!is_good) here.file.agree();
  });
  return made;
}

void hdf5_writer::require_members(const team& of_range, const site& where) const {
  if (state_ == nullptr || state_->file.members() == of_range) return;
  throw error(writer_call, "the range is of another team than the writer" + describe_place(where),
              "construct the writer with the range's team");
}

void hdf5_writer::create(const std::string& name, const matrix_files::hdf5_type& type,
                         std::span<const std::size_t> extents, const site& where) {
  guarded(where, [&](state& here) {
    const bool is_good = global::on_first(here.file.members(), writer_call, where, [&] {
      matrix_files::require_possible(writer_call, name, extents, type.bytes);
      const std::size_t bytes = matrix_files::elements_in(extents) * type.bytes;
      const std::size_t end = here.library->end();
      const std::size_t at = here.library->make(name, type, extents, "");
      here.file.reserve(at, bytes);
      // Only new space is zero.
      if (at < end) here.file.clear(at, bytes);
      return here.make_room();
    });
    if (!is_good) here.file.agree();
  });
}

void hdf5_writer::begin(const std::string& name, const matrix_files::hdf5_type& type,
                        std::span<const std::size_t> extents, const std::string& pattern,
                        const site& where) {
  guarded(where, [&](state& here) {
    const auto [is_good, at] = global::on_first(here.file.members(), writer_call, where, [&] {
      const std::size_t made = here.library->make(name, type, extents, pattern);
      here.file.reserve(made, matrix_files::elements_in(extents) * type.bytes);
      return std::pair(here.make_room(), made);
    });
    if (!is_good) here.file.agree();
    here.offset = at;
    here.element = type.bytes;
    const std::vector<std::size_t> first(extents.size(), 0);
    here.box = matrix_files::box_in_file(extents, first, extents);
  });
}

void hdf5_writer::begin_box(const std::string& name, const matrix_files::hdf5_type& type,
                            std::span<const std::size_t> first, std::span<const std::size_t> box,
                            std::span<const std::size_t> range, const site& where) {
  guarded(where, [&](state& here) {
    const auto [at, extents] = global::on_first(here.file.members(), writer_call, where,
                                                [&] { return here.library->find(name, type); });
    const std::string what = here.file.path() + ": " + name;
    matrix_files::require_box(writer_call, what, extents, first, box, range, where);
    here.offset = at;
    here.element = type.bytes;
    here.box = matrix_files::box_in_file(extents, first, box);
  });
}

std::size_t hdf5_writer::begin_joined(const std::string& name, const matrix_files::hdf5_type& type,
                                      std::size_t mine, const site& where) {
  std::size_t before = 0;
  std::size_t all = 0;
  guarded(where, [&](const state& here) {
    const std::vector<std::size_t> counts = here.file.members().allgather(mine, where);
    const auto me = counts.begin() + static_cast<std::ptrdiff_t>(here.file.members().rank());
    before = std::accumulate(counts.begin(), me, std::size_t{0});
    all = std::accumulate(me, counts.end(), before);
  });
  begin(name, type, std::span(&all, 1), "", where);
  return before;
}

void hdf5_writer::write_run(std::size_t index, std::span<const std::byte> bytes) noexcept {
  state& here = *state_;
  here.box.each_run(index, bytes.size() / here.element, [&](std::size_t at, std::size_t count) {
    here.file.write(here.offset + at * here.element, bytes.first(count * here.element));
    bytes = bytes.subspan(count * here.element);
  });
}

void hdf5_writer::end() {
  guarded(state_->file.where(), [](state& here) { here.file.agree(); });
}

void hdf5_writer::attribute(const std::string& name, const std::string& key,
                            const hdf5_value& value, const site& where) {
  guarded(where, [&](state& here) {
    const bool is_good = global::on_first(here.file.members(), writer_call, where, [&] {
      const auto* text = std::get_if<std::string>(&value);
      if (!here.make_room(text == nullptr ? 0 : 2 * text->size())) return false;
      here.library->say(name, key, value);
      return true;
    });
    if (!is_good) here.file.agree();
  });
}

void hdf5_writer::close(const site& where) {
  guarded(where, [&](state& here) {
    global::on_first(here.file.members(), writer_call, where, [&] {
      if (here.make_room()) here.file.cut(here.library->close());
      return true;
    });
    here.file.finish();
  });
  state_.reset();
}

namespace {

constexpr const char* info_call = "hdf5_info";
using dataset_fields = std::tuple<std::string, std::string, std::vector<std::size_t>, std::string>;

dataset_fields fields_of(const hdf5_dataset& of) {
  return {of.name, of.type, of.extents, of.pattern};
}
hdf5_dataset dataset_of(dataset_fields fields) {
  auto& [name, type, extents, pattern] = fields;
  return {std::move(name), std::move(type), std::move(extents), std::move(pattern)};
}

}  // namespace

std::vector<hdf5_dataset> hdf5_info(const std::string& path) {
  const auto all = matrix_files::looked_up(info_call, path, [&] {
    std::vector<dataset_fields> found;
    for (const hdf5_dataset& each : matrix_files::hdf5::datasets_of(path)) {
      found.push_back(fields_of(each));
    }
    return found;
  });
  std::vector<hdf5_dataset> found;
  for (const dataset_fields& each : all) found.push_back(dataset_of(each));
  return found;
}

std::optional<hdf5_dataset> hdf5_info(const std::string& path, const std::string& name) {
  auto found = matrix_files::looked_up(info_call, path, [&]() -> std::optional<dataset_fields> {
    const auto one = matrix_files::hdf5::dataset_of(path, name);
    if (!one) return std::nullopt;
    return fields_of(*one);
  });
  if (!found) return std::nullopt;
  return dataset_of(std::move(*found));
}

hdf5_value hdf5_attribute(const std::string& path, const std::string& name, const std::string& key,
                          const site& where) {
  return matrix_files::looked_up("hdf5_attribute", path, [&] {
    return matrix_files::hdf5::attribute_of(path, name, key, where);
  });
}

}  // namespace acre
