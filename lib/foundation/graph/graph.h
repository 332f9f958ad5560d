// The graph: nodes in execution order, each a value computed from earlier values. Plain data; a pass takes one and
// returns another. Nodes are identified by position, so an id is valid for one graph only.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/argument.h"
#include "graph/checkpoint_policy.h"
#include "graph/operator.h"
#include "graph/symbol_hints.h"
#include "graph/value.h"
#include "release/release.h"
#include "settings/matmul_precision.h"

namespace fxcut {

// The kind of a node (torch.fx's Node.op). call_method and call_module do not occur in joint graphs.
enum class Opcode : std::uint8_t { Placeholder, CallFunction, GetAttr, Output };

inline constexpr std::array<std::pair<std::string_view, Opcode>, 4> kOpcodes = {{
    {"placeholder", Opcode::Placeholder},
    {"call_function", Opcode::CallFunction},
    {"get_attr", Opcode::GetAttr},
    {"output", Opcode::Output},
}};

constexpr std::string_view opcode_name(Opcode opcode) {
  return std::find_if(kOpcodes.begin(), kOpcodes.end(), [&](const auto& o) { return o.second == opcode; })->first;
}

enum class NodeId : std::uint32_t {};
constexpr std::size_t index_of(NodeId id) { return static_cast<std::size_t>(id); }
constexpr NodeId node_id(std::size_t index) { return static_cast<NodeId>(index); }

// node.meta["partitioner_tag"]: where AOTAutograd traced the node.
enum class PartitionerTag : std::uint8_t { None, IsForward, IsBackward, MustBeInForward, MustBeInBackward };

// The place of a node in the user's program. Only for output.
struct Provenance {
  std::string module;       // path of the nn.Module
  std::string source_file;  // the innermost line, possibly a library's
  std::int64_t source_line = 0;
  std::string source_function;
  std::string checkpoint_name;
  std::string user_file;  // the innermost line in the user's repository; the path is relative to its top
  std::int64_t user_line = 0;
  std::string user_function;
};

// The stream that a call runs on and the memory pool of its result, if the user has set them (custom.stream, mempool and
// mempool_device). Each part is its JSON text.
struct ExecutionContext {
  std::string stream = "0";
  std::string memory_pool;
  std::string memory_pool_device;
  std::string reload_node;  // cpu_offload_reload_node: the node that brings the result back from the host

  bool operator==(const ExecutionContext&) const = default;
};

// The source of a request to offload: the graph's own mark, with PyTorch's restrictions; or a policy, which may prefer
// it, demand it, or permit it like JAX's, even if the value is also an output of the forward.
enum class OffloadRequest : std::uint8_t { Marked, Preferred, Must, Permitted };

// When an offloaded value is copied to the host: as in PyTorch, or so that the copy includes later writes to its memory. Never,
// if either copy would lack a write.
enum class HostCopy : std::uint8_t { AfterLastUse, AfterLastWrite, Never };

// The form in which a saved value crosses to the backward in fewer bits: its rows scaled to the range of another dtype and cast
// to it, cast only, or booleans as the bits of bytes.
enum class Compression : std::uint8_t { None, Scaled, Cast, Bits };

// The part of a whole step that a node belongs to. A node that is not in the backward, but depends on it or runs after its end,
// is the optimizer's if it takes part in processing gradients, otherwise the backward's.
enum class StepPhase : std::uint8_t { Forward, Backward, Optimizer };

struct Meta {
  std::optional<CheckpointPolicy> recompute;
  std::optional<std::int64_t> ac_graph_id;  // the checkpointed region
  PartitionerTag tag = PartitionerTag::None;
  bool has_backward_hook = false;
  bool saved_without_version_check = false;  // saved_tensor_with_no_vc_check
  std::optional<double> memory_budget;       // the older per-node budget; PyTorch uses real numbers only
  std::optional<double> region_budget;       // custom._region_activation_memory_budget
  bool static_lifetime = false;              // a parameter or buffer: always resident
  bool should_offload = false;               // to be offloaded if the forward saves it
  bool kept_part = false;                    // a view of a part that a policy saves: PyTorch would always recompute it
  bool saved_at_border = false;              // to be recomputed, but PyTorch saves it at the border of its region and the next
  OffloadRequest offload_request = OffloadRequest::Marked;  // its source
  HostCopy host_copy = HostCopy::AfterLastUse;
  Compression compression = Compression::None;  // if the forward saves it
  const Dtype* compressed_dtype = nullptr;      // of that form
  const Dtype* compress_to = nullptr;           // a policy wants that: what floating-point numbers are rounded to
  bool replayed_mutation = false;            // aot_runtime_epilogue_input_mutation: written to after the forward
  bool autograd_backward = false;            // of a whole step's backward, by Dynamo
  bool backward_phase = false;               // the same by the user: custom.phase is "backward"
  StepPhase phase = StepPhase::Forward;      // in a whole step, and in graphs made from it
  std::optional<double> runtime_ms;          // measured

