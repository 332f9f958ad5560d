// A wrapper while it is replayed: the names of each function that runs, and what a statement does to them. Its calls
// are in side_calls.cpp, all else in side_run.cpp.
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
#include "import/size_arithmetic.h"

namespace fxcut {

// Whether the wrapper calls an operator of PyTorch by that name, or a kernel that inductor has generated.
bool is_operator(std::string_view callee);
bool is_kernel(std::string_view callee);

class SideRun {
 public:
  SideRun(const SideCode& side, Ledger& ledger, std::vector<CodeNote>& notes)
      : side_(side), ledger_(ledger), notes_(notes), numbers_(side.code.hints) {}

  // Calls "call" with these. Returns what it returns.
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

  // The calls that have a meaning of their own. All other calls are kernels or operators.
  static CallForm form_of(std::string_view callee);
  Object call_function(const std::string& name, Object args);
  void begin(const WrapperStatement& statement);
  void run(const WrapperStatement& statement);
  // A call whose result nobody takes: a kernel, an operator that writes to `out`, an assertion.
  void run_alone(const PythonExpression& value);
  void assign(const PythonExpression& target, Object object);
  static void add_name(MemoryBlock& block, const std::string& name);
  void forget(const PythonExpression& names_to_go);
  void forget_name(const std::string& name);
  Object evaluate(const PythonExpression& expression);
  static Object other();
  // A name that the function does not bind is a constant of the module, a symbol with a hint, or a word of Python.
  Object value_of_name(const PythonExpression& expression);
  Object evaluate_number(const PythonExpression& expression);
  // A size. A symbol that has no value counts as PyTorch counts it, and that is said.
  std::optional<std::int64_t> size_of(const PythonExpression& expression);
  std::optional<std::vector<std::int64_t>> sizes_of(const PythonExpression* tuple);
  Object evaluate_items(const PythonExpression& expression);
  Object evaluate_item(const PythonExpression& subscript);
  // Of what an operator returned, the item comes to be where it is first taken: it was there since the call.
  Object item_of(const Object& whole, std::size_t position);
  Object evaluate_call(const PythonExpression& call);
  Object first_argument(const PythonExpression& call) { return call.items.size() > 1 ? evaluate(call.items[1]) : Object(); }
  // "empty_strided_cuda(...).as_strided(...)": memory of more than the tensor needs.
  Object call_attribute(const PythonExpression& call);
  // "buf0.size()", "buf0.item()", "arg0_1.copy_(buf1)".
  std::optional<Object> call_method(const PythonExpression& call);
  static Object numbers_object(const std::vector<std::int64_t>& numbers);
  // "max(1, s0)"; nothing of a call that is no arithmetic.
  std::optional<std::int64_t> evaluate_size_function(const PythonExpression& call);
  // An operator makes its result, or returns memory of an argument: `out`, or as its schema says.
  Object call_operator(const PythonExpression& call);
  static std::string_view registry_name(std::string_view callee);
  // Whether the wrapper takes items of what this statement assigns.
  bool is_taken_apart() const;
  // Sized by what the graph says of the operator, where that is the same for all its calls, until an assertion follows.
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
  void is_as_asserted(const PythonExpression& name, const PythonExpression& shape, const PythonExpression& stride,
                      const Dtype* dtype, const std::string& target);
  // 1 of "torch.ops.aten.topk.default[1]".
  static std::optional<std::size_t> item_in(std::string_view made_by);
  // Whether it takes any memory of the step. What has no maker yet is made by this call.
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
