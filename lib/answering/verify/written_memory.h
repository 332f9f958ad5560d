// Memory that operators write to.
//
// The value of a tensor is the computed one with all later writes to its memory. So a read is a term and, if the memory
// was written to, its history: the sequence of the calls that wrote, each a term itself. Moving a read across a write, or moving,
// losing or repeating a write, gives another term.
//
// Tensors of one storage number share memory; a call's result shares that of an operand with the same number, or has its
// own. So a recomputed value does not have the writes to the first one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "verify/terms.h"

namespace fxcut {

enum class WrittenRegion : std::uint32_t {};

// The value of a node while a graph runs.
struct Held {
  Term term{};
  std::vector<WrittenRegion> memory = {};
  std::shared_ptr<const std::vector<Held>> items = {};  // of a tuple with known items
  bool is_lone_item = false;                            // the tuple may represent its only item
  bool is_generator = false;                            // of random numbers, from the caller
  std::optional<Term> batch_norm = {};                  // of its tuple in training: the call, whatever the running statistics
};

class WrittenMemory {
 public:
  explicit WrittenMemory(Terms& terms) : terms_(terms) {}

  WrittenRegion make(std::optional<std::int64_t> storage);
  // Memory that a call of a side has made, and the joint graph does not have.
  WrittenRegion make_own();
  // New memory of the same storages, without writes; if there is none, a call's own.
  std::vector<WrittenRegion> copies_of(const std::vector<WrittenRegion>& regions);
  std::optional<std::int64_t> storage_of(WrittenRegion region) const { return regions_[index(region)].storage; }
  // Whether all values in this memory are known.
  bool is_known(WrittenRegion region) const { return regions_[index(region)].storage || regions_[index(region)].is_own; }
  void write(WrittenRegion region, Term event);
  // A write to all of it: earlier writes do not count.
  void overwrite(WrittenRegion region, Term event) {
    regions_[index(region)].history = event;
    regions_[index(region)].is_overwritten = true;
  }

  // If one of the graphs overwrites the value before reading it, the value stands for any value of that form.
  void note_unread(Term value, Term form) { unread_.emplace(value, form); }
  bool has_unread() const { return !unread_.empty(); }
  // That form, or the value itself.
  Term unread_form(Term value) const {
    const auto found = unread_.find(value);
    return found == unread_.end() ? value : found->second;
  }

  // After `event`, a write to all of a memory, its content equals that after the history `first`, the earliest with that content.
  void note_same(Term event, std::optional<Term> first) { first_of_same_.emplace(event, first); }
  std::optional<Term> history(WrittenRegion region) const { return regions_[index(region)].history; }

  // The value with the writes so far.
  Term read(const Held& held);
  // The same, but memory restored by a copy has its earlier content.
  Term read_content(const Held& held);

 private:
  struct Written {
    std::optional<std::int64_t> storage;
    std::optional<Term> history = {};
    bool is_own = false;
    bool is_overwritten = false;
  };
  static std::size_t index(WrittenRegion region) { return static_cast<std::size_t>(region); }

  Term read(const Held& held, bool as_content);

  Terms& terms_;
  std::vector<Written> regions_;
  std::map<Term, std::optional<Term>> first_of_same_;
  std::map<Term, Term> unread_;
};

// The head of a term for a value that was written to: the value, and the history of its memory.
inline constexpr std::string_view kWrittenTo = "written to";

// The value as it was computed, before any write to it.
Term before_writes(const Terms& terms, Term value);

// The numbers of a value's storages, in order, each once.
std::vector<std::int64_t> storages_in(const Value* value);

}  // namespace fxcut