  bool is_after_loss() const { return phase != StepPhase::Forward; }
};

// The origin of a node that a pass created and that is not in the input.
inline constexpr std::uint32_t kNoOrigin = 0xffffffff;

struct Node {
  std::string name;
  Opcode opcode = Opcode::CallFunction;
  std::string target;                  // of a placeholder, a get_attr or the output
  const Operator* callee = nullptr;    // of a call_function, never null there
  std::shared_ptr<const Arguments> arguments;
  std::vector<NodeId> inputs;          // one for each reference in the arguments; may repeat
  std::shared_ptr<const Value> value;  // null if the tracer recorded none
  std::shared_ptr<const Value> tensor_meta;  // known facts if `value` is null
  Meta meta;
  std::shared_ptr<const Provenance> provenance;
  std::shared_ptr<const ExecutionContext> context;  // null for the default
  std::uint32_t origin = kNoOrigin;    // the reader's ticket for the node's text in the file
  std::shared_ptr<const std::string> wrapped;  // of a wrapper with a generator's state: the name of the call that it runs
  bool has_new_value = false;          // `value` is not the one in that text
  bool is_recomputed_copy = false;     // in a whole step: a copy, in the backward, of a forward node

  bool is_call() const { return opcode == Opcode::CallFunction; }
  bool is_placeholder() const { return opcode == Opcode::Placeholder; }
  bool is_output() const { return opcode == Opcode::Output; }
  std::string_view packet() const { return callee->packet; }  // of a call
  bool calls(std::string_view operator_target) const { return is_call() && callee->target == operator_target; }
  bool has_tensor() const { return value && value->is_tensor(); }
  // The number of its tensor's storage; nodes with the same number share memory.
  std::optional<std::int64_t> storage() const { return has_tensor() ? value->tensor.storage : std::nullopt; }
  bool has_symbol() const { return value && value->is_symbolic(); }
  bool has_device() const { return value && value->kind == Value::Kind::Other && value->type_name == "device"; }
  // Whether it is to be recomputed (PyTorch's must_recompute).
  bool must_recompute() const {
    return meta.recompute && is_recompute(*meta.recompute);
  }
};

struct Graph {
  std::vector<Node> nodes;
  std::shared_ptr<const void> operators;  // keeps every node's callee alive

