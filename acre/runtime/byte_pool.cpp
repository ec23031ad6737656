#include <acre/runtime/byte_pool.hpp>

namespace acre::runtime {

byte_pool& pool_of_messages() {
  static auto& made = *new byte_pool;
  return made;
}

}  // namespace acre::runtime
