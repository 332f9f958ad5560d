// Runs a graph on terms: each node gets the term of the value that it computes.
//
// Calls that change how a value is computed, but not the value, are transparent:
//   - checkpointed regions and control_deps: their bodies run in their place;
//   - operators that only name a value, and barriers, which return their inputs;
//   - copies to the host and back, on a side. A value in host memory cannot be computed with until it is copied back, and
//     a copy on a stream of its own cannot be until the wait for it;
//   - quantization of what crosses to the backward, and its inverse there (verify/rounding.h): the value is then rounded;
//   - gradients of ReLUs by booleans, on a side (verify/gradients_of_relus.h): they are those by the ReLUs' results;
//   - wrappers of random operators: one that runs under the initial state of another draws the same numbers;
//   - running statistics, if nothing read from a batch norm depends on them (classify/batch_norm.h).
// A subgraph that is an argument is represented by the term of its results, so its dead code and names do not matter.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "verify/draws.h"
#include "verify/gradients_of_relus.h"
#include "verify/rounding.h"
#include "verify/terms.h"
#include "verify/written_memory.h"

namespace fxcut {

// The operators whose calls return their inputs.
struct TransparentOperators {
  std::set<std::string, std::less<>> naming;  // return their first argument
  std::string barrier;                        // returns its list
};

enum class EffectKind : std::uint8_t {
  Write,    // to an argument
  Ordered,  // by tokens (with_effects): it runs once, on either side, where the tokens put it
  Check,    // checks or marks something; it may run on both sides
};

// A call that does more than compute its value.
struct Effect {
  Term term;  // the call
  std::string node;
  EffectKind kind = EffectKind::Check;
  bool is_to_known_memory = false;  // for a write: all values in that memory are known
  bool in_backward = false;  // by the joint graph's tag
};

// Whether the term is of a value in host memory.
bool is_on_host(const Terms& terms, Term term);

// Whether it is a copy_ of a node to itself: it never writes anything.
bool copies_to_itself(const Node& call);

struct Content {
  Term term;
  bool draws = false;  // random numbers
};

// A node of the joint graph, and what it computes.
struct JointValue {
  const Node* node;
  Term term;
};

// The operands of a copy_ that writes what is there already (classify/whole_writes.h): as they were made, and as they were read.
struct CopiedInJoint {
  Term to{}, from{}, to_now{}, from_now{};
};

// Contents of memory after the joint graph's writes, by their names, if copies restore them later (classify/whole_writes.h).
struct RestoredInJoint {
  std::map<std::string_view, std::optional<std::string_view>> by_copy;  // write with the same content; nullopt: none
  std::map<std::pair<std::string_view, WrittenRegion>, Term> after;     // by write and memory: its history then
};

enum class Run : std::uint8_t { Joint, Forward, Backward, Subgraph };

// State shared by the runs of the three graphs.
struct EvaluationContext {
  EvaluationContext(const Graph& joint_graph, TransparentOperators seen)
      : joint(&joint_graph), memory(terms), transparent(std::move(seen)) {}

  // The node of the joint graph that computes a term, before any writes to it; or null.
  const Node* joint_node(Term term) const;
  // The node of the joint graph with that name if that is what it computes, or null.
  const Node* joint_node(std::string_view name, Term term) const;
  // The subgraph of that name, or null.
  const Subgraph* find(const Subgraphs& subgraphs, std::string_view name);

  const Graph* joint = nullptr;
  Terms terms;
  WrittenMemory memory;
  GradientsOfRelus gradients_of_relus;  // the joint graph's
  TransparentOperators transparent;
  bool own_copies_are_transparent = false;  // see through the joint graph's copies to the host and back, too
  std::unordered_map<std::uint32_t, const Node*> joint_nodes;  // by term: the first node that computes it
  std::unordered_map<std::string_view, JointValue> joint_values;  // by name, once the joint graph has run
  std::set<std::string_view> whole_writes;  // the joint graph's, by name, none of bodies (classify/whole_writes.h)
  std::set<std::string_view> idle_on_sides;  // names of the sides' copies of a node to itself
  RestoredInJoint restored;
  std::map<std::string_view, CopiedInJoint> same_copies;  // by name: the joint graph's copies of what is there already
  std::map<Run, std::set<std::string_view>> overwritten;  // names in each graph (classify/overwritten_results.h)
  std::set<std::string_view> overwritten_on_sides;        // joint graph's calls whose results sides overwrite unread
  std::size_t num_joint_terms = 0;                             // the joint graph's terms come first
  std::unordered_map<const Subgraph*, Content> contents;
  std::unordered_map<const Subgraphs*, std::unordered_map<std::string_view, const Subgraph*>> subgraphs_by_name;
  std::unordered_map<std::uint32_t, std::string> names;  // by term: the first node that has it
  std::set<std::string_view> after_loss;  // names of calls of a whole step, which may restore what the forward saves
  std::vector<RoundedForm> rounded;  // what the backward restores, in its order
  std::map<std::string, std::deque<Term>> drawn_under;   // by generator: the forward's draws that have no match yet
};

// The operands that a call reads with the current content of their memory; the others are taken as they were made.
enum class MemoryRead : std::uint8_t { None, AllButFirst, All };

class Evaluator {
 public:
  Evaluator(EvaluationContext& context, Draws& draws, Run run) : context_(context), draws_(draws), run_(run) {}