  const Node& operator[](NodeId id) const { return nodes[index_of(id)]; }
  Node& operator[](NodeId id) { return nodes[index_of(id)]; }
  std::size_t size() const { return nodes.size(); }
  // The last node; a verified graph ends in its only output.
  const Node& output() const { return nodes.back(); }
};

// The users of a node's value, each once, in execution order.
class Users {
 public:
  explicit Users(const Graph& graph);
  std::span<const NodeId> of(NodeId id) const {
    return {users_.data() + begin_[index_of(id)], users_.data() + begin_[index_of(id) + 1]};
  }
  std::span<const NodeId> of(std::size_t index) const { return of(node_id(index)); }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<NodeId> users_;
};

// The two sides of a partition.
struct GraphPair {
  Graph forward;
  Graph backward;
};

struct Symbol {
  std::optional<std::int64_t> hint;
  bool backed = true;  // an unbacked symbol depends on data
};

// Graphs that get_attr nodes refer to by name.
struct NamedSubgraph;
using Subgraphs = std::vector<NamedSubgraph>;

struct Subgraph {
  Graph graph;
  Subgraphs subgraphs;
  std::uint32_t origin = kNoOrigin;  // the reader's ticket for its text in the file
};

struct NamedSubgraph {
  std::string name;
  Subgraph subgraph;
};

// From the storage of a merged call to the storage of the equal call before it: views of the one are views of the
// other.
using MergedStorages = std::unordered_map<std::int64_t, std::int64_t>;

// The storage that the number represents after merging, which leaves no chains.
inline std::int64_t storage_after_merging(const MergedStorages& merged, std::int64_t storage) {
  const auto found = merged.find(storage);
  return found == merged.end() ? storage : found->second;
}

// A whole step, forward, loss, backward and perhaps the optimizer in one graph, as it was read except for the phases.
struct WholeStep {
  Graph graph;
  std::vector<bool> is_backward_output;  // by leaf of its output, whether it is not the forward's
  bool impure_random = false;            // unused random calls stay
};

// The value of JointGraph::compiler for torch._inductor.
inline constexpr std::string_view kInductor = "inductor";

// One training step, forward and backward.
struct JointGraph {
  std::string name;
  std::string producer;
  std::string compiler;  // the backend of torch.compile that compiles the two graphs; empty if the file does not say
  bool single_threaded = false;  // that compiler generates single-threaded code, since PyTorch has one thread
  MatmulPrecision float32_matmul_precision = MatmulPrecision::Highest;  // PyTorch's, when the graph was made
  ReleaseChoice torch;  // the release to decide as
  Graph graph;
  std::size_t num_forward_outputs = 0;  // the number of leaves of the output's arguments that are the forward's
  std::map<std::string, Symbol> symbols;
  SymbolHints hints;  // in place of the file's, if any were given
  Subgraphs subgraphs;
  std::unordered_map<std::string, std::string> repeats;  // by name of a merged node: the name of the node that it was merged into
  std::unordered_set<std::string> unlike_repeats;        // those of `repeats` with other bits: 0.0 equals -0.0 in Python
  MergedStorages merged_storages;
  std::shared_ptr<const WholeStep> step;  // the step that the graph was made from (step/joint_of_step.h), or null
};

// Whether the symbol depends on data; if the graph does not describe it, by PyTorch's prefixes of unbacked integers and
// floats (torch.utils._sympy.symbol).
bool is_unbacked(const JointGraph& joint, const std::string& symbol);

// One leaf of the output's arguments: a node, or a constant.
struct OutputLeaf {
  std::optional<NodeId> node;
  const Argument* constant = nullptr;  // set if `node` is not
};

// How many operators the graph calls.
std::size_t count_calls(const Graph& graph);

// The leaves of the output's arguments in order.
std::vector<OutputLeaf> output_leaves(const Graph& graph);

// Marks all nodes from which marked ones are computed. `marked`: by node.
void mark_ancestors(const Graph& graph, std::vector<bool>& marked);

// For each node, whether one of these outputs is or depends on its value.
std::vector<bool> needed_for(const Graph& graph, std::span<const OutputLeaf> outputs);

// The number after the largest of all storages.
std::int64_t first_unused_storage(const Graph& graph);

// The names of the graph's inputs in order.
std::vector<std::string> placeholder_names(const Graph& graph);

// The targets of the graph's get_attr nodes. The names live as long as the graph.
std::set<std::string_view> attribute_names(const Graph& graph);

// The argument of a call at that position, otherwise by that name; null if neither is given.
const Argument* argument_of(const Node& call, std::optional<std::size_t> position, std::string_view name);

// The node that is positional argument number `position` of a call, if any.
std::optional<NodeId> node_argument(const Node& node, std::size_t position);

// The position of the item that a getitem takes; none of other nodes, and where its key is not an integer.
std::optional<std::int64_t> item_position(const Node& node);

// The subgraph whose get_attr is positional argument number `position` of a call, or null.
const Subgraph* find_subgraph(const JointGraph& joint, const Node& call, std::size_t position);

// Whether a placeholder is one of ... (PyTorch's _is_tangent, _is_fwd_seed_offset, _is_bwd_seed_offset, _is_primal: by
// the placeholder's target).
bool is_tangent(const Node& node);
bool is_forward_seed(const Node& node);
bool is_backward_seed(const Node& node);
bool is_primal(const Node& node);
bool is_backward_state(const Node& node);

// Whether the node has a gradient among its inputs, or is one that a whole step computes after its loss.
bool uses_gradient(const Graph& graph, const Node& node);

// Whether a symbolic value is checked at run time and used for nothing else (PyTorch's _is_assert_only_symbool).
bool is_assert_only(const Graph& graph, const Users& users, NodeId id);

// The nodes for which `matches` is true, in execution order.
std::vector<NodeId> find_nodes(const Graph& graph, bool (*matches)(const Node&));

// Whether the value is a script object or of a type that PyTorch treats as opaque (PyTorch's is_opaque_node).
bool is_opaque(const Node& node);

// Whether it is a script object.
bool is_script_object(const Node& node);

}  // namespace fxcut
