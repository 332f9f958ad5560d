// Saved values in 8 bits. Answers that PyTorch gives are compared node by node in python/tests/test_activation_quantization.py.
#include "quantize/quantize_activations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

// y, of 64 bytes, is saved, and so is the input.
const std::string kStep = R"(
  primals_1 = placeholder : f32[4, 4]
  tangents_1 = placeholder : f32[4, 4]
  y = aten.mm.default(primals_1, primals_1) : f32[4, 4]{4, 1}
  loss = aten.mm.default(y, y) : f32[4, 4]
  grad = my.grad.default(tangents_1, y, primals_1) : f32[4, 4]
  return loss | grad)";

// By casts, of every size, except inputs.
Settings casting() {
  Settings settings;
  settings.activation_quantization = {
      .is_on = true, .allowed_dtypes = "torch.float32", .size_in_mb = 0, .use_scaling = false, .exclude_primals = true};
  return settings;
}

Settings scaling() {
  Settings settings = casting();
  settings.activation_quantization.use_scaling = true;
  return settings;
}

std::string sides(const std::string& text, const Settings& settings) {
  try {
    const Partition result = partition(joint_graph(text), settings);
    return names_of(result.graphs.forward) + " | " + names_of(result.graphs.backward);
  } catch (const Failure& failure) {
    return failure.diagnostics().at(0).message;
  }
}

const std::string kCast = "primals_1 y fp8_quant_pos_2_y loss output | "
                          "primals_1 fp8_quant_pos_2_y tangents_1 dequant_fp8_quant_pos_2_y grad output";
const std::string kAsItIs = "primals_1 y loss output | primals_1 y tangents_1 grad output";

TEST(QuantizeActivations, DoesNothingUnlessItIsOn) { EXPECT_EQ(sides(kStep, {}), kAsItIs); }

TEST(QuantizeActivations, CastsAfterTheValueAndBack) { EXPECT_EQ(sides(kStep, casting()), kCast); }

TEST(QuantizeActivations, ScalesRowsAndDivides) {
  EXPECT_EQ(sides(kStep, scaling()),
            "primals_1 y abs_default amax_default convert_element_type_default clamp_min_default reciprocal_default mul_tensor "
            "fp8_scale_pos_2_y convert_element_type_default_1 mul_tensor_1 clamp_min_default_1 clamp_max_default "
            "fp8_quant_pos_2_y loss output | primals_1 fp8_quant_pos_2_y fp8_scale_pos_2_y tangents_1 "
            "convert_element_type_default div_tensor convert_element_type_default_1 grad output");
}

TEST(QuantizeActivations, UnsetScalesAndDoesNotDivide) {
  Settings settings = scaling();
  settings.activation_quantization.use_scaling.reset();
  const Partition result = partition(joint_graph(kStep), settings);
  EXPECT_EQ(names_of(result.graphs.backward),
            "primals_1 fp8_quant_pos_2_y fp8_scale_pos_2_y tangents_1 dequant_fp8_quant_pos_2_y grad output");
  ASSERT_EQ(result.report.warnings.size(), 1U);
  EXPECT_TRUE(result.report.warnings[0].starts_with("the forward scales what it quantizes, and the backward does not"));
}

TEST(QuantizeActivations, SizesAreInMegabytesOf1024By1024) {
  Settings settings = casting();
  settings.activation_quantization.size_in_mb = 64.0 / (1024 * 1024);
  EXPECT_EQ(sides(kStep, settings), kCast);
  settings.activation_quantization.size_in_mb = 64.0 / (1024 * 1024) * 1.001;
  EXPECT_EQ(sides(kStep, settings), kAsItIs);
}

TEST(QuantizeActivations, OnlyAllowedDtypesAre) {
  Settings settings = casting();
  settings.activation_quantization.allowed_dtypes = "torch.bfloat16;half";
  EXPECT_EQ(sides(kStep, settings), kAsItIs);
  settings.activation_quantization.allowed_dtypes = "torch.bfloat16;float";
  EXPECT_EQ(sides(kStep, settings), kCast);
}

TEST(QuantizeActivations, InputsAreUnlessExcludedOrStatic) {
  Settings settings = casting();
  settings.activation_quantization.exclude_primals = false;
  const std::string all = "primals_1 fp8_quant_pos_1_primals_1 y fp8_quant_pos_2_y loss output | fp8_quant_pos_1_primals_1 "
                          "fp8_quant_pos_2_y tangents_1 dequant_fp8_quant_pos_1_primals_1 dequant_fp8_quant_pos_2_y grad output";
  EXPECT_EQ(sides(kStep, settings), all);
  const std::string with_static = "primals_1 = placeholder : f32[4, 4] static";
  EXPECT_EQ(sides(with_static + kStep.substr(kStep.find("\n  tangents_1")), settings), kCast);
}

TEST(QuantizeActivations, TheCallerGetsItsOutputAsItIs) {
  const std::string returned = kStep.substr(0, kStep.find("return")) + "return loss, y | grad";
  const Partition result = partition(joint_graph(returned), casting());
  const Graph& forward = result.graphs.forward;
  std::vector<std::string> outputs;
  for (const NodeId output : forward.output().inputs) outputs.push_back(forward[output].name);
  EXPECT_EQ(outputs, (std::vector<std::string>{"loss", "y", "primals_1", "fp8_quant_pos_3_y"}));
}

