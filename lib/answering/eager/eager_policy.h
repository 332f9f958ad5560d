// A decision for eager PyTorch: which calls of the forward keep their results for the backward, by operator, module and count,
// and which saved values cannot be said so.
//
// torch.utils.checkpoint.create_selective_checkpoint_contexts asks a policy after each operator. It keeps all results of the
// operator or none, and runs in the backward all that it has not kept. From that follows how a saved value is said:
//   - A view keeps the memory that it is a view of: what is kept is the result in whose memory it is, and views run again.
//   - Of several results all are kept where that adds no more bytes than were decided to be saved, else none.
//   - A call that is kept draws no random numbers in the backward. The written module sets the generator to where it was after
//     it.
//   - Inputs, parameters and buffers are in memory in any case, and so are the inputs of a region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "eager/eager_calls.h"
#include "eager/regions.h"
#include "graph/graph.h"
#include "report/report.h"

namespace fxcut {

// Why a saved value cannot be said.
enum class Unsaid : std::uint8_t {
  Decomposed,     // a compiler has replaced eager's operator by several
  InBackward,     // only the backward computes it
  OtherResults,   // its operator has other results, with more bytes
  InSteps,        // eager has no such result: of dropout's mask
  Offloaded,      // to the host
  Compressed,     // saved in fewer bits
  Outside,        // of the regions
  NotListed,      // a form that lists operators cannot tell it from others
  NoOperator,     // eager calls no operator for it: of a higher-order one
};

// Its name in JSON ("decomposed"), and a sentence.
std::string_view name_of(Unsaid why);
std::string_view sentence_on(Unsaid why);

// A call whose results are kept.
struct KeptCall {
  EagerCall call;
  std::vector<std::string> values;  // the saved values that it is kept for, in the report's order
  std::int64_t saved_bytes = 0;     // of their storages, as decided
  std::int64_t more_bytes = 0;      // of its other results
};

struct UnsaidValue {
  std::string name;
  std::string op;      // operator_of()
  std::string module;
  std::int64_t size_bytes = 0;  // of its storage, if it is the first saved value in it
  Unsaid why = Unsaid::NoOperator;
};

struct EagerPolicy {
  std::string form = "torch";     // or "torchtitan"
  std::string graph, producer;
  bool is_decomposed = false;     // by a compiler: another capture would say more
  std::int64_t held_bytes = 0;    // that the decision holds, each storage once
  std::int64_t input_bytes = 0;   // of these, of inputs of the step or of a region, and of what is written to inputs
  std::string regions;            // the pattern
  std::vector<KeptCall> kept;     // in execution order
  std::vector<EnteringValue> entering;  // inputs of regions that the decision does not hold
  std::vector<UnsaidValue> unsaid;  // in the report's order
  std::vector<std::string> listed;  // the operators of a form that lists them
  EagerCalls calls;               // of the whole forward

  std::int64_t kept_bytes() const;
  std::int64_t more_bytes() const;
  std::int64_t unsaid_bytes() const;
  std::int64_t entering_bytes() const;
};

// `joint` is the graph as it was read, `decision` a report of it, `regions` a pattern of modules. Throws Failure (Usage) if no
// call is in a region.
EagerPolicy eager_policy(JointGraph joint, const Report& decision, const std::string& regions = "");

struct UnsaidForReason {
  Unsaid why{};
  std::int64_t size_bytes = 0;
  std::vector<const UnsaidValue*> values;
};

// Each reason that there is, in the order of the enumeration.
std::vector<UnsaidForReason> unsaid_by_reason(const EagerPolicy& policy);

// The bytes that cannot be said, in a sentence for a warning; empty if there are none.
std::string unsaid_in_short(const EagerPolicy& policy);

}  // namespace fxcut