  // The value of each node of the graph, given its placeholders' values in order; missing ones get terms of their own.
  std::vector<Held> run(const Graph& graph, const Subgraphs& subgraphs, const std::vector<Held>& inputs);

  // A value from the caller; values of one storage share memory.
  Held input(Term term, const Value* value);

  // The effects of all runs so far, in order.
  const std::vector<Effect>& effects() const { return effects_; }

 private:
  // One running graph: the whole, or a body in it.
  struct Scope {
    const Graph& graph;
    const Subgraphs& subgraphs;
    std::vector<Held> values;
  };
  struct Call {
    const Node& node;
    std::span<const Argument> positional;
    Scope& scope;
  };

  void note_computed(Term term, const Node& node);
  Held evaluate(const Node& node, Scope& scope);
  Held attribute(const Node& node, const Scope& scope);
  Held call(const Node& node, Scope& scope);
  Held plain(const Call& call);
  Held write(const Call& call);
  bool is_whole_write(const Call& call) const;
  void note_restored(const Node& write, WrittenRegion destination);
  bool copies_to_its_equal(const Call& call);
  bool writes_same(const Call& call);
  bool is_of_whole_graph() const { return run_ != Run::Subgraph && bodies_.empty(); }
  bool is_overwritten(const Call& call) const;
  bool is_overwritten_on_a_side(const Call& call) const;
  Term unread_result(const Call& call);
  Term unread_result(const CallText& text, const Call& call);
  void note_unread_view(Term view, const Call& call);
  Term form_of(const Call& call, std::size_t input);
  Term without_running_statistics(const Call& call);
  Term term_of(std::string_view target, std::span<const Argument> positional, const Call& call, MemoryRead read);
  Held new_value(Term term, const Call& call);
  std::vector<WrittenRegion> memory_of(Term term, const Call& call);
  // The memory of a value that the joint graph does not have.
  std::vector<WrittenRegion> own_memory_of(const Call& call);
  bool draws_numbers(const Call& call);
  Term drawn(Term wrapped, const Node& wrapper);
  void note_effect(Term term, const Node& node, EffectKind kind);

  // The value of a transparent call; empty if the call is not of that kind.
  std::optional<Held> transparent(const Call& call);
  std::optional<Held> named(const Call& call);
  std::optional<Held> item(const Call& call);
  std::optional<Held> barrier(const Call& call);
  std::optional<Held> body(const Call& call);
  std::optional<Held> under_random_state(const Call& call);
  Held under_generator(const Call& call);
  std::optional<Held> restored(const Call& call);
  std::optional<Held> cast_back(const Call& call);
  std::optional<Held> unpacked(const Call& call);
  bool holds_range(const Node& original, std::string_view dtype) const;
  std::optional<Held> copy(const Call& call);
  std::optional<Held> copy_back(const Call& call, const Held& source);
  std::optional<Held> wait(const Call& call);
  Held reloaded(Term value, const Held& on_host);
  Term at_end_of_copy(Term at_start, Term now);

  Content content_of(const Subgraph& subgraph);
  const Subgraph* subgraph_of(const Call& call, std::size_t position);
  Held structured(const Argument& argument, const Node& node, const Scope& scope);
  const Held& held(const Call& call, std::size_t input) const {
    return call.scope.values[index_of(call.node.inputs[input])];
  }
  // The value of a positional argument that is a node.
  const Held* argument(const Call& call, std::size_t position) const;
  Term operand(const Held& held, bool reads);
  Held tuple(std::vector<Held> items);

  EvaluationContext& context_;
  Draws& draws_;
  Run run_;
  std::unordered_map<std::int64_t, WrittenRegion> inputs_;  // by storage
  std::vector<Effect> effects_;
  std::vector<PartitionerTag> bodies_;  // tags of the calls whose bodies run, outermost first
  std::size_t inlined_nodes_ = 0;
};

}  // namespace fxcut
