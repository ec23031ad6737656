#include <acre/global/put_get.hpp>

#include <algorithm>
#include <vector>

namespace acre::detail {

void copy_between_ranks(std::uint64_t from, std::uint64_t to, std::size_t bytes) {
  constexpr std::size_t chunk = std::size_t{1} << 20;
  std::vector<std::byte> buffer(std::min(bytes, chunk));
  for (std::size_t done = 0; done < bytes; done += buffer.size()) {
    const std::size_t now = std::min(buffer.size(), bytes - done);
    runtime::get_remote(from + done, buffer.data(), now);
    runtime::put_remote(to + done, buffer.data(), now);
  }
}

}  // namespace acre::detail
