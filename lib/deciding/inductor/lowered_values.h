// The tensors of a graph's nodes during lowering (torch/_inductor/ir.py, TensorBox and StorageBox): buffers; expressions,
// computed in the kernels that read them until something stores them; and views of both.
#pragma once

#include <boost/container/flat_set.hpp>

#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "graph/small_list.h"
#include "inductor/accesses.h"
#include "inductor/kernels.h"

namespace fxcut {

// An operator on known numbers: an index as a value (ops.index_expr), a difference, a maximum.
enum class OnNumber : std::uint8_t { Index, Difference, Larger };

// A number in an expression: with another dtype, or as a float, it is a different constant (ops.constant).
struct NumberIn {
  double value = 0;
  bool is_real = false;
  const Dtype* dtype = nullptr;

  auto operator<=>(const NumberIn&) const = default;
};

// Sets in one piece of memory, as there are many of them, and most are small.
using OperatorSet = boost::container::flat_set<std::uint64_t>;
using NumberSet = boost::container::flat_set<NumberIn>;

// A value that is computed in the kernels that read it, until it is stored.
struct Inlined {
  NodeId node{0};
  const Tensor* tensor = nullptr;
  std::vector<Access> reads = {};
  std::vector<Access> positions = {};  // loop indices that it computes with
  OperatorSet operators = {};              // the operators of its nodes
  NumberSet constants = {};                // the numbers that are arguments of these nodes
  bool heavy = false;
  std::optional<BufferId> stored = std::nullopt;
  Extents strides = {};  // once it is stored

  void compute(std::size_t count);   // adds `count` operators of its node
  void compute(OnNumber what, std::int64_t number);  // adds an operator on numbers alone, shared by all equal ones
  void compute_again(std::uint64_t copy);  // adds the operator of its node for another element
  void compute_again(const Inlined& inner, std::uint64_t copy);  // adds what another expression computes
  void compute_part(std::uint64_t op, std::uint64_t part);  // adds an operator for a part of its value; 0: the whole
  void read(Access access);          // or a loop index to compute with; each distinct place is an operator
  void read(std::vector<Access> accesses);  // the same of each
  std::vector<Access> accesses() const;  // reads and positions
  std::size_t moving_reads() const;  // at more than one place (OpCounterCSE.nontrivial_read_count)

  // Approximates OpCounterCSE.op_count.
  std::size_t num_ops() const { return operators.size() + constants.size() + reads.size() + positions.size(); }
};

// The tensor of a node: a buffer, or an expression, through any number of views.
struct LoweredValue {
  std::optional<BufferId> buffer;
  std::size_t inlined = 0;  // the expression's number, if there is no buffer
  const Tensor* tensor = nullptr;
  NodeId node{0};
  std::optional<std::size_t> view_of = std::nullopt;  // for a view: the number of its base
  std::uint32_t part = 0;                             // for a view with several results, such as a split: its index
};

// The tensors of a node, or of a call's inputs: mostly one or two.
using LoweredTensors = SmallList<LoweredValue, 2>;

class LoweredValues {
 public:
  // `channels_last`: convolutions take channels-last inputs.
  LoweredValues(const Graph& graph, bool channels_last);

  std::span<const LoweredValue> of(NodeId node) const;  // its tensors; none if the node is not lowered, or has no tensor
  LoweredTensors inputs_of(const Node& call) const;  // except an input used only for its shape

  void hold(NodeId node, LoweredTensors tensors);
  void hold(NodeId node, BufferId buffer, const Tensor& tensor);
  void hold(NodeId node, Inlined expression);
  LoweredValue express(Inlined expression);  // held by no node yet
  LoweredValue viewed(const LoweredValue& before, NodeId view, const Tensor* tensor, std::uint32_t part);

  // The buffer of a value that has one, and the expression of one that does not, or did not.
  std::optional<BufferId> buffer_of(const LoweredValue& held) const;
  const Inlined& expression_of(const LoweredValue& held) const { return inlined_[held.inlined]; }

  // Identifies the part of its expression's value that it is, by the slices of its views; 0: the whole.
  std::uint64_t part_of(const LoweredValue& held) const;

