// The tensors of a graph's nodes while it is lowered (torch/_inductor/ir.py, TensorBox and StorageBox): in buffers; or as
// expressions, computed in the kernels that read them until something stores them; and views of both.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "inductor/accesses.h"
#include "inductor/kernels.h"

namespace fxcut {

// An operator on known numbers: an index as a value (ops.index_expr), a difference, a maximum.
enum class OnNumber : std::uint8_t { Index, Difference, Larger };

// A number in an expression: the same one of another dtype, or written with a point, is another one (ops.constant).
struct NumberIn {
  double value = 0;
  bool is_real = false;
  const Dtype* dtype = nullptr;

  auto operator<=>(const NumberIn&) const = default;
};

// A value that is computed in the kernels that read it, until it is stored.
struct Inlined {
  NodeId node{0};
  const Tensor* tensor = nullptr;
  std::vector<Access> reads = {};
  std::vector<Access> positions = {};  // that it computes with
  std::set<std::uint64_t> operators = {};  // the operators of its nodes
  std::set<NumberIn> constants = {};       // the numbers that are arguments of these nodes
  bool heavy = false;
  std::optional<BufferId> stored = std::nullopt;
  Extents strides = {};  // once it is stored

  void compute(std::size_t count);   // with so many operators of its node
  void compute(OnNumber what, std::int64_t number);  // with one on numbers alone, which is the same wherever these are
  void compute_again(std::uint64_t copy);  // the operator of its node, for another element
  void compute_again(const Inlined& inner, std::uint64_t copy);  // what another expression computes
  void compute_part(std::uint64_t op, std::uint64_t part);  // an operator, of a part of the value that it is of; 0 of the whole
  void read(Access access);          // or compute with its position; each place is an operator
  std::vector<Access> accesses() const;  // reads and positions
  std::size_t moving_reads() const;  // at more than one place (OpCounterCSE.nontrivial_read_count)

  // About OpCounterCSE.op_count.
  std::size_t num_ops() const { return operators.size() + constants.size() + reads.size() + positions.size(); }
};

// The tensor of a node: a buffer, or an expression, through any number of views.
struct LoweredValue {
  std::optional<BufferId> buffer;
  std::size_t inlined = 0;  // its number, if there is no buffer
  const Tensor* tensor = nullptr;
  NodeId node{0};
  std::optional<std::size_t> view_of = std::nullopt;  // of a view: the number of what it views
  std::uint32_t part = 0;                             // of a view with several results, such as a split: its number
};

class LoweredValues {
 public:
  // `channels_last`: convolutions take their inputs so.
  LoweredValues(const Graph& graph, bool channels_last);

  std::span<const LoweredValue> of(NodeId node) const;  // its tensors; none of a node that is not lowered, or has no tensor
  std::vector<LoweredValue> inputs_of(const Node& call) const;  // except an input used only for its shape

  void hold(NodeId node, std::vector<LoweredValue> tensors);
  void hold(NodeId node, BufferId buffer, const Tensor& tensor);
  void hold(NodeId node, Inlined expression);
  LoweredValue express(Inlined expression);  // held by no node yet
  LoweredValue viewed(const LoweredValue& before, NodeId view, const Tensor* tensor, std::uint32_t part);

  // The buffer of a value that is in one; the expression of one that is not, or was not.
  std::optional<BufferId> buffer_of(const LoweredValue& held) const;
  const Inlined& expression_of(const LoweredValue& held) const { return inlined_[held.inlined]; }

  // A number for the parts of its expression's value that it is, by the slices through which it is viewed; 0 if it is the whole.
  std::uint64_t part_of(const LoweredValue& held) const;

  // Whether kernels load it, and do not compute it: an expression that reads nothing they compute even if it is stored
  // (ComputedBuffer.make_loader).
  bool is_loaded(const LoweredValue& held) const;

  // Where the value is, over its shape: in its buffer, or where its expression reads, and the positions that it computes with.
  std::vector<Access> accesses(const LoweredValue& held) const;

  // Where a kernel that needs it reads, and the positions that it computes with.
  std::vector<Access> loads(const LoweredValue& held) const;

  // Stores what is not in a buffer, without the views of it.
  BufferId store(const LoweredValue& held);

  // The same with these strides.
  BufferId store_in(const LoweredValue& held, const Extents& strides);

  // Stores the value for a library's call, which takes views by strides: a copy for this call alone if the view has none
  // (ExternKernel.realize_input).
  BufferId store_for_call(NodeId call, const LoweredValue& held);

  // A kernel that copies the value, as it is viewed, to a buffer of its own with these strides.
  BufferId copy(NodeId kernel, const LoweredValue& held, const Extents& strides);

  // The same with contiguous strides.
  const Tensor& contiguous(const Tensor& tensor);

  BufferId add_buffer(NodeId node, const Tensor& tensor, std::int64_t bytes);
  BufferId add_flexible_buffer(NodeId node, const Tensor& tensor);
  BufferId add_tuple(NodeId node);  // of no bytes so far
  BufferId add_changed_buffer(NodeId node, BufferId before);  // what another is once the node has overwritten it
  void add_kernel(Kernel kernel);  // positions are none of its reads
  Buffer& buffer(BufferId id) { return program_.buffers[id]; }

  BufferId memory_of(BufferId id) const;  // as fxcut::memory_of()
  void return_buffer(BufferId id) { program_.buffers[id].is_output = program_.buffers[memory_of(id)].is_output = true; }

  bool is_reduced(BufferId id) const { return reduced_.contains(id); }  // whether a reduction makes it

  // The strides of a buffer, if they are not as traced.
  void lay_out(BufferId id, Extents strides) { layouts_[id] = std::move(strides); }
  const Extents* layout_of(BufferId id) const;

  bool prefers_channels_last(NodeId node) const { return prefers_channels_last_[index_of(node)]; }

  // Whether no reader has fixed the layout of a buffer so far.
  bool is_flexible(BufferId id) const { return flexible_.contains(id); }
  void fix_layout(BufferId id) { flexible_.erase(id); }

  const Users& users() const { return users_; }
  Kernels take() { return std::move(program_); }

 private:
  std::vector<Access> accesses(const LoweredValue& held, bool computed) const;
  std::vector<Access> seen(std::size_t viewed, bool computed) const;
  std::vector<Access> unviewed(const LoweredValue& held, bool computed) const;
  std::vector<Access> through(const LoweredValue& view, const std::vector<Access>& accesses) const;
  static std::size_t key_of(std::size_t viewed, bool computed) { return 2 * viewed + (computed ? 1 : 0); }
  std::vector<NodeId> readers_of(NodeId id) const;
  Extents strides_for_readers(const Inlined& expression, const Extents& shape) const;

  const Graph& graph_;
  const Users users_;
  const std::vector<bool> prefers_channels_last_;  // by node
  std::vector<std::vector<LoweredValue>> values_;  // by node
  std::vector<LoweredValue> viewed_;
  // By view that is viewed, and whether its expression is computed: its accesses. They do not change: a buffer is laid out before
  // it is viewed, and an expression is asked for what it is stored in only once it is stored.
  mutable std::unordered_map<std::size_t, std::vector<Access>> seen_;
  std::vector<Inlined> inlined_;
  std::unordered_set<BufferId> flexible_;
  std::unordered_set<BufferId> reduced_;
  std::unordered_map<BufferId, Extents> layouts_;
  std::unordered_map<BufferId, BufferId> memory_;  // of buffers that kernels overwrote
  std::deque<Tensor> contiguous_;
  Kernels program_;
};

}  // namespace fxcut
