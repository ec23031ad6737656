// What a network must offer to carry Acre, and nothing more.
//
// A conduit moves bytes between nodes: one-sided puts and gets into regions
// that were registered under a key of our choice, and active messages. It
// never waits, never runs user code and never decides policy: when it cannot
// go on it says so (`try_…` returns false), and the runtime makes progress and
// asks again. To port Acre to a new network, implement this class.
//
// Life of a conduit: open (the constructor of the implementation) →
// register_region → descriptor → [the runtime exchanges descriptors] →
// connect → use, by any thread → close (the destructor, after a barrier).
//
// In a build with the conduit fixed (-DACRE_CONDUIT=ofi), the runtime names
// the implementing class, which is final, so every call below inlines.
#pragma once

#include <acre/fabric/message.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

struct fid_ep;  // libfabric's, of which only the names are needed here
struct fid_cntr;

namespace acre::fabric {

/// The name under which a region is registered, the same on all ranks.
using region_key = std::uint32_t;
inline constexpr region_key segment_region = 0;
/// A rank's static data and its segment, where programs share the former.
inline constexpr region_key window_region = 1;

/// What an opened conduit can do.
struct capabilities {
  std::string name;             ///< for people: "ofi tcp;ofi_rxm 117.0"
  std::size_t max_payload = 0;  ///< bytes of payload that one active message carries
  std::size_t max_inject = 0;   ///< puts up to this size leave the source buffer free at once
  bool ordered_puts = false;    ///< puts of one rank to one other arrive in the order of issue
  /// Messages arrive after the puts that the same rank issued before.
  bool messages_follow_puts = false;
  bool sleeps = false;      ///< wait() sleeps until something happens, not just for a while
  bool pins_memory = true;  ///< pages of a registered region must not be given back
};

/// One operation with a completion of its own. It must outlive the operation.
/// When the data is in place (a put's at the target, a get's here) the conduit
/// calls `complete`, from whatever thread polls: it must be short, must not
/// throw, and must not call the conduit.
struct operation {
  void (*complete)(operation&) noexcept = nullptr;
  /// Free for the conduit between issue and completion (libfabric's fi_context2 fits).
  void* reserved[8] = {};
};

/// One piece of a strided transfer.
struct extent {
  void* local;
  std::uint64_t remote_offset;
  std::size_t bytes;
};

/// The shortest ways to the provider, laid open for those who count their instructions: calls
/// through pointers to the provider's own functions, whose signatures these are.
struct direct_line {
  // --- small puts -------------------------------------------------------------
  // Whoever puts adds one to `issued` first, so that `issued` never lags behind what another
  // thread waits for; gives at most smallest_inject bytes, which are free at return; and gives
  // the result, when it is not 0, to conduit::refused(), which takes the count back.
  static constexpr std::size_t smallest_inject = 16;

  /// @param descriptor  null; or 256 bytes of zeros, where that pointer is in the register already
  using put_function = ssize_t (*)(fid_ep* endpoint, const void* source, std::size_t bytes,
                                   void* descriptor, std::uint64_t target, std::uint64_t offset,
                                   std::uint64_t key, void* context);

  put_function put = nullptr;
  fid_ep* endpoint = nullptr;

  // --- completion -------------------------------------------------------------
  // Of all counted operations. Whoever finds the two equal, having read `completed` first, knows
  // that all that were issued before are complete.
  std::atomic<std::uint64_t> issued{0};
  std::atomic<std::uint64_t> completed{0};

  /// What the provider has completed, which also makes its progress. Who has asked may store the
  /// answer in `completed`; one that is out of date does no harm.
  std::uint64_t (*read)(fid_cntr* counter) = nullptr;
  fid_cntr* counter = nullptr;

  // --- short messages -----------------------------------------------------------
  // A header and its arguments as they lie in memory. A result that is not 0: it was not sent,
  // and try_send() is the way.
  ssize_t (*send)(fid_ep* endpoint, const void* message, std::size_t bytes,
                  std::uint64_t target) = nullptr;
};

class conduit {
 public:
  /// @param line  is filled when the conduit opens
  explicit conduit(direct_line& line) noexcept : line_(line) {}
  conduit(const conduit&) = delete;
  conduit& operator=(const conduit&) = delete;
  virtual ~conduit() = default;

