// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/ibnetdiscover.hpp>

#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/remarks.hpp>
#include <acre/topology/graph.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace acre::machines {
namespace {

std::optional<std::string_view> parse_quoted(std::string_view& text) {
  const std::size_t begin = text.find('"');
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find('"', begin + 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(begin + 1, end - begin - 1);
  text.remove_prefix(end + 1);
  return inside;
}

std::optional<std::uint32_t> take_port(std::string_view& text) {
  if (!text.starts_with('[')) return std::nullopt;
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos) return std::nullopt;
  const auto number = as_number(text.substr(1, end - 1));
  text.remove_prefix(end + 1);
  return number;
}

/// Bytes per second per lane, without the coding overhead.
struct lane_speed {
  std::string_view name;
  double bandwidth;
};
constexpr std::array lane_speeds{
    lane_speed{"SDR", 0.25e9},   lane_speed{"DDR", 0.5e9},      lane_speed{"QDR", 1e9},
    lane_speed{"FDR10", 1.25e9}, lane_speed{"FDR", 1.704545e9}, lane_speed{"EDR", 3.125e9},
    lane_speed{"HDR", 6.25e9},   lane_speed{"NDR", 12.5e9},     lane_speed{"XDR", 25e9}};

std::optional<double> bandwidth_of(std::string_view word) {
  const std::size_t cross = word.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto lanes = as_number(word.substr(0, cross));
  const auto speed = std::ranges::find(lane_speeds, word.substr(cross + 1), &lane_speed::name);
  if (!lanes || *lanes == 0 || *lanes > 16 || speed == lane_speeds.end()) return std::nullopt;
  return *lanes * speed->bandwidth;
}

/// True for adapter names of drivers: "HCA-1", "mlx5_0".
bool is_device(std::string_view word) {
  constexpr std::array<std::string_view, 10> drivers{"HCA-", "mlx4_", "mlx5_", "mthca", "hfi1_",
                                                     "qib",  "ibp",   "rocep", "irdma", "ehca"};
  return std::ranges::any_of(drivers, [&](std::string_view each) {
    return word.starts_with(each) && word.size() > each.size();
  });
}

bool names_device(std::string_view description) { return words_of(description).size() > 1; }

/// True for product names ("MT4119"), set by firmware if the driver sets no host.
bool is_product(std::string_view word) {
  constexpr std::array<std::string_view, 5> makers{"ConnectX", "Mellanox", "NVIDIA", "InfiniHost",
                                                   "QLogic"};
  const bool is_model = word.starts_with("MT") && word.size() > 4 && as_number(word.substr(2, 3));
  return is_model ||
         std::ranges::any_of(makers, [&](std::string_view each) { return word.starts_with(each); });
}

/// Host in "NAME DEVICE …", "NAME WORD", "NAME" or "DEVICE NAME"; empty if missing.
std::string_view host_in(std::string_view description) {
  std::vector<std::string_view> words = words_of(description);
  if (words.size() == 2 && is_device(words.front())) std::ranges::reverse(words);
  if (words.empty() || is_product(words.front()) || is_device(words.front())) return {};
  if (words.front().starts_with("localhost") || words.front() == "(none)") return {};
  const bool is_host = words.size() <= 2 || is_device(words[1]);
  return is_host ? words.front() : std::string_view();
}

struct device {
  enum class kind { host, inner, aggregation };
  kind is;
  std::size_t line;
  std::string description;
};

struct joint {
  std::size_t line;
  std::uint32_t device;
  std::uint32_t port;
  std::string peer;
  std::uint32_t peer_port;
  double bandwidth;
};

class fabric_reader {
 public:
  explicit fabric_reader(const source_text& file)
      : file_(file), remarks_(file), guids_(file, "device") {}

  described_network read() {
    for (text_line line : file_.all_lines()) {
      line.text = without_blanks_around(line.text);
      if (line.text.starts_with('[')) {
        read_port(line);
      } else {
        read_heading(line);
      }
    }
    number_vertices();
    if (nodes_ == 0) {
      file_.fail("the file contains no host adapter (a line that begins with Ca)",
                 "check that the file is complete");
    }
    join_cables();
    described_network made{.network = nullptr, .node_names = std::move(host_names_)};
    made.warnings = remarks_.texts();
    made.network = file_.as_a_whole([&] {
      auto groups = topology::groups_by_switches(nodes_, switches_, cables_);
      return std::make_unique<topology::graph>(nodes_, switches_, std::move(cables_),
                                               std::move(groups));
    });
    return made;
  }

 private:
  void read_heading(const text_line& line) {
    const std::size_t end = std::min(line.text.find_first_of(" \t"), line.text.size());
    const std::string_view word = line.text.substr(0, end);
    const bool is_host = word == "Ca";
    if (!is_host && word != "Switch" && word != "Rt") return;
    std::string_view rest = line.text.substr(end);
    const std::size_t comment = rest.find('#');
    const auto guid = rest.find('"') < comment ? parse_quoted(rest) : std::nullopt;
    if (!guid || guid->empty() || guid->size() > longest_name) {
      file_.fail(line.number, "a " + std::string(word) + " has no GUID in quotes",
                 "check that the file is complete");
    }
    guids_.add(std::string(*guid), line.number);
    const std::string description(parse_quoted(rest).value_or(""));
    auto kind = is_host ? device::kind::host : device::kind::inner;
    if (is_host && description.find("Aggregation Node") != std::string::npos) {
      kind = device::kind::aggregation;
    }
    devices_.push_back(
        {.is = kind, .line = line.number, .description = description.substr(0, longest_name)});
  }