TEST(QuantizeActivations, ScalesComeBeforeSymbols) {
  const std::string dynamic = R"(
    primals_1 = placeholder : symint(s0=4)
    primals_2 = placeholder : f32[s0=4, 4]
    tangents_1 = placeholder : f32[s0=4, 4]
    y = aten.mm.default(primals_2, primals_2) : f32[s0=4, 4]
    loss = aten.mm.default(y, y) : f32[s0=4, 4]
    grad = my.grad.default(tangents_1, y) : f32[s0=4, 4]
    return loss | None, grad)";
  const Partition result = partition(joint_graph(dynamic), scaling());
  const Graph& forward = result.graphs.forward;
  std::vector<std::string> outputs;
  for (const NodeId output : forward.output().inputs) outputs.push_back(forward[output].name);
  EXPECT_EQ(outputs, (std::vector<std::string>{"loss", "fp8_quant_pos_1_y", "fp8_scale_pos_1_y", "primals_1"}));
  EXPECT_EQ(placeholder_names(result.graphs.backward),
            (std::vector<std::string>{"primals_1", "fp8_quant_pos_1_y", "fp8_scale_pos_1_y", "tangents_1"}));
}

TEST(QuantizeActivations, ValuesSayWhatTheirMemoryIs) {
  const Partition result = partition(joint_graph(kStep), scaling());
  const Graph& forward = result.graphs.forward;
  const Tensor& quantized = forward[id_named(forward, "fp8_quant_pos_2_y")].value->tensor;
  const Tensor& scale = forward[id_named(forward, "fp8_scale_pos_2_y")].value->tensor;
  EXPECT_EQ(quantized.dtype->name, "float8_e5m2");
  EXPECT_EQ(hints_of(quantized.shape), (Extents{4, 4}));
  EXPECT_EQ(hints_of(quantized.stride), (Extents{4, 1}));
  EXPECT_EQ(scale.dtype->name, "float32");
  EXPECT_EQ(hints_of(scale.shape), (Extents{4, 1}));
}

TEST(QuantizeActivations, TheReportHasWhatCrosses) {
  const Report report = partition(joint_graph(kStep), scaling()).report;
  const auto y = std::ranges::find(report.saved_values, "y", &SavedValue::name);
  ASSERT_TRUE(y->compressed);
  EXPECT_EQ(y->size_bytes, 64);
  EXPECT_EQ(y->compressed->name, "fp8_quant_pos_2_y");
  EXPECT_EQ(y->compressed->size_bytes, 16);
  EXPECT_EQ(y->compressed->scale_bytes, 16);
  EXPECT_EQ(y->forward_output, 2U);
  EXPECT_EQ(y->compressed->scale_forward_output, 3U);
  EXPECT_EQ(y->compressed->scale_backward_input, 2U);
  EXPECT_EQ(report.totals.compressed, (CompressedTotals{1, 64, 32, 96}));
  EXPECT_EQ(report.totals.saved_bytes, 128);  // as PyTorch counts
}

TEST(QuantizeActivations, FailsWherePyTorchDoes) {
  const std::string before_return = kStep.substr(0, kStep.find("return"));
  EXPECT_EQ(sides(before_return + "return loss, None | grad", casting()),
            "output 1 of the forward, in 'output', is a constant: quantizing activations takes graphs that return nodes only");
  const std::string in_the_way = "fp8_quant_pos_2_y = aten.sin.default(primals_1) : f32[4, 4]\n";
  const std::string used = "grad_1 = aten.mul.Tensor(fp8_quant_pos_2_y, loss) : f32[4, 4]\nreturn grad_1 | grad";
  EXPECT_EQ(sides(before_return + in_the_way + used, casting()),
            "a node 'fp8_quant_pos_2_y' is in the way of the quantized value of that name, which PyTorch would not find");
  EXPECT_EQ(sides(before_return + "fp8_scale_1 = aten.sin.default(loss) : f32[4, 4]\nreturn fp8_scale_1 | grad", casting()),
            "'fp8_scale_1' cannot be an output of the forward while activations are quantized: PyTorch takes it for one of its "
            "own nodes");
}

TEST(QuantizeActivations, SizesThatDependOnDataNeedThatGuardsAreSkipped) {
  const std::string unbacked = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    y = aten.nonzero.default(primals_1) : f32[u0=4, 1]
    loss = my.loss.default(y) : f32[4]
    grad = my.grad.default(tangents_1, y) : f32[4]
    return loss | grad)";
  EXPECT_EQ(sides(unbacked, casting()), "the size of 'y' depends on data: PyTorch cannot decide whether to quantize it");
  Settings settings = casting();
  settings.activation_quantization.size_in_mb = 1;
  settings.activation_quantization.skip_dynamo_guards = true;
  EXPECT_EQ(sides(unbacked, settings).find("fp8_quant"), std::string::npos);
  settings.activation_quantization.quantize_dynamic_shape = true;
  EXPECT_NE(sides(unbacked, settings).find("fp8_quant_pos_1_y"), std::string::npos);
}

TEST(QuantizedDtypes, HaveAliasesAndRanges) {
  EXPECT_EQ(find_torch_dtype("torch.half")->name, "float16");
  EXPECT_EQ(find_torch_dtype("float16")->name, "float16");
  EXPECT_EQ(find_torch_dtype("torch.nothing"), nullptr);
  EXPECT_EQ(find_quantized_dtype("torch.float8_e4m3fn")->max, 448);
  EXPECT_EQ(find_quantized_dtype("torch.int8"), nullptr);
  EXPECT_FALSE(parse_dtypes("torch.half;"));
}

}  // namespace
}  // namespace fxcut