  [[nodiscard]] direct_line& line() const noexcept { return line_; }

  [[nodiscard]] virtual const capabilities& offers() const noexcept = 0;

  // --- setting up -----------------------------------------------------------

  /// Lets all ranks read and write [base, base + bytes) as (key, offset).
  /// Call it on every rank, before descriptor().
  virtual void register_region(region_key key, void* base, std::size_t bytes) = 0;

  /// What other ranks must know of this one (address; keys where the provider insists).
  [[nodiscard]] virtual std::vector<std::byte> descriptor() const = 0;

  /// Makes all ranks reachable; `descriptors[r]` is rank r's, all of one size or not.
  virtual void connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) = 0;

  // --- one-sided, counted ---------------------------------------------------
  // These return false when the provider has no room: make progress, try again.
  // Every success adds one (or more) to issued(); completed() reaches that
  // number when the data is in place: a put's in the target's memory.

  /// Up to max_inject bytes: `source` is free at return. Larger: once completed.
  [[nodiscard]] virtual bool try_put(rank_t target, region_key key, std::uint64_t offset,
                                     const void* source, std::size_t bytes) = 0;

  [[nodiscard]] virtual bool try_get(rank_t target, region_key key, std::uint64_t offset,
                                     void* destination, std::size_t bytes) = 0;

  /// The number of counted operations issued so far, by all threads.
  [[nodiscard]] std::uint64_t issued() const noexcept {
    return line_.issued.load(std::memory_order_acquire);
  }

  /// The number of counted operations completed so far. It does not poll.
  [[nodiscard]] std::uint64_t completed() const noexcept {
    return line_.completed.load(std::memory_order_acquire);
  }

  /// Takes back the count of an operation that the provider did not take.
  /// @param result  what the provider said
  /// @return false: there was no room
  /// @throws acre::error when there will never be
  virtual bool refused(ssize_t result, rank_t target) = 0;

  // --- one-sided, with a completion of its own ------------------------------

  [[nodiscard]] virtual bool try_put(rank_t target, region_key key, std::uint64_t offset,
                                     const void* source, std::size_t bytes, operation& done) = 0;

  [[nodiscard]] virtual bool try_get(rank_t target, region_key key, std::uint64_t offset,
                                     void* destination, std::size_t bytes, operation& done) = 0;

  // --- one-sided, strided, counted ------------------------------------------
  // Issues a prefix of the pieces and returns how many; 0 means: no room now.

  [[nodiscard]] virtual std::size_t try_put_pieces(rank_t target, region_key key,
                                                   std::span<const extent> pieces) = 0;
  [[nodiscard]] virtual std::size_t try_get_pieces(rank_t target, region_key key,
                                                   std::span<const extent> pieces) = 0;

  // --- active messages ------------------------------------------------------

  /// Sends header, arguments and payload (at most max_payload bytes), all
  /// copied before it returns. Messages from one rank to another arrive in
  /// the order of sending. False: no room now.
  [[nodiscard]] virtual bool try_send(rank_t target, const message_header& header,
                                      const word* arguments, const void* payload) = 0;

  // --- progress -------------------------------------------------------------

  /// Moves things on: completes operations, delivers messages to `inbox`,
  /// serves what the provider asks of this rank. Any thread; at once by one.
  /// @return how many messages and completions were handled
  /// @throws acre::error when a peer is lost or the provider fails
  virtual std::size_t progress(receiver& inbox) = 0;

  /// Sleeps until there may be something to do, until wake(), or for `at_most`; a moment only
  /// where another thread polls.
  /// @return whether there was traffic; a conduit that sleeps by the clock never says so
  virtual bool wait(std::chrono::milliseconds at_most) = 0;

  /// Ends a wait() of another thread.
  virtual void wake() noexcept = 0;

 private:
  direct_line& line_;
};

}  // namespace acre::fabric
