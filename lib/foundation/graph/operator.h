// The facts about an operator that a partition depends on, from one table (classify/operator_table.h), to which a graph
// adds facts about its own operators.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fxcut {

// Flags that a later pass derives from an operator's names alone, kept with it so that they are looked up once. Threads may
// derive them at the same time: all of them derive the same. A copy, whose names may change, begins without any.
class DerivedFlags {
 public:
  DerivedFlags() = default;
  DerivedFlags(const DerivedFlags&) {}
  DerivedFlags& operator=(const DerivedFlags&) {
    set(0);
    return *this;
  }

  // 0: not derived yet.
  std::uint32_t get() const { return flags_.load(std::memory_order_relaxed); }
  void set(std::uint32_t flags) const { flags_.store(flags, std::memory_order_relaxed); }

 private:
  mutable std::atomic<std::uint32_t> flags_{0};
};

struct Operator {
  enum class Kind {
    Overload,        // torch._ops.OpOverload: NAMESPACE.NAME.OVERLOAD
    HigherOrder,     // torch._ops.HigherOrderOperator: higher_order.NAME
    PythonFunction,  // MODULE.NAME, such as operator.getitem
  };

  // The partitioner's own classes: fixed lists of overload packets and functions (PyTorch's get_default_op_list and
  // compile_utils.rand_ops), which a graph cannot extend.
  enum Class : std::uint8_t {
    Fusible = 1,
    ComputeIntensive = 2,
    Random = 4,
    View = 8,
    Recomputable = 16,
    NeverDeduplicated = 32,
  };

  std::string target;     // "aten.add.Tensor"
  Kind kind = Kind::PythonFunction;
  std::string space;      // "aten": the namespace of an overload, otherwise empty
  std::string packet;     // "aten.add": the target without its overload
  std::string base_name;  // "add": PyTorch's base for names of nodes
  std::uint8_t classes = 0;

  bool known = false;                    // in the table or described by the graph
  bool mutates = false;                  // its schema is mutable
  bool seeded_random = false;            // tagged nondeterministic_seeded
  bool builtin = false;                  // of the namespaces aten, prim, prims
  bool has_side_effect = false;          // listed as side-effectful, or registered with an effect
  int returns = 1;                       // the number of values that its schema returns
  std::vector<std::string> mutable_arguments;  // names of the arguments that its schema writes to
  std::vector<std::optional<std::size_t>> mutable_positions;  // of these, if known

  // The argument dropout_p of attention, in releases that use it: its position, and its default.
  struct Dropout {
    std::size_t position = 0;
    std::optional<double> by_default;
  };
  std::optional<Dropout> dropout;

  // Facts that depend on the release.
  bool stays_unused = false;           // a call without users is not dead code
  bool has_effects_of_wrapped = false;  // a call has the effects of the operator that it is given
  bool runs_in_forward = false;        // a call that is not tagged for the backward can be in the forward only
  bool follows_backward_tag = false;   // a call that is tagged as of the backward can be there only
  bool needs_no_size = false;          // a call of which no value is known takes no memory

  DerivedFlags lowering;  // of inductor/lowering_rules.cpp

  bool is(Class c) const { return (classes & c) != 0; }
  bool is_overload() const { return kind == Kind::Overload; }
  bool is_collective() const { return is_overload() && space == "_c10d_functional"; }
};

}  // namespace fxcut
