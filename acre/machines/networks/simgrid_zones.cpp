// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/simgrid_zones.hpp>

#include <acre/machines/networks/bandwidth_text.hpp>
#include <acre/machines/networks/detail/xml_text.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/remarks.hpp>
#include <acre/machines/networks/zone_network.hpp>

#include <algorithm>
#include <array>

namespace acre::machines {
namespace {

using member_t = zone_map::member_t;
using enum zone_map::kind;
using enum zone_map::routing;

struct routing_name {
  std::string_view name;
  zone_map::routing by;
};
constexpr std::array routing_names{
    routing_name{"Full", table},        routing_name{"Floyd", shortest},
    routing_name{"Dijkstra", shortest}, routing_name{"DijkstraCache", shortest},
    routing_name{"Cluster", star},      routing_name{"None", none},
    routing_name{"Vivaldi", none},      routing_name{"Wifi", none}};

constexpr std::array<std::string_view, 9> others{"prop",          "config", "trace",
                                                 "trace_connect", "disk",   "storage",
                                                 "storage_type",  "mount",  "include"};

/// AS is the name in SimGrid 3.
bool is_zone(std::string_view element) { return element == "zone" || element == "AS"; }
bool is_zone_route(std::string_view element) {
  return element == "zoneRoute" || element == "ASroute";
}

class platform_reader {
 public:
  explicit platform_reader(const source_text& file)
      : file_(file),
        remarks_(file),
        points_(file, "host or router"),
        zones_(file, "zone"),
        link_names_(file, "link") {}

  described_network read(const pugi::xml_node& platform) {
    const pugi::xml_node root = only_zone(platform);
    add_zone(root, 0);
    add_routes();
    return finished(line(root));
  }

 private:
  [[noreturn]] void fail(const pugi::xml_node& at, std::string_view problem,
                         std::string_view advice) const {
    file_.fail(line(at), problem, advice);
  }

  [[nodiscard]] std::size_t line(const pugi::xml_node& at) const {
    return line_of(file_, at.offset_debug());
  }

  [[nodiscard]] std::string_view attribute(const pugi::xml_node& of, const char* name) const {
    return of.attribute(name).as_string();
  }

  [[nodiscard]] std::string needed(const pugi::xml_node& of, const char* name) const {
    const std::string_view value = attribute(of, name);
    if (value.empty() || value.size() > longest_name) {
      fail(of,
           std::string(of.name()) + " has no " + name + ", or its length exceeds 255 characters",
           "check that the file is complete");
    }
    return std::string(value);
  }

  [[nodiscard]] static pugi::xml_node only_zone(const pugi::xml_node& platform) {
    pugi::xml_node found = platform;
    std::size_t tops = 0;
    for (const pugi::xml_node each : platform.children()) {
      const std::string_view kind = each.name();
      if (is_zone(kind)) found = each;
      if (is_zone(kind) || kind == "cluster" || kind == "host") ++tops;
    }
    return tops == 1 ? found : platform;
  }

  member_t add_member(zone_map::kind kind, member_t zone, std::string name, std::size_t at) {
    if (map_.members.size() == 2 * most_nodes)
      file_.fail(at, "the platform has more than 2^21 hosts, routers and zones", if_too_large);
    map_.members.push_back({.is = kind, .zone = zone, .name = std::move(name)});
    lines_.push_back(at);
    return static_cast<member_t>(map_.members.size() - 1);
  }

  member_t add_point(zone_map::kind kind, member_t zone, const std::string& name, std::size_t at) {
    points_.add(name, at);
    member_of_point_.push_back(add_member(kind, zone, name, at));
    return member_of_point_.back();
  }

  [[nodiscard]] zone_map::routing routing_of(const pugi::xml_node& zone) const {
    if (!is_zone(zone.name())) return none;
    const std::string_view said = attribute(zone, "routing");
    const auto known = std::ranges::find_if(
        routing_names, [&](const routing_name& each) { return same_word(each.name, said); });
    if (known != routing_names.end()) return known->by;
    fail(zone, "the routing " + in_quotes(said) + " is unknown",
         "use Full, Floyd, Dijkstra, DijkstraCache, Cluster or None");
  }

