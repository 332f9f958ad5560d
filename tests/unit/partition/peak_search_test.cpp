// The search for a decision within a limit of the peak reports its passes' times, and is as good as each kind of decision alone.
#include "partition/peak_search.h"

#include <gtest/gtest.h>

#include <string_view>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "settings/memory_limit.h"

namespace fxcut {
namespace {

constexpr std::string_view kChain = R"(
    primals_1 = placeholder : f32[64, 64]
    primals_2 = placeholder : f32[64, 64]
    tangents_1 = placeholder : f32[64, 64]
    mm = aten.mm.default(primals_1, primals_2) : f32[64, 64]
    sin = aten.sin.default(mm) : f32[64, 64]
    mm_1 = aten.mm.default(sin, primals_2) : f32[64, 64]
    cos = aten.cos.default(mm_1) : f32[64, 64]
    mm_2 = aten.mm.default(cos, primals_2) : f32[64, 64]
    mul = aten.mul.Tensor(tangents_1, mm_2) : f32[64, 64]
    mul_1 = aten.mul.Tensor(mul, cos) : f32[64, 64]
    mul_2 = aten.mul.Tensor(mul_1, sin) : f32[64, 64]
    mul_3 = aten.mul.Tensor(mul_2, mm) : f32[64, 64]
    return mm_2 | mul_3, None)";

TEST(PeakSearch, EachSearchIsAPassOfItsOwn) {
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  settings.peak_bytes_limit = MemoryLimit{};
  settings.peak_bytes_limit->is_least = true;
  int searches = 0;
  bool is_searching = false;  // since the last pass was done
  const HaltRequested halt = [&] {
    is_searching = true;
    return Halt::No;
  };
  const PassDone done = [&](std::string_view pass) {
    searches += pass == "decide";
    is_searching = false;
  };
  partition_within_peak(joint_graph(kChain), settings, {}, halt, done);
  EXPECT_GT(searches, 1) << "by the operators' peak, then by the code's";
  EXPECT_FALSE(is_searching) << "its time would be counted to the next pass, whatever that is";
}

// Booleans of ReLUs would raise the peak here.
constexpr std::string_view kRelu = R"(
    primals_1 = placeholder : f32[16, 32]@0
    tangents_1 = placeholder : f32[]@1
    native_dropout = aten.native_dropout.default(primals_1, 0.3, True) : tuple(f32[16, 32]@2, bool[16, 32]@3)
    getitem = operator.getitem(native_dropout, 0) : f32[16, 32]@2
    relu = aten.relu.default(getitem) : f32[16, 32]@4
    t = aten.t.default(getitem) : f32[32, 16]{1, 32}@2
    native_dropout_1 = aten.native_dropout.default(relu, 0.3, True) : tuple(f32[16, 32]@5, bool[16, 32]@6)
    getitem_2 = operator.getitem(native_dropout_1, 0) : f32[16, 32]@5
    getitem_3 = operator.getitem(native_dropout_1, 1) : bool[16, 32]@6
    sum = aten.sum.default(getitem_2) : f32[]@7
    expand = aten.expand.default(tangents_1, [16, 32]) : f32[16, 32]{0, 0}@1
    grad = aten.native_dropout_backward.default(expand, getitem_3, 1.4285714285714286) : f32[16, 32]@8
    grad_1 = aten.threshold_backward.default(grad, relu, 0) : f32[16, 32]@9
    mm = aten.mm.default(t, grad_1) : f32[32, 32]@10
    return sum | mm)";

TEST(PeakSearch, FormsOfFewerBitsNeverRaiseTheLowestPeak) {
  Settings settings;
  settings.peak_bytes_limit = least_limit();
  const Report whole = partition_within_peak(joint_graph(kRelu), settings, {}).report;
  settings.compress = Compress::Exact;
  const Report either = partition_within_peak(joint_graph(kRelu), settings, {}).report;
  EXPECT_LE(either.memory.peak_bytes, whole.memory.peak_bytes);
  ASSERT_TRUE(either.peak_limit->floor_bytes);
  EXPECT_LE(*either.peak_limit->floor_bytes, *whole.peak_limit->floor_bytes) << "a proof for both";
  settings.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(whole.memory.peak_bytes));
  EXPECT_NO_THROW(partition_within_peak(joint_graph(kRelu), settings, {}));
  settings.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(*either.peak_limit->floor_bytes) - 1);
  EXPECT_THROW(partition_within_peak(joint_graph(kRelu), settings, {}), Failure);
}

}  // namespace
}  // namespace fxcut