  // Whether kernels load it rather than compute it: an expression that reads nothing is computed even if it is stored
  // (ComputedBuffer.make_loader).
  bool is_loaded(const LoweredValue& held) const;

  // The accesses of the value over its shape: to its buffer, or those of its expression, with its loop indices.
  std::vector<Access> accesses(const LoweredValue& held) const;

  // The reads of a kernel that needs the value, and the loop indices that it computes with.
  std::vector<Access> loads(const LoweredValue& held) const;

  // Stores the value, without its views, unless it is in a buffer.
  BufferId store(const LoweredValue& held);

  // The same with the strides `strides`.
  BufferId store_in(const LoweredValue& held, const Extents& strides);

  // Stores the value for a library call, which takes views by strides; copies it for this call alone if the view has no strides
  // (ExternKernel.realize_input).
  BufferId store_for_call(NodeId call, const LoweredValue& held);

  // Adds a kernel that copies the viewed value to a new buffer with these strides.
  BufferId copy(NodeId kernel, const LoweredValue& held, const Extents& strides);

  // The same with contiguous strides.
  const Tensor& contiguous(const Tensor& tensor);

  BufferId add_buffer(NodeId node, const Tensor& tensor, std::int64_t bytes);
  BufferId add_flexible_buffer(NodeId node, const Tensor& tensor);
  BufferId add_tuple(NodeId node);  // with no bytes yet
  BufferId add_changed_buffer(NodeId node, BufferId before);  // what `before` becomes once the node has overwritten it
  void add_kernel(Kernel kernel);  // its reads must not be loop indices
  Buffer& buffer(BufferId id) { return program_.buffers[id]; }

  BufferId memory_of(BufferId id) const;  // as fxcut::memory_of()
  void return_buffer(BufferId id) { program_.buffers[id].is_output = program_.buffers[memory_of(id)].is_output = true; }

  bool is_reduced(BufferId id) const { return reduced_.contains(id); }  // whether a reduction makes it

  // The strides of a buffer, if they are not as traced.
  void lay_out(BufferId id, Extents strides) { layouts_[id] = std::move(strides); }
  const Extents* layout_of(BufferId id) const;

  bool prefers_channels_last(NodeId node) const { return prefers_channels_last_[index_of(node)]; }

  // Whether no reader has fixed the layout of a buffer so far.
  bool is_flexible(BufferId id) const { return id < flexible_.size() && flexible_[id]; }
  void fix_layout(BufferId id) {
    if (id < flexible_.size()) flexible_[id] = false;
  }

  const Users& users() const { return users_; }
  Kernels take() { return std::move(program_); }

 private:
  std::vector<Access> accesses(const LoweredValue& held, bool computed) const;
  std::optional<Access> only_access(const LoweredValue& held, bool computed) const;
  std::vector<Access> unviewed(const LoweredValue& held, bool computed) const;
  std::vector<Access> through(const LoweredValue& view, std::span<const Access> accesses) const;
  std::vector<Access> through_base(const LoweredValue& view, bool computed) const;
  static std::size_t key_of(std::size_t viewed, bool computed) { return 2 * viewed + (computed ? 1 : 0); }
  std::vector<NodeId> readers_of(NodeId id) const;
  Extents strides_for_readers(const Inlined& expression, const Extents& shape) const;

  const Graph& graph_;
  const Users users_;
  const std::vector<bool> prefers_channels_last_;  // by node
  std::vector<LoweredTensors> values_;  // by node
  std::vector<LoweredValue> viewed_;
  // Accesses of viewed views, by whether their expression is computed. They do not change: a buffer is laid out before it is
  // viewed, and stored accesses of an expression are only asked for once it is stored.
  mutable std::unordered_map<std::size_t, std::vector<Access>> seen_;
  std::vector<Inlined> inlined_;
  std::vector<bool> flexible_;  // by buffer, up to the last one that was
  std::unordered_set<BufferId> reduced_;
  std::unordered_map<BufferId, Extents> layouts_;
  std::unordered_map<BufferId, BufferId> memory_;  // for buffers that kernels overwrote
  std::deque<Tensor> contiguous_;
  Kernels program_;
};

}  // namespace fxcut