  void add_zone(const pugi::xml_node& element, member_t above) {
    constexpr unsigned deepest = 32;
    if (++depth_ > deepest)
      fail(element, "zones are nested too deeply", "check that it is the right file");
    if (!map_.members.empty() && map_.members[above].by == star) {
      fail(element, "a zone is inside a zone of routing Cluster",
           "set routing=\"Full\" in the outer zone");
    }
    const bool is_named = is_zone(element.name());
    const std::string name = is_named ? needed(element, "id") : "platform";
    zones_.add(name, line(element));
    const member_t zone = add_member(zone_map::kind::zone, above, name, line(element));
    member_of_zone_.push_back(zone);
    map_.members[zone].by = routing_of(element);
    for (const pugi::xml_node each : element.children()) add_part(each, zone);
    --depth_;
  }

  void add_part(const pugi::xml_node& element, member_t zone) {
    const std::string_view kind = element.name();
    if (kind == "host") {
      add_point(host, zone, needed(element, "id"), line(element));
    } else if (kind == "router") {
      add_point(router, zone, needed(element, "id"), line(element));
    } else if (kind == "link") {
      add_link(needed(element, "id"), attribute(element, "bandwidth"),
               attribute(element, "sharing_policy"), "SHARED", line(element));
    } else if (is_zone(kind)) {
      add_zone(element, zone);
    } else if (kind == "cluster") {
      add_cluster(element, zone);
    } else if (kind == "cabinet") {
      add_spokes(element, zone, attribute(element, "id"));
    } else if (kind == "backbone") {
      map_.backbones[zone] = add_link(needed(element, "id"), attribute(element, "bandwidth"),
                                      "SHARED", "SHARED", line(element));
    } else if (kind == "route" || is_zone_route(kind) || kind == "host_link") {
      routes_.push_back({element, zone});
    } else if (!kind.empty() && std::ranges::find(others, kind) == others.end()) {
      fail(element, "<" + std::string(kind) + "> is unsupported",
           "describe the network without it");
    }
  }

  void add_cluster(const pugi::xml_node& element, member_t above) {
    const std::string_view form = attribute(element, "topology");
    if (!form.empty() && form != "FLAT") {
      fail(element, "a cluster of topology " + in_quotes(form) + " is not alone in the file",
           "keep only the cluster of the job");
    }
    if (map_.members[above].by == star) {
      fail(element, "a cluster is inside a zone of routing Cluster",
           "set routing=\"Full\" in the outer zone");
    }
    const std::string name = needed(element, "id");
    zones_.add(name, line(element));
    const member_t zone = add_member(zone_map::kind::zone, above, name, line(element));
    member_of_zone_.push_back(zone);
    map_.members[zone].by = star;
    add_spokes(element, zone, name);
    std::string gate(attribute(element, "router_id"));
    if (gate.empty()) {
      gate = std::string(attribute(element, "prefix")) + name + "_router" +
             std::string(attribute(element, "suffix"));
    }
    add_point(router, zone, gate, line(element));
    if (const std::string_view wide = attribute(element, "bb_bw"); !wide.empty()) {
      map_.backbones[zone] =
          add_link(name + "_backbone", wide, attribute(element, "bb_sharing_policy"), "SHARED",
                   line(element));
    }
  }

  void add_spokes(const pugi::xml_node& element, member_t zone, std::string_view name) {
    const std::string before(attribute(element, "prefix"));
    const std::string after(attribute(element, "suffix"));
    if (before.size() + after.size() > longest_name)
      fail(element, "a name is too long", "use at most 255 characters");
    for (const std::uint32_t number :
         simgrid_radical(file_, line(element), attribute(element, "radical"))) {
      const std::string digits = std::to_string(number);
      std::string called = before;
      const member_t each =
          add_point(host, zone, called.append(digits).append(after), line(element));
      const topology::link_t link =
          new_link(std::string(name) + " link " + digits, attribute(element, "bw"),
                   attribute(element, "sharing_policy"), "SPLITDUPLEX", line(element));
      map_.spokes[each] = {.up = link, .down = back_[link]};
    }
  }

  topology::link_t add_link(const std::string& name, std::string_view bandwidth,
                            std::string_view policy, std::string_view usual_policy,
                            std::size_t at) {
    link_names_.add(name, at);
    link_of_name_.push_back(new_link(name, bandwidth, policy, usual_policy, at));
    return link_of_name_.back();
  }