  /// Format: [22] "H-0008f10403961354"[1](8f10403961355) # "node07 HCA-1" lid 4 4xEDR
  void read_port(const text_line& line) {
    std::string_view rest = line.text;
    const auto port = take_port(rest);
    const auto before = rest.substr(0, rest.find('"'));
    const auto peer = parse_quoted(rest);
    const auto peer_port = take_port(rest);
    if (!port || !peer || !peer_port || before.find('#') != std::string_view::npos ||
        peer->size() > longest_name) {
      file_.fail(line.number, "expected a port and its peer, found " + in_quotes(line.text),
                 "write a line of the form: [22] \"H-0008f10403961354\"[1]  # \"node07 HCA-1\" lid "
                 "4 4xEDR");
    }
    if (devices_.empty()) {
      file_.fail(line.number, "a port precedes the first Switch or Ca",
                 "check that the file is complete");
    }
    if (joints_.size() == 2 * most_links)
      file_.fail(line.number, "the file has more than 2^24 ports", if_too_large);
    joints_.push_back({.line = line.number,
                       .device = static_cast<std::uint32_t>(devices_.size() - 1),
                       .port = *port,
                       .peer = std::string(*peer),
                       .peer_port = *peer_port,
                       .bandwidth = bandwidth_in(line, rest)});
  }

  [[nodiscard]] double bandwidth_in(const text_line& line, std::string_view rest) const {
    const std::size_t comment = rest.find('#');
    if (comment == std::string_view::npos) return topology::usual_bandwidth;
    rest.remove_prefix(comment + 1);
    const std::size_t quote = rest.rfind('"');
    if (quote != std::string_view::npos) rest.remove_prefix(quote + 1);
    for (const std::string_view word : words_of(rest)) {
      if (word.find('x') == std::string_view::npos) continue;
      if (const auto known = bandwidth_of(word)) return *known;
      file_.fail(line.number, in_quotes(word) + " is not a known width and speed of a cable",
                 "use 1x … 16x SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR or XDR");
    }
    return topology::usual_bandwidth;
  }

  /// These are different hosts, as adapters of one host differ.
  [[nodiscard]] std::set<std::string_view> shared_descriptions() const {
    std::set<std::string_view> seen;
    std::set<std::string_view> shared;
    for (const device& each : devices_) {
      if (each.is != device::kind::host || !names_device(each.description)) continue;
      if (!seen.insert(each.description).second) shared.insert(each.description);
    }
    return shared;
  }

  void number_vertices() {
    const std::set<std::string_view> shared = shared_descriptions();
    for (std::uint32_t i = 0; i < devices_.size(); ++i) {
      const device& each = devices_[i];
      number_in_kind_.push_back(0);
      if (each.is == device::kind::inner) number_in_kind_.back() = switches_++;
      if (each.is != device::kind::host) continue;
      const std::string_view name =
          shared.contains(each.description) ? std::string_view() : host_in(each.description);
      number_in_kind_.back() = name.empty() ? node_of_guid(i) : node_of_host(each, name);
    }
  }

  std::uint32_t node_of_guid(std::uint32_t which) {
    const device& adapter = devices_[which];
    remarks_.add(adapter.line,
                 "the adapter " + in_quotes(adapter.description) + " does not contain a host name",
                 "it is treated as a node named by its GUID");
    host_names_.push_back(guids_.name(which));
    return nodes_++;
  }

  std::uint32_t node_of_host(const device& adapter, std::string_view name) {
    const auto [known, added] = hosts_.emplace(name, nodes_);
    if (added) {
      host_names_.emplace_back(name);
      return nodes_++;
    }
    remarks_.add(
        adapter.line,
        in_quotes(adapter.description) + " is a further adapter of node " + in_quotes(name),
        "adapters with the same host name are treated as one node with several cables");
    return known->second;
  }

  [[nodiscard]] topology::graph::vertex_t vertex(std::uint32_t which) const {
    const bool is_host = devices_[which].is == device::kind::host;
    return is_host ? number_in_kind_[which] : nodes_ + number_in_kind_[which];
  }

  void join_cables() {
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> known;
    for (const joint& each : joints_) {
      const auto peer = guids_.find(each.peer);
      if (!peer) {
        file_.fail(each.line,
                   "the port leads to " + in_quotes(each.peer) + ", which is missing in the file",
                   "check that the file is complete, or run ibnetdiscover again");
      }
      const bool first = std::pair(each.device, each.port) <= std::pair(*peer, each.peer_port);
      const auto cable = first ? std::tuple(each.device, each.port, *peer, each.peer_port)
                               : std::tuple(*peer, each.peer_port, each.device, each.port);
      const bool to_aggregation = devices_[each.device].is == device::kind::aggregation ||
                                  devices_[*peer].is == device::kind::aggregation;
      const topology::graph::vertex_t a = vertex(each.device);
      if (to_aggregation || !known.insert(cable).second || a == vertex(*peer)) continue;
      cables_.push_back({.a = a, .b = vertex(*peer), .bandwidth = each.bandwidth});
    }
  }

  const source_text& file_;
  remarks remarks_;
  name_numbers guids_;
  std::vector<device> devices_;
  std::vector<joint> joints_;

  topology::node_t nodes_ = 0;
  std::uint32_t switches_ = 0;
  std::vector<std::uint32_t> number_in_kind_;
  std::vector<std::string> host_names_;
  std::unordered_map<std::string_view, std::uint32_t> hosts_;
  std::vector<topology::graph::cable> cables_;
};

}  // namespace

described_network read_ibnetdiscover(const source_text& file) { return fabric_reader(file).read(); }

}  // namespace acre::machines
