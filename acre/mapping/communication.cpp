// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/communication.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>

#include <array>
#include <numeric>
#include <utility>

namespace acre::mapping {
namespace {

using message = traffic::message;

constexpr std::uint64_t most_ranks = std::uint64_t{1} << 31;
constexpr std::uint64_t most_messages = std::uint64_t{1} << 28;
constexpr unsigned most_hypercube_dimensions = 26;

rank_t count_ranks(std::span<const grid_dimension> dimensions) {
  if (dimensions.empty()) throw error("mapping::communication", "a grid of ranks has no dimension");
  std::uint64_t ranks = 1;
  for (const grid_dimension& each : dimensions) {
    if (each.extent == 0)
      throw error("mapping::communication", "extent 0 of a dimension is invalid",
                  "extents must be at least 1");
    ranks *= each.extent;
    if (ranks >= most_ranks) throw error("mapping::communication", "a grid has 2^31 ranks or more");
  }
  return static_cast<rank_t>(ranks);
}

void require_memory(std::uint64_t messages) {
  if (messages <= most_messages) return;
  throw error("mapping::communication",
              "a communication of " + std::to_string(messages) + " messages is too large",
              "use at most 2^28 messages");
}

}  // namespace

communication without_grid(std::string name, traffic flows) {
  const rank_t ranks = flows.ranks();
  return {.name = std::move(name), .extents = {ranks}, .traffic = std::move(flows)};
}

void require_slots(std::size_t ranks, std::size_t slots) {
  if (ranks <= slots) return;
  throw error("mapping",
              std::to_string(ranks) + " ranks do not fit into " + std::to_string(slots) + " slots",
              "use more nodes, or more slots per node");
}

communication cartesian(std::span<const grid_dimension> dimensions) {
  const rank_t ranks = count_ranks(dimensions);
  std::vector<message> messages;
  require_memory(std::uint64_t{ranks} * 2 * dimensions.size());
  messages.reserve(std::size_t{ranks} * 2 * dimensions.size());
  communication made{.name = "cart:", .extents = {}, .traffic = {ranks, {}}};
  rank_t stride = ranks;
  for (const auto& [extent, periodic, bytes] : dimensions) {
    made.name += (made.extents.empty() ? "" : "x") + std::to_string(extent) + (periodic ? "" : "o");
    made.extents.push_back(extent);
    stride /= extent;
    for (const bool up : {true, false}) {
      const std::size_t before = messages.size();
      const std::uint32_t step = up ? 1 : extent - 1;
      const std::uint32_t border = up ? extent - 1 : 0;
      for (rank_t rank = 0; rank < ranks; ++rank) {
        const std::uint32_t place = rank / stride % extent;
        if (!periodic && place == border) continue;
        const rank_t first = rank - place * stride;
        messages.push_back({rank, first + (place + step) % extent * stride, bytes});
      }
      made.phases.emplace_back(ranks, std::span(messages).subspan(before));
    }
  }
  made.traffic = {ranks, messages};
  return made;
}

communication cannon(std::uint32_t rows, std::uint32_t columns, double bytes) {
  communication made = cartesian(std::array{grid_dimension{.extent = rows, .bytes = bytes},
                                            grid_dimension{.extent = columns, .bytes = bytes}});
  made.name = "cannon:" + join(made.extents);
  return made;
}

communication shifts(std::uint32_t rows, std::uint32_t columns, panel_bytes bytes) {
  const std::array<grid_dimension, 2> grid{{{.extent = rows}, {.extent = columns}}};
  const rank_t ranks = count_ranks(grid);
  require_memory(std::uint64_t{ranks} * 2);
  std::vector<message> of_left;
  std::vector<message> of_right;
  for (rank_t rank = 0; rank < ranks; ++rank) {
    const rank_t row = rank / columns;
    const rank_t column = rank % columns;
    of_left.push_back({row * columns + (column + 1) % columns, rank, bytes.left});
    of_right.push_back({(row + 1) % rows * columns + column, rank, bytes.right});
  }
  const std::vector<std::uint32_t> extents{rows, columns};
  communication made{.name = "shifts:" + join(extents),
                     .extents = extents,
                     .traffic = {ranks, {}},
                     .phases = {{ranks, of_left}, {ranks, of_right}}};
  of_left.insert(of_left.end(), of_right.begin(), of_right.end());
  made.traffic = {ranks, of_left};
  return made;
}

communication lines(std::uint32_t rows, std::uint32_t columns, panel_bytes bytes) {
  const std::array<grid_dimension, 2> grid{{{.extent = rows}, {.extent = columns}}};
  const rank_t ranks = count_ranks(grid);
  require_memory(std::uint64_t{ranks} * (std::uint64_t{rows} + columns));
  const std::vector<std::uint32_t> extents{rows, columns};
  communication made{.name = "lines:" + join(extents), .extents = extents, .traffic = {ranks, {}}};
  // Panel i of B is in grid row i; the matching columns of A are in the grid columns congruent to i
  // modulo `divisor`.
  const rank_t divisor = std::gcd(rows, columns);
  const double part_of_left = bytes.left * divisor / rows;
  std::vector<message> all;
  for (rank_t step = 0; step < rows; ++step) {
    const std::size_t before = all.size();
    for (rank_t rank = 0; rank < ranks; ++rank) {
      const rank_t row = rank / columns;
      const rank_t column = rank % columns;
      const rank_t from = (row + step) % rows;
      for (rank_t of_left = from % divisor; of_left < columns; of_left += divisor) {
        if (of_left != column) all.push_back({row * columns + of_left, rank, part_of_left});
      }
      if (from != row) all.push_back({from * columns + column, rank, bytes.right});
    }
    made.phases.emplace_back(ranks, std::span(all).subspan(before));
  }
  made.traffic = {ranks, all};
  return made;
}

communication layers(std::uint32_t rows, std::uint32_t columns, std::uint32_t cell_rows,
                     std::uint32_t cell_columns, panel_bytes bytes) {
  const std::array<grid_dimension, 2> grid{{{.extent = rows}, {.extent = columns}}};
  const rank_t ranks = count_ranks(grid);
  const std::vector<std::uint32_t> extents{rows, columns};
  const std::vector<std::uint32_t> cell{cell_rows, cell_columns};
  if (cell_rows == 0 || cell_columns == 0 || rows % cell_rows != 0 || columns % cell_columns != 0) {
    throw error("mapping::communication",
                "a grid of " + join(extents) + " cannot be divided into cells of " + join(cell),
                "each side of the grid must be a multiple of the cell's");
  }
  const std::uint64_t sharing = std::uint64_t{cell_rows} * cell_columns;
  require_memory(
      ranks * (std::uint64_t{cell_rows} * columns + std::uint64_t{cell_columns} * rows + sharing));
  std::vector<message> reads;
  std::vector<message> shares;
  const double part = 1.0 / static_cast<double>(sharing);
  for (rank_t rank = 0; rank < ranks; ++rank) {
    const rank_t row = rank / columns / cell_rows * cell_rows;
    const rank_t column = rank % columns / cell_columns * cell_columns;
    for (rank_t i = row; i < row + cell_rows; ++i) {
      for (rank_t j = 0; j < columns; ++j) {
        reads.push_back({i * columns + j, rank, bytes.left * part});
      }
      for (rank_t j = column; j < column + cell_columns; ++j) {
        shares.push_back({rank, i * columns + j, bytes.result});
      }
    }
    for (rank_t i = 0; i < rows; ++i) {
      for (rank_t j = column; j < column + cell_columns; ++j) {
        reads.push_back({i * columns + j, rank, bytes.right * part});
      }
    }
  }
  communication made{.name = "layers:" + join(extents) + "/" + join(cell),
                     .extents = extents,
                     .traffic = {ranks, {}},
                     .phases = {{ranks, reads}, {ranks, shares}}};
  reads.insert(reads.end(), shares.begin(), shares.end());
  made.traffic = {ranks, reads};
  return made;
}

communication all_to_all(line along, std::uint32_t rows, std::uint32_t columns, double bytes) {
  const std::array<grid_dimension, 2> grid{{{.extent = rows}, {.extent = columns}}};
  const rank_t ranks = count_ranks(grid);
  const rank_t members = along == line::row ? columns : rows;
  const rank_t stride = along == line::row ? 1 : columns;
  std::vector<message> messages;
  require_memory(std::uint64_t{ranks} * (members - 1));
  messages.reserve(std::size_t{ranks} * (members - 1));
  for (rank_t rank = 0; rank < ranks; ++rank) {
    const rank_t first = rank - rank / stride % members * stride;
    for (rank_t other = 0; other < members; ++other) {
      if (first + other * stride != rank) messages.push_back({rank, first + other * stride, bytes});
    }
  }
  const std::vector<std::uint32_t> extents{rows, columns};
  return {.name = (along == line::row ? "rows:" : "columns:") + join(extents),
          .extents = extents,
          .traffic = {ranks, messages}};
}

communication hypercube(unsigned dimensions, double bytes) {
  if (dimensions > most_hypercube_dimensions) {
    throw error("mapping::hypercube",
                "a hypercube of " + std::to_string(dimensions) + " dimensions is too large",
                "use at most " + std::to_string(most_hypercube_dimensions));
  }
  const std::vector<grid_dimension> grid(dimensions,
                                         {.extent = 2, .periodic = false, .bytes = bytes});
  if (grid.empty()) return {.name = "hypercube:0", .extents = {1}, .traffic = {1, {}}};
  communication made = cartesian(grid);
  made.name = "hypercube:" + std::to_string(dimensions);
  return made;
}

communication distributed_graph(int ranks, std::span<const int> sources,
                                std::span<const int> degrees, std::span<const int> destinations,
                                std::span<const int> weights) {
  constexpr const char* call = "mapping::distributed_graph";
  if (ranks < 0)
    throw error(call, "the number of ranks, " + std::to_string(ranks) + ", is negative");
  if (sources.size() != degrees.size()) {
    throw error(call, "mismatch of " + std::to_string(sources.size()) + " sources and " +
                          std::to_string(degrees.size()) + " degrees");
  }
  if (!weights.empty() && weights.size() != destinations.size()) {
    throw error(call, "mismatch of " + std::to_string(destinations.size()) + " destinations and " +
                          std::to_string(weights.size()) + " weights");
  }
  const auto rank = [&](int number) {
    if (number >= 0 && number < ranks) return static_cast<rank_t>(number);
    throw error(call, "rank " + std::to_string(number) + " is out of range for " +
                          std::to_string(ranks) + " ranks");
  };
  std::vector<message> messages;
  messages.reserve(destinations.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (degrees[i] < 0) throw error(call, "degree " + std::to_string(degrees[i]) + " is negative");
    const auto end = messages.size() + static_cast<std::size_t>(degrees[i]);
    if (end > destinations.size())
      throw error(call, "the sum of the degrees exceeds the " +
                            std::to_string(destinations.size()) + " destinations");
    for (std::size_t edge = messages.size(); edge < end; ++edge) {
      messages.push_back({.from = rank(sources[i]),
                          .to = rank(destinations[edge]),
                          .bytes = weights.empty() ? 1.0 : weights[edge]});
    }
  }
  if (messages.size() != destinations.size()) {
    throw error(call, "the sum of the degrees is below the " + std::to_string(destinations.size()) +
                          " destinations");
  }
  return without_grid("distributed graph", {static_cast<rank_t>(ranks), messages});
}

namespace {

communication product_of(std::string_view kind, specification_reader& text, std::size_t slots) {
  const auto pair = [&] {
    const std::uint32_t rows = text.number();
    text.expect('x', "the columns");
    return std::pair(rows, text.number());
  };
  const auto [rows, columns] = pair();
  std::pair<std::uint32_t, std::uint32_t> cell;
  if (kind == "layers") {
    text.expect('/', "the ranks of a cell");
    cell = pair();
  }
  panel_bytes each;
  if (text.take('@')) {
    each.left = text.positive("bytes");
    each.right = text.take(',') ? text.positive("bytes") : each.left;
    each.result = each.right;
    if (kind == "layers" && text.take(',')) each.result = text.positive("bytes");
  }
  text.expect_end();
  require_slots(count_ranks(std::array<grid_dimension, 2>{{{.extent = rows}, {.extent = columns}}}),
                slots);
  if (kind == "shifts") return shifts(rows, columns, each);
  if (kind == "lines") return lines(rows, columns, each);
  return layers(rows, columns, cell.first, cell.second, each);
}

}  // namespace

communication make_communication(std::string_view specification, std::size_t slots) {
  specification_reader text(
      specification, "mapping::make_communication",
      "write cart:24x24x16, cart:8x8o, cannon:96x96, shifts:96x96, "
      "rows:8x16, columns:8x16, lines:96x96, layers:96x96/2x2 or hypercube:7");
  const std::string_view kind = text.kind();
  const auto bytes = [&] { return text.positive("bytes"); };
  const auto expect_numbers = [&] { text.expect(':', "its numbers"); };
  const auto require_slots_for = [&](const std::vector<grid_dimension>& grid) {
    require_slots(count_ranks(grid), slots);
  };
  if (kind == "cart") {
    expect_numbers();
    std::vector<grid_dimension> dimensions;
    do {
      dimensions.push_back({.extent = text.number()});
      dimensions.back().periodic = !text.take('o');
    } while (text.take('x'));
    if (text.take('@')) {
      double each = bytes();
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (d != 0 && text.take(',')) each = bytes();
        dimensions[d].bytes = each;
      }
    }
    text.expect_end();
    require_slots_for(dimensions);
    return cartesian(dimensions);
  }
  if (kind == "cannon" || kind == "rows" || kind == "columns") {
    expect_numbers();
    const std::uint32_t rows = text.number();
    text.expect('x', "the columns");
    const std::uint32_t columns = text.number();
    const double each = text.take('@') ? bytes() : 1;
    text.expect_end();
    require_slots_for({{.extent = rows}, {.extent = columns}});
    if (kind == "cannon") return cannon(rows, columns, each);
    return all_to_all(kind == "rows" ? line::row : line::column, rows, columns, each);
  }
  if (kind == "shifts" || kind == "lines" || kind == "layers") {
    expect_numbers();
    return product_of(kind, text, slots);
  }
  if (kind == "hypercube") {
    expect_numbers();
    const std::uint32_t dimensions = text.number();
    const double each = text.take('@') ? bytes() : 1;
    text.expect_end();
    if (dimensions <= most_hypercube_dimensions) require_slots(std::size_t{1} << dimensions, slots);
    return hypercube(dimensions, each);
  }
  text.fail_kind("pattern");
}

}  // namespace acre::mapping
