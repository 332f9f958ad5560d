// Memory that operators write to.
//
// A tensor is what was computed into its memory and what was written there since. So what a call reads is a term and,
// where somebody has written to its memory, the history of that memory: the sequence of calls that wrote, each a term
// itself. A read that is moved across a write, or a write that is moved, lost or done twice, gives another term.
//
// Tensors of one storage number share memory; a call's result shares that of an operand which has the same number, and
// lies in memory of its own else. So what is computed a second time has not seen what was written to the first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "verify/terms.h"

namespace fxcut {

enum class WrittenRegion : std::uint32_t {};

// What a node holds while a graph runs.
struct Held {
  Term term{};
  std::vector<WrittenRegion> memory = {};
  std::shared_ptr<const std::vector<Held>> items = {};  // of a tuple that is known part by part
  bool is_lone_item = false;                            // the tuple may be taken for its only item
  bool is_generator = false;                            // of random numbers, handed in by the caller
};

class WrittenMemory {
 public:
  explicit WrittenMemory(Terms& terms) : terms_(terms) {}

  WrittenRegion make(std::optional<std::int64_t> storage);
  std::optional<std::int64_t> storage_of(WrittenRegion region) const { return regions_[index(region)].storage; }
  void write(WrittenRegion region, Term event);

  // The value as it is now.
  Term read(const Held& held);

 private:
  struct Written {
    std::optional<std::int64_t> storage;
    std::optional<Term> history;
  };
  static std::size_t index(WrittenRegion region) { return static_cast<std::size_t>(region); }

  Terms& terms_;
  std::vector<Written> regions_;
};

// The head of a term for a value that was written to: the value, and the history of its memory.
inline constexpr std::string_view kWrittenTo = "written to";

// The numbers of the storages that a value lies in, in order, each once.
std::vector<std::int64_t> storages_in(const Value* value);

}  // namespace fxcut