  topology::link_t new_link(const std::string& name, std::string_view bandwidth,
                            std::string_view policy, std::string_view usual_policy,
                            std::size_t at) {
    if (policy.empty()) policy = usual_policy;
    auto carried = as_bandwidth(bandwidth, 1);
    if (!carried) {
      file_.fail(at,
                 "link " + in_quotes(name) + " has an invalid bandwidth, " + in_quotes(bandwidth),
                 "write 125MBps; Wifi links of several bandwidths are unsupported");
    }
    if (policy == "FATPIPE") {
      constexpr double never_busy = 1e6 * topology::gigabyte;
      carried = never_busy;
      remarks_.add(at, "link " + in_quotes(name) + " is a FATPIPE, which has unlimited bandwidth",
                   "10^6 GB/s are assumed");
    }
    if (back_.size() + 2 > 2 * most_links)
      file_.fail(at, "the platform has more than 2^23 links", if_too_large);
    const auto there = static_cast<topology::link_t>(map_.links.size());
    if (policy == "SPLITDUPLEX") {
      map_.links.push_back({.name = name + " up", .bandwidth = *carried});
      map_.links.push_back({.name = name + " down", .bandwidth = *carried});
      back_.push_back(there + 1);
      back_.push_back(there);
    } else {
      map_.links.push_back({.name = name, .bandwidth = *carried});
      back_.push_back(there);
    }
    return there;
  }

  /// Link "l1" in the given direction, or by name "l1_UP", "l1_DOWN".
  [[nodiscard]] topology::link_t link_called(const pugi::xml_node& by, std::string_view name,
                                             std::string_view direction) const {
    std::string stem(name);
    auto known = link_names_.find(stem);
    if (!known) {
      for (const std::string_view end : {"_UP", "_DOWN"}) {
        if (!stem.ends_with(end)) continue;
        stem.resize(stem.size() - end.size());
        direction = end.substr(1);
        known = link_names_.find(stem);
        break;
      }
    }
    if (!known) {
      fail(by, "link " + in_quotes(name) + " not found", "check that the file is complete");
    }
    const topology::link_t link = link_of_name_[*known];
    return direction == "DOWN" ? back_[link] : link;
  }

  void add_routes() {
    for (const auto& [element, zone] : routes_) {
      const std::string_view kind = element.name();
      if (kind == "host_link") {
        add_host_link(element);
      } else if (kind == "route") {
        const member_t from = point(element, "src");
        const member_t to = point(element, "dst");
        if (from != to) add_way(element, zone, {from, to, from, to, links_of(element)});
      } else {
        const member_t from = zone_called(element, "src");
        const member_t to = zone_called(element, "dst");
        const member_t out = point(element, "gw_src");
        const member_t in = point(element, "gw_dst");
        if (from == to) fail(element, "the route leads from a zone to itself", "remove it");
        expect_inside(element, out, from);
        expect_inside(element, in, to);
        add_way(element, zone, {from, to, out, in, links_of(element)});
      }
    }
    expect_few();
  }

  /// Shortest-path zones store a matrix.
  void expect_few() const {
    constexpr std::uint32_t most = 1024;
    std::vector<std::uint32_t> members(map_.members.size(), 0);
    for (const zone_map::member& each : map_.members) {
      const bool fits = map_.members[each.zone].by != shortest || ++members[each.zone] <= most;
      if (fits) continue;
      file_.fail(lines_[each.zone],
                 "zone " + in_quotes(map_.members[each.zone].name) + " has more than 1024 members",
                 "set routing=\"Full\", or divide the zone");
    }
  }

  void add_host_link(const pugi::xml_node& element) {
    const member_t which = point(element, "id");
    map_.spokes[which] = {.up = link_called(element, needed(element, "up"), "UP"),
                          .down = link_called(element, needed(element, "down"), "DOWN")};
  }

  void add_way(const pugi::xml_node& element, member_t zone, zone_map::way way) {
    for (const member_t end : {way.from, way.to}) {
      if (map_.members[end].zone == zone) continue;
      fail(element,
           in_quotes(map_.members[end].name) + " is not in zone " +
               in_quotes(map_.members[zone].name) + " itself",
           "move the route to the zone that contains both ends");
    }
    joined_ += way.links.size() + 1;
    if (joined_ > most_links) fail(element, "routes have more than 2^23 links", if_too_large);
    const bool both = !same_word(attribute(element, "symmetrical"), "NO");
    zone_map::way back{way.to, way.from, way.in, way.out, {}};
    for (auto link = way.links.rbegin(); link != way.links.rend(); ++link) {
      back.links.push_back(back_[*link]);
    }
    map_.ways.push_back(std::move(way));
    if (both) map_.ways.push_back(std::move(back));
  }

  [[nodiscard]] std::vector<topology::link_t> links_of(const pugi::xml_node& route) const {
    std::vector<topology::link_t> links;
    for (const pugi::xml_node each : route.children()) {
      const std::string_view kind = each.name();
      if (kind != "link_ctn") continue;
      links.push_back(link_called(each, needed(each, "id"), attribute(each, "direction")));
    }
    return links;
  }

