// Resolves the names in an operator's call.
#include <algorithm>
#include <limits>

#include "compiled/code_arguments.h"
#include "compiled/side_run.h"
#include "graph/int128.h"
#include "inductor/workspaces.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

// The shape of the result of a convolution that is not transposed; empty if it is not in the call.
Extents convolved(const Extents& input, const Extents& weight, const PythonExpression& call) {
  const auto numbers = [&](std::string_view name) {
    const PythonExpression* const given = keyword(call, name);
    return given ? plain_numbers(*given).value_or(Extents()) : Extents();
  };
  const PythonExpression* const transposed = keyword(call, "transposed");
  if (!transposed || transposed->text != "False") return {};
  const Extents stride = numbers("stride"), padding = numbers("padding"), dilation = numbers("dilation");
  const std::size_t dimensions = stride.size();
  const bool is_known = padding.size() == dimensions && dilation.size() == dimensions && input.size() == dimensions + 2 &&
                        weight.size() == dimensions + 2 && std::ranges::find(stride, 0) == stride.end();
  if (!is_known) return {};
  Extents output = {input[0], weight[0]};
  for (std::size_t d = 0; d < dimensions; ++d) {
    const Int128 covered = Int128(input[d + 2]) + 2 * Int128(padding[d]) - Int128(dilation[d]) * (weight[d + 2] - 1);
    const Int128 size = (covered - 1) / stride[d] + 1;
    if (size < 1 || size > std::numeric_limits<std::int64_t>::max()) return {};
    output.push_back(static_cast<std::int64_t>(size));
  }
  return output;
}

}  // namespace

void SideRun::record_call(const PythonExpression& call) {
  OperatorCall made{ledger_.now(), {}};
  for (std::size_t i = 1; i < call.items.size(); ++i) add_arguments(call.items[i], made);
  for (const PythonKeyword& given : call.keywords) add_arguments(given.value, made);
  made.workspace_bytes = workspace_of(call);
  ledger_.calls.push_back(std::move(made));
}

std::int64_t SideRun::workspace_of(const PythonExpression& call) {
  const std::string_view callee = call.items[0].text;
  const bool is_backward = callee == "torch.ops.aten.convolution_backward.default";
  if ((!is_backward && callee != "extern_kernels.convolution") || call.items.size() < (is_backward ? 4 : 3)) return 0;
  const std::size_t first = is_backward ? 2 : 1;
  const Object input = tensor_given(call.items[first]), weight = tensor_given(call.items[first + 1]);
  if (!input.memory || !weight.memory || input.memory->block().device != "cuda") return 0;
  const Extents output = is_backward ? tensor_given(call.items[1]).shape : convolved(input.shape, weight.shape, call);
  const TensorLayout of_input{input.shape, input.stride}, of_weight{weight.shape, weight.stride};
  return workspace_bytes({input.memory->block().dtype, of_input, of_weight, output, is_backward});
}

Object SideRun::tensor_given(const PythonExpression& given) {
  const bool is_view = given.is(PythonExpression::Kind::Call) && given.items[0].is_name("reinterpret_tensor");
  return given.is(PythonExpression::Kind::Name) ? value_of_name(given) : is_view ? view(given) : Object();
}

void SideRun::add_arguments(const PythonExpression& given, OperatorCall& call) {
  if (given.is(Kind::Name)) return add_argument(given, call);
  for (const PythonExpression& item : given.items) add_arguments(item, call);
  for (const PythonKeyword& named : given.keywords) add_arguments(named.value, call);
}

void SideRun::add_argument(const PythonExpression& name, OperatorCall& call) {
  if (std::ranges::find(call.arguments, name.text, &NamedArgument::name) != call.arguments.end()) return;
  const Object object = value_of_name(name);
  if (object.kind == Object::Kind::Number) call.arguments.push_back({name.text, std::nullopt, {}, {}, object.number});
  if (object.memory) call.arguments.push_back({name.text, object.memory->number(), object.shape, object.stride, 0, object.dtype});
}

}  // namespace fxcut
