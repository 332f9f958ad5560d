// Methods of tensors in a wrapper. A kernel that reduces the rows and the columns of a tensor writes sums of some rows each to a
// workspace, of which the wrapper makes the result (torch/_inductor/codegen/simd.py, _codegen_mix_order_reduction):
//
//     buf13 = workspace_0[0 * (512) * (1024) : (0 + 1) * (512) * (1024)].view(512, 1024).sum(dim=0).view([1024])
#include <fmt/format.h>

#include "compiled/block_size.h"
#include "compiled/code_arguments.h"
#include "compiled/side_run.h"
#include "graph/strides.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

}  // namespace

Object SideRun::slice_of(const Object& whole, const PythonExpression& slice) {
  const auto begin = size_of(slice.items[0]), end = size_of(slice.items[1]);
  if (!whole.memory || whole.shape.size() != 1 || !begin || !end || *end < *begin) {
    note("not understood: which part is taken");
    return whole;
  }
  Object part = whole;
  part.shape = {*end - *begin};
  return part;
}

Object SideRun::call_attribute(const PythonExpression& call) {
  Object object = evaluate(call.items[0].items[0]);
  const std::string& method = call.items[0].text;
  if (method == "view") return view_as(std::move(object), call);
  if (method == "sum" || method == "prod") return reduce_first(object);
  if (method == "to") return convert(object, call);
  if (method != "as_strided") note(fmt::format("not understood: .{}(...)", method));
  return object;
}

Object SideRun::view_as(Object seen, const PythonExpression& call) {
  const bool in_list = call.items.size() == 2 && (call.items[1].is(Kind::List) || call.items[1].is(Kind::Tuple));
  const std::vector<PythonExpression>& sizes = in_list ? call.items[1].items : call.items;
  seen.shape.clear();
  for (std::size_t i = in_list ? 0 : 1; i < sizes.size(); ++i) seen.shape.push_back(size_of(sizes[i]).value_or(0));
  seen.stride = contiguous_strides(seen.shape);
  return seen;
}

Object SideRun::reduce_first(const Object& reduced) {
  if (!reduced.memory || reduced.shape.empty()) {
    note("not understood: what is reduced");
    return other();
  }
  return make_like(reduced, {reduced.shape.begin() + 1, reduced.shape.end()}, reduced.memory->block().dtype);
}

Object SideRun::convert(const Object& converted, const PythonExpression& call) {
  const PythonExpression* const name = argument(call, 1);
  const Dtype* const dtype = name ? dtype_named(*name) : nullptr;
  if (converted.memory && dtype) return make_like(converted, converted.shape, dtype);
  note("not understood: what is converted, and to what");
  return converted;
}

Object SideRun::make_like(const Object& like, Extents shape, const Dtype* dtype) {
  MemoryBlock block;
  block.kind = BlockKind::Result;
  block.first = ledger_.now();
  block.device = like.memory->block().device;
  block.dtype = dtype;
  block.stride = contiguous_strides(shape);
  block.shape = std::move(shape);
  settle_size(block, SizeSource::Wrapper);
  describe(block, statement_->comment);
  return make_block(std::move(block), ledger_);
}

}  // namespace fxcut
