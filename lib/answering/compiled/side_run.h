// A wrapper while it is replayed: the names of each running function, and the effects of statements. Calls are in
// side_calls.cpp, methods of tensors in side_methods.cpp, notes about an operator's arguments in side_arguments.cpp,
// everything else in side_run.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiled/object.h"
#include "compiled/side_replay.h"
#include "compiled/wrapper.h"
#include "graph/extents.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {

// Whether that name in the wrapper is an operator of PyTorch, or a kernel that inductor has generated.
bool is_operator(std::string_view callee);
bool is_kernel(std::string_view callee);

class SideRun {
 public:
  SideRun(const SideCode& side, Ledger& ledger, std::vector<CodeNote>& notes)
      : side_(side), ledger_(ledger), notes_(notes), numbers_(side.code.hints) {}

  // Calls "call" with these and returns its results.
  std::vector<Object> run(std::vector<Object> inputs);

 private:
  struct Frame {
    const WrapperFunction* function = nullptr;
    std::map<std::string, Object, std::less<>> names;
  };
  using CallForm = Object (SideRun::*)(const PythonExpression& call);
  struct NamedForm {
    std::string_view callee;
    CallForm run;
  };

  // The function for a call with a meaning of its own; all others are kernels or operators.
  static CallForm form_of(std::string_view callee);
  Object call_function(const std::string& name, Object args);
  void begin(const WrapperStatement& statement);
  void run(const WrapperStatement& statement);
  // A call without a use of its result: a kernel, an operator that writes to `out`, an assertion.
  void run_alone(const PythonExpression& value);
  // Notes a call of an operator, with what the names in it stand for.
  void record_call(const PythonExpression& call);
  // In bytes, if it is a convolution on a CUDA device; otherwise 0.
  std::int64_t workspace_of(const PythonExpression& call);
  // The tensor, if it is one by its name or a view of one.
  Object tensor_given(const PythonExpression& given);
  void add_arguments(const PythonExpression& given, OperatorCall& call);
  void add_argument(const PythonExpression& name, OperatorCall& call);
  void assign(const PythonExpression& target, Object object);
  static void add_name(MemoryBlock& block, const std::string& name);
  void forget(const PythonExpression& target);
  void forget_name(const std::string& name);
  Object evaluate(const PythonExpression& expression);
  static Object other();
  // A name that is not bound is a constant of the module, a symbol with a hint, or a keyword.
  Object value_of_name(const PythonExpression& expression);
  Object evaluate_number(const PythonExpression& expression);
  // A size. A symbol without a hint has PyTorch's default, which is noted.
  std::optional<std::int64_t> size_of(const PythonExpression& expression);
  std::optional<Extents> sizes_of(const PythonExpression* tuple);
  Object evaluate_items(const PythonExpression& expression);
  Object evaluate_item(const PythonExpression& subscript);
  // An item of an operator's results is created at its first use, with the moment of the call.
  Object item_of(const Object& whole, std::size_t position);
  Object evaluate_call(const PythonExpression& call);
  Object first_argument(const PythonExpression& call) { return call.items.size() > 1 ? evaluate(call.items[1]) : Object(); }
  // "x[a : b]" of a tensor of one dimension: a view.
  Object slice_of(const Object& whole, const PythonExpression& slice);
  // "empty_strided_cuda(...).as_strided(...)": more memory than the tensor needs, or the result of partial sums.
  Object call_attribute(const PythonExpression& call);
  // ".view(2, 3)", ".view([2, 3])".
  Object view_as(Object seen, const PythonExpression& call);
  // ".sum(dim=0)", ".prod(dim=0)": over the first dimension.
  Object reduce_first(const Object& reduced);
  // ".to(torch.bfloat16)".
  Object convert(const Object& converted, const PythonExpression& call);
  // A contiguous tensor on the device of `like`, in memory of its own.
  Object make_like(const Object& like, Extents shape, const Dtype* dtype);
  // "buf0.size()", "buf0.item()", "arg0_1.copy_(buf1)".
  std::optional<Object> call_method(const PythonExpression& call);
  static Object numbers_object(const Extents& numbers);
  // "max(1, s0)"; nothing for other calls.
  std::optional<std::int64_t> evaluate_size_function(const PythonExpression& call);
  // An operator makes its result, or returns memory of an argument: `out`, or by its schema.
  Object call_operator(const PythonExpression& call);
  static std::string_view registry_name(std::string_view callee);
  // Whether the wrapper uses items of this statement's value.
  bool is_taken_apart() const;
  // Its size is the graph's, if all calls of the operator have the same, until an assertion follows.
  Object make_result(const std::string& target, std::optional<std::size_t> item, std::size_t moment);
  static void describe(MemoryBlock& block, const std::shared_ptr<const KernelComment>& comment);
  // empty_strided_cuda(shape, stride, dtype), empty_strided(shape, stride, device=, dtype=)
  Object allocate(const PythonExpression& call);
  static std::string device_of(const PythonExpression& call);
  // The memory of the first argument, as another tensor.
  Object view(const PythonExpression& call);
  Object nothing(const PythonExpression&) { return other(); }
  Object clear_args(const PythonExpression&);
  // assert_size_stride(buf0, shape, stride, 'torch.ops.aten.mm.default'), and with a dtype before the operator.
  Object assert_one(const PythonExpression& call);
  Object assert_several(const PythonExpression& call);
  void apply_assertion(const PythonExpression& name, const PythonExpression& shape, const PythonExpression& stride,
                       const Dtype* dtype, const std::string& target);
  // 1 of "torch.ops.aten.topk.default[1]".
  static std::optional<std::size_t> item_in(std::string_view made_by);
  // Whether it uses any memory of the step. Blocks without a maker are made by this call.
  bool use_arguments(const PythonExpression& call);
  bool use(const PythonExpression& given, const std::string& kernel, const Dtype* dtype);
  std::map<std::string, Object, std::less<>>& names() { return frames_.back().names; }
  void note(std::string text);

  const SideCode& side_;
  Ledger& ledger_;
  std::vector<CodeNote>& notes_;
  SymbolHints numbers_;
  std::set<std::string> unknown_symbols_;
  std::vector<Frame> frames_;
  const WrapperStatement* statement_ = nullptr;
};

}  // namespace fxcut