  [[nodiscard]] member_t point(const pugi::xml_node& element, const char* key) const {
    const std::string name = needed(element, key);
    const auto known = points_.find(name);
    if (!known) {
      fail(element, "host or router " + in_quotes(name) + " not found",
           "check that the file is complete");
    }
    return member_of_point_[*known];
  }

  [[nodiscard]] member_t zone_called(const pugi::xml_node& element, const char* key) const {
    const std::string name = needed(element, key);
    const auto known = zones_.find(name);
    if (!known)
      fail(element, "zone " + in_quotes(name) + " not found", "check that the file is complete");
    return member_of_zone_[*known];
  }

  void expect_inside(const pugi::xml_node& element, member_t gate, member_t zone) const {
    member_t at = gate;
    while (at != 0 && at != zone) at = map_.members[at].zone;
    if (at == zone) return;
    fail(element,
         "the gateway " + in_quotes(map_.members[gate].name) + " is not in zone " +
             in_quotes(map_.members[zone].name),
         "use a host or router of that zone as the gateway");
  }

  described_network finished(std::size_t root) {
    described_network made{.network = nullptr, .node_names = {}, .warnings = remarks_.texts()};
    for (member_t which = 0; which < map_.members.size(); ++which) {
      const zone_map::member& each = map_.members[which];
      if (each.is != host) continue;
      made.node_names.push_back(each.name);
      if (map_.members[each.zone].by != star || map_.spokes.contains(which)) continue;
      file_.fail(lines_[which], "host " + in_quotes(each.name) + " has no host_link",
                 "add a host_link element for it");
    }
    if (made.node_names.empty())
      file_.fail(root, "the platform has no host", "check that the file is complete");
    if (made.node_names.size() > most_nodes) {
      file_.fail(root, "the platform has more than 2^20 hosts", if_too_large);
    }
    auto network = std::make_unique<zone_network>(map_);
    if (const auto missing = network->find_missing()) {
      const auto name = [&](member_t which) { return in_quotes(map_.members[which].name); };
      file_.fail(
          lines_[missing->zone],
          "in zone " + name(missing->zone) + " no route leads from " + name(missing->from) +
              " to " + name(missing->to),
          "add a route; zones without routes (routing None, Vivaldi and Wifi) are unsupported");
    }
    if (const auto& assumed = network->first_assumed()) {
      made.warnings.push_back(
          file_.remark(lines_[assumed->zone],
                       "in zone " + in_quotes(map_.members[assumed->zone].name) +
                           " no route leads from " + in_quotes(map_.members[assumed->from].name) +
                           " to " + in_quotes(map_.members[assumed->to].name) +
                           ": missing routes to and from a gateway are assumed to cross no link"));
    }
    made.network = std::move(network);
    return made;
  }

  struct route_element {
    pugi::xml_node element;
    member_t zone;
  };

  const source_text& file_;
  remarks remarks_;
  zone_map map_;
  name_numbers points_;
  name_numbers zones_;
  name_numbers link_names_;
  std::vector<std::size_t> lines_;
  std::vector<member_t> member_of_point_;
  std::vector<member_t> member_of_zone_;
  std::vector<topology::link_t> link_of_name_;
  std::vector<topology::link_t> back_;
  std::vector<route_element> routes_;
  std::size_t joined_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

std::vector<std::uint32_t> simgrid_radical(const source_text& file, std::size_t line,
                                           std::string_view text) {
  std::vector<std::uint32_t> numbers;
  for (const std::string_view word : words_of(text, ",")) {
    const std::size_t dash = std::min(word.find('-'), word.size());
    const auto first = as_number(word.substr(0, dash));
    const auto last = dash == word.size() ? first : as_number(word.substr(dash + 1));
    if (!first || !last || *last < *first) {
      file.fail(line, "radical=" + in_quotes(text) + " is not a list of numbers",
                "write radical=\"0-11,13\"");
    }
    if (*last - *first >= most_nodes - numbers.size()) {
      file.fail(line, "radical=" + in_quotes(text) + " lists more than 2^20 nodes", if_too_large);
    }
    for (std::uint32_t number = *first; number - *first <= *last - *first; ++number) {
      numbers.push_back(number);
      if (number == *last) break;
    }
  }
  if (numbers.empty()) file.fail(line, "the cluster has no radical", "write radical=\"0-11\"");
  return numbers;
}

described_network read_simgrid_zones(const source_text& file, const pugi::xml_node& platform) {
  return platform_reader(file).read(platform);
}

}  // namespace acre::machines
