#include <acre/topology/specification.hpp>

#include <acre/base/error.hpp>
#include <acre/topology/dragonfly.hpp>
#include <acre/topology/fat_tree.hpp>
#include <acre/topology/torus.hpp>

#include <charconv>
#include <optional>
#include <utility>

namespace acre::topology {
namespace {

constexpr double gigabyte = 1e9;

/// Reads a specification from left to right; says where it is wrong.
class reader {
 public:
  explicit reader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool ended() const { return at_ == text_.size(); }

  /// Whether `c` comes next; takes it.
  bool take(char c) {
    if (ended() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, std::string_view before) {
    if (!take(c)) fail("a '" + std::string(1, c) + "' and " + std::string(before));
  }
  std::uint32_t number() { return parse<std::uint32_t>("a number"); }
  double bandwidth() {
    const std::size_t begin = at_;
    const auto value = parse<double>("a bandwidth in GB/s");
    if (!(value > 0) || value > 1e9) {
      at_ = begin;
      fail("a bandwidth in GB/s");
    }
    return value * gigabyte;
  }
  /// Numbers with `between` between them.
  std::vector<std::uint32_t> numbers(char between) {
    std::vector<std::uint32_t> found;
    do found.push_back(number());
    while (take(between));
    return found;
  }
  void expect_end() {
    if (!ended()) fail("the end");
  }
  [[noreturn]] void fail(const std::string& wanted) const {
    const std::string found = ended() ? "the end" : "'" + std::string(text_.substr(at_)) + "'";
    throw error("topology::make_network",
                "'" + std::string(text_) + "': expected " + wanted + " at position " +
                    std::to_string(at_ + 1) + ", found " + found,
                advice());
  }
  [[nodiscard]] static std::string advice() {
    return "write torus:8x8x6, mesh:16x16, hypercube:7, fat-tree:2;4,4;1,2;1,2, "
           "dragonfly:8x6x16x4 or tree:4x8x16";
  }

 private:
  template <class Number>
  Number parse(const char* wanted) {
    Number value{};
    const char* end = text_.data() + text_.size();
    const auto [stop, problem] = std::from_chars(text_.data() + at_, end, value);
    if (problem != std::errc()) fail(wanted);
    at_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::unique_ptr<const network> make_torus(reader& text, bool wraps) {
  std::vector<torus::dimension> dimensions;
  do {
    dimensions.push_back({.extent = text.number(), .wraps = wraps});
    if (text.take('m')) dimensions.back().wraps = false;
  } while (text.take('x'));
  const std::uint32_t nodes_a_router = text.take('*') ? text.number() : 1;
  if (text.take('@')) {
    double speed = text.bandwidth();
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      if (d != 0 && text.take(',')) speed = text.bandwidth();
      dimensions[d].bandwidth = speed;
    }
  }
  return std::make_unique<torus>(std::move(dimensions), nodes_a_router);
}

std::unique_ptr<const network> make_hypercube(reader& text) {
  const std::uint32_t dimensions = text.number();
  const double speed = text.take('@') ? text.bandwidth() : usual_bandwidth;
  return std::make_unique<torus>(hypercube(dimensions, speed));
}

std::unique_ptr<const network> make_fat_tree(reader& text) {
  const std::uint32_t levels = text.number();
  std::vector<fat_tree::level> shape;
  const auto row = [&](const char* what, auto member) {
    text.expect(';', what);
    const std::vector<std::uint32_t> each = text.numbers(',');
    if (each.size() != levels) text.fail(std::to_string(levels) + " " + what);
    shape.resize(levels);
    for (std::size_t l = 0; l < levels; ++l) shape[l].*member = each[l];
  };
  row("numbers of children", &fat_tree::level::children);
  row("numbers of parents", &fat_tree::level::parents);
  row("numbers of cables", &fat_tree::level::cables);
  if (text.take('@')) {
    const double speed = text.bandwidth();
    for (fat_tree::level& each : shape) each.bandwidth = speed;
  }
  return std::make_unique<fat_tree>(std::move(shape));
}

std::unique_ptr<const network> make_dragonfly(reader& text) {
  dragonfly::shape form;
  form.groups = text.number();
  text.expect('x', "the chassis of a group");
  form.chassis = text.number();
  text.expect('x', "the blades of a chassis");
  form.blades = text.number();
  text.expect('x', "the nodes of a blade");
  form.nodes = text.number();
  if (text.take('@')) {
    form.node_bandwidth = form.blade_bandwidth = form.chassis_bandwidth = form.group_bandwidth =
        text.bandwidth();
  }
  return std::make_unique<dragonfly>(form);
}

/// A fat tree whose every switch has one parent.
std::unique_ptr<const network> make_tree(reader& text) {
  const std::vector<std::uint32_t> fan_out = text.numbers('x');
  const double speed = text.take('@') ? text.bandwidth() : usual_bandwidth;
  std::vector<fat_tree::level> levels;
  for (auto each = fan_out.rbegin(); each != fan_out.rend(); ++each) {
    levels.push_back({.children = *each, .bandwidth = speed});
  }
  return std::make_unique<fat_tree>(std::move(levels));
}

}  // namespace

std::unique_ptr<const network> make_network(std::string_view specification) {
  const std::size_t colon = specification.find(':');
  const std::string_view kind = specification.substr(0, colon);
  reader text(specification);
  for (std::size_t i = 0; i < kind.size(); ++i) text.take(kind[i]);
  const auto made = [&](auto make, auto... more) {
    text.expect(':', "its numbers");
    std::unique_ptr<const network> network = make(text, more...);
    text.expect_end();
    return network;
  };
  if (kind == "torus") return made(make_torus, true);
  if (kind == "mesh") return made(make_torus, false);
  if (kind == "hypercube") return made(make_hypercube);
  if (kind == "fat-tree") return made(make_fat_tree);
  if (kind == "dragonfly") return made(make_dragonfly);
  if (kind == "tree") return made(make_tree);
  throw error("topology::make_network",
              "'" + std::string(specification) + "' names no kind of network", reader::advice());
}

}  // namespace acre::topology
