// Wrappers of a few statements: what is alive at each, and what is not understood.
#include <gtest/gtest.h>

#include <deque>

#include "compiled/show_compiled.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

// Keeps texts alive, since what is read refers to them.
const std::string& kept_text(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

std::vector<StepMemory> steps_in(std::string text) {
  return replay_steps(find_compiled_code(kept_text(std::move(text)), "code.py").codes);
}

std::string code_of(std::string_view id, std::string_view body, std::string_view arguments = "") {
  return "# AOT ID: ['" + std::string(id) + "']\ndef call(args):\n" + std::string(body) + "\n\ndef get_args():\n" +
         std::string(arguments) + "    return []\n";
}

StepMemory forward_of(std::string_view body, std::string_view arguments = "") {
  std::vector<StepMemory> steps = steps_in(code_of("0_inference", body, arguments));
  EXPECT_EQ(steps.size(), 1U);
  return std::move(steps.front());
}

// Bytes at the statement in that line; lines count from the head, "def call" is the second.
Int128 bytes_in_line(const StepMemory& step, std::size_t line) {
  Int128 most = 0;
  for (std::size_t m = 0; m < step.moments.size(); ++m) {
    if (step.moments[m].line == line) most = std::max(most, step.curve[m].bytes);
  }
  return most;
}

TEST(ReplayOfCode, MemoryGoesWithItsLastName) {
  const StepMemory step = forward_of(R"(    buf0 = empty_strided_cpu((8, 4), (4, 1), torch.float32)
    buf1 = reinterpret_tensor(buf0, (4, 8), (8, 1), 0)
    del buf0
    buf2 = empty_strided_cpu((2, ), (1, ), torch.int64)
    del buf1
    buf3 = empty_strided_cpu((1, ), (1, ), torch.bool)
    return (buf2, buf3, ))");
  EXPECT_TRUE(step.notes.empty());
  EXPECT_EQ(bytes_in_line(step, 6), 128 + 16) << "the view keeps it";
  EXPECT_EQ(bytes_in_line(step, 8), 16 + 1);
  EXPECT_EQ(step.peak_bytes(), 144);
  EXPECT_EQ(step.curve.back().bytes_after, 17);
}

TEST(ReplayOfCode, AReusedBufferIsOneBlockWithBothNames) {
  const StepMemory step = forward_of(R"(    buf0 = empty_strided_cpu((8, ), (1, ), torch.float32)
    buf1 = buf0; del buf0  # reuse
    return (buf1, ))");
  ASSERT_EQ(step.blocks.size(), 1U);
  EXPECT_EQ(step.blocks[0].names, (std::vector<std::string>{"buf0", "buf1"}));
  EXPECT_EQ(step.peak_bytes(), 32);
}

TEST(ReplayOfCode, TheStorageReachesFromTheFirstToTheLastElement) {
  const StepMemory step = forward_of(R"(    buf0 = empty_strided_cpu((2, 3), (8, 1), torch.float16)
    buf1 = empty_strided_cpu((0, 3), (3, 1), torch.float32)
    buf2 = empty_strided_cpu((), (), torch.float64)
    return (buf0, buf1, buf2, ))");
  EXPECT_EQ(step.blocks[0].size_bytes, 22);
  EXPECT_EQ(step.blocks[1].size_bytes, 0);
  EXPECT_EQ(step.blocks[2].size_bytes, 8);
}

// The copies of what it reads and writes, which have channels first.
TEST(ReplayOfCode, AConvolutionTakesAWorkspaceWithinItsCall) {
  const StepMemory step = forward_of(R"(    buf0 = empty_strided_cuda((32, 128, 64, 64), (524288, 4096, 64, 1), torch.bfloat16)
    buf1 = empty_strided_cuda((128, 128, 3, 3), (1152, 9, 3, 1), torch.bfloat16)
    buf2 = extern_kernels.convolution(buf0, buf1, stride=(1, 1), padding=(1, 1), dilation=(1, 1), transposed=False, output_padding=(0, 0), groups=1, bias=None)
    assert_size_stride(buf2, (32, 128, 64, 64), (524288, 4096, 64, 1), torch.bfloat16)
    buf3 = torch.ops.aten.convolution_backward.default(buf2, reinterpret_tensor(buf0, (32, 128, 64, 64), (524288, 4096, 64, 1), 0), buf1, [0], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, False])
    return (buf3, ))");
  ASSERT_EQ(step.calls.size(), 2U);
  EXPECT_EQ(step.calls[0].workspace_bytes, 67404288);
  EXPECT_EQ(step.calls[1].workspace_bytes, 75073024);
  ASSERT_TRUE(step.peak_call);
  EXPECT_EQ(*step.peak_call, 1U);
  EXPECT_EQ(step.bytes_in(step.calls[1]) - step.curve[step.calls[1].moment].bytes, 75073024);
}

TEST(ReplayOfCode, AGpuTakesABlockForEachStorage) {
  const StepMemory step = forward_of(R"(    buf0 = empty_strided_cuda((1, ), (1, ), torch.float32)
    buf1 = empty_strided_cuda((129, ), (1, ), torch.float32)
    del buf0
    return (buf1, ))");
  EXPECT_EQ(step.blocks[1].size_bytes, 516) << "of its storage";
  EXPECT_EQ(step.peak_bytes(), 512 + 1024);
  EXPECT_EQ(step.curve.back().bytes_after, 1024);
}

TEST(ReplayOfCode, SizesOfSymbolsAreThoseOfTheExample) {
  const StepMemory step = forward_of(R"(    arg0_1, arg1_1 = args
    args.clear()
    s77 = arg0_1
    buf0 = empty_strided_cpu((s77, 4), (4, 1), torch.float32)
    buf1 = empty_strided_cpu((1 + (s77 // 2), ), (1, ), torch.float32)
    return (buf0, buf1, ))",
                                     "    arg0_1 = 7\n"
                                     "    arg1_1 = rand_strided((7, ), (1, ), device='cpu', dtype=torch.float32)\n");
  EXPECT_TRUE(step.notes.empty());
  EXPECT_EQ(step.peak_bytes(), 7 * 16 + 4 * 4);
  EXPECT_EQ(step.input_bytes, 28);
}

TEST(ReplayOfCode, ASizeThatDependsOnDataIsSaid) {
  const StepMemory step = forward_of(R"(    arg0_1, = args
    u0 = arg0_1.item()
    buf0 = empty_strided_cpu((u0, ), (1, ), torch.bool)
    return (buf0, ))");
  EXPECT_EQ(step.peak_bytes(), 4096);
  ASSERT_EQ(step.notes.size(), 1U);
  EXPECT_EQ(step.notes[0].line, 5U);
  EXPECT_EQ(step.notes[0].text, "not known: u0, a size; it counts 4096, unless --hints u0=N says otherwise");
}

TEST(ReplayOfCode, AnOperatorsResultIsAllocatedAtItsCall) {
  const StepMemory step = forward_of(R"(    buf0 = empty_strided_cpu((1, ), (1, ), torch.float32)
    buf1 = torch.ops.aten.topk.default(buf0, 1)
    del buf0
    buf2 = buf1[0]
    assert_tensor_metadata(buf2, (4, ), (1, ), torch.float32, 'torch.ops.aten.topk.default')
    buf3 = buf1[1]
    assert_tensor_metadata(buf3, (4, ), (1, ), torch.int64, 'torch.ops.aten.topk.default')
    del buf1
    del buf3
    return (buf2, ))");
  EXPECT_TRUE(step.notes.empty());
  EXPECT_EQ(bytes_in_line(step, 4), 4 + 16 + 32);
  EXPECT_EQ(bytes_in_line(step, 10), 48) << "the tuple has gone, the items have names";
  EXPECT_EQ(bytes_in_line(step, 12), 16);
}

TEST(ReplayOfCode, ACallOfAnOperatorIsRecordedWithWhatItsNamesStandFor) {
  const StepMemory step = forward_of(R"(    s1 = 3
    buf0 = empty_strided_cpu((4, 3), (3, 1), torch.float32)
    cpp_fused_0(buf0)
    extern_kernels.mm(reinterpret_tensor(buf0, (3, 4), (1, s1), 0), constant, out=buf0)
    buf1 = torch.ops.aten.topk.default(buf0, 1, dim=[buf0, None])
    return (buf1, ))");
  ASSERT_EQ(step.calls.size(), 2U);
  const OperatorCall& product = step.calls[0];
  EXPECT_EQ(step.moments[product.moment].line, 6U);
  ASSERT_EQ(product.arguments.size(), 2U) << "buf0 once, and no constants";
  EXPECT_EQ(product.arguments[0].name, "buf0");
  EXPECT_EQ(product.arguments[0].block, 0U);
  EXPECT_EQ(product.arguments[0].shape, (Extents{4, 3}));
  EXPECT_EQ(product.arguments[0].stride, (Extents{3, 1}));
  EXPECT_EQ(product.arguments[1].name, "s1");
  EXPECT_EQ(product.arguments[1].block, std::nullopt);
  EXPECT_EQ(product.arguments[1].number, 3);
  ASSERT_EQ(step.calls[1].arguments.size(), 1U);
  EXPECT_EQ(step.calls[1].arguments[0].name, "buf0");
}

TEST(ReplayOfCode, AViewAsComplexHasAnotherDtypeThanItsMemory) {
  const StepMemory step = forward_of(R"(    buf0 = empty_strided_cpu((4, 6), (6, 1), torch.float32)
    buf1 = torch.ops.aten.view_as_complex.default(reinterpret_tensor(buf0, (4, 3, 2), (6, 2, 1), 0))
    buf2 = buf1
    assert_size_stride(buf2, (4, 3), (3, 1), 'torch.ops.aten.view_as_complex.default')
    buf3 = torch.ops.aten.mul.Tensor(buf2, buf0)
    buf4 = torch.ops.aten.view_as_real.default(buf2)
    return (buf3, buf4, ))");
  ASSERT_EQ(step.calls.size(), 1U) << "views take nothing within their call";
  const std::vector<NamedArgument>& arguments = step.calls[0].arguments;
  ASSERT_EQ(arguments.size(), 2U);
  ASSERT_TRUE(arguments[0].dtype);
  EXPECT_EQ(arguments[0].dtype->name, "complex64");
  EXPECT_EQ(arguments[0].shape, (Extents{4, 3}));
  EXPECT_FALSE(arguments[1].dtype) << "that of its memory";
}

TEST(ReplayOfCode, SumsOfRowsAreMadeOfTheirPartsInAWorkspace) {
  const StepMemory step = forward_of(R"(    workspace_0 = empty_strided_cuda((2 * 4 * 1024, ), (1, ), torch.float32)
    triton_per_fused_0.run(workspace_0, stream=stream0)
    buf1 = workspace_0[0 * (4) * (1024) : (0 + 1) * (4) * (1024)].view(4, 1024).sum(dim=0).view([1, 1024])
    buf2 = workspace_0[1 * (4) * (1024) : (1 + 1) * (4) * (1024)].view(4, 1024).sum(dim=0).view([1024]).to(torch.bfloat16)
    del workspace_0
    return (buf1, buf2, ))");
  EXPECT_TRUE(step.notes.empty());
  EXPECT_EQ(bytes_in_line(step, 4), 32768);
  EXPECT_EQ(bytes_in_line(step, 5), 32768 + 4096);
  EXPECT_EQ(bytes_in_line(step, 6), 32768 + 4096 + 4096 + 2048) << "before it is converted";
  EXPECT_EQ(step.curve.back().bytes_after, 4096 + 2048);
}

TEST(ReplayOfCode, TheDtypeOfAResultIsThatOfAKernelThatTakesIt) {
  const std::string kernel = "cpp_fused_0 = async_compile.cpp_pybinding(['const float*', 'int64_t*'], r'''\n''')\n";
  const StepMemory step = std::move(steps_in(code_of("0_inference", R"(    buf0 = extern_kernels.convolution(arg, arg)
    assert_size_stride(buf0, (2, 2), (2, 1), 'torch.ops.aten.convolution.default')
    buf1 = extern_kernels.convolution(arg, arg)
    assert_size_stride(buf1, (3, ), (1, ), 'torch.ops.aten.convolution.default')
    cpp_fused_0(buf0, reinterpret_tensor(buf1, (3, ), (1, ), 0))
    return (buf0, buf1, ))") + kernel).back());
  EXPECT_EQ(step.blocks[0].size_bytes, 16);
  EXPECT_EQ(step.blocks[0].size_source, SizeSource::Kernel);
  EXPECT_EQ(step.blocks[1].size_bytes, 24);
  EXPECT_TRUE(step.notes.empty());
}

TEST(ReplayOfCode, AViewThatIsAssertedLaterDoesNotMakeAStorageSmaller) {
  const std::string kernel = "cpp_fused_0 = async_compile.cpp_pybinding(['const float*'], r'''\n''')\n";
  const StepMemory step = std::move(steps_in(code_of("0_inference", R"(    buf0 = torch.ops.aten.mm.default(arg, arg)
    buf1 = buf0
    assert_size_stride(buf1, (4, 6), (6, 1), 'torch.ops.aten.mm.default')
    buf2 = reinterpret_tensor(buf1, (4, 3), (6, 1), 3)
    assert_size_stride(buf2, (4, 3), (6, 1), 'input')
    cpp_fused_0(buf2)
    return (buf2, ))") + kernel).back());
  EXPECT_EQ(step.blocks[0].size_bytes, 4 * 6 * 4);
}

TEST(ReplayOfCode, AnUnknownSizeCountsNothingAndIsSaid) {
  const StepMemory step = forward_of(R"(    buf0 = torch.ops.mine.make.default(arg)
    return (buf0, ))");
  EXPECT_EQ(step.unknown_blocks, 1U);
  ASSERT_EQ(step.notes.size(), 1U);
  EXPECT_EQ(step.notes[0].line, 3U);
  EXPECT_EQ(step.notes[0].text, "size unknown, counted as nothing: buf0, made by torch.ops.mine.make.default");
}

TEST(ReplayOfCode, AnOperatorThatReturnsItsArgumentMakesNothing) {
  const StepMemory step = forward_of(R"(    buf0 = empty_strided_cpu((4, ), (1, ), torch.float32)
    buf1 = torch.ops._c10d_functional.all_reduce_.default(buf0, 'sum', '0')
    buf2 = aten.randint.low_out(0, 9, [4], out=buf0)
    del buf0
    return (buf1, buf2, ))");
  EXPECT_EQ(step.blocks.size(), 1U);
  EXPECT_TRUE(step.notes.empty());
}

TEST(ReplayOfCode, PartsOfTheGraphRunWhereTheyAreCalled) {
  const StepMemory step = std::move(steps_in(R"(# AOT ID: ['0_inference']
def partition_0(args):
    buf0, = args
    args.clear()
    buf1 = empty_strided_cuda((2, ), (1, ), torch.float32)
    triton_poi_0.run(buf0, buf1, 2, stream=stream0)
    del buf0
    buf2 = empty_strided_cuda((1, ), (1, ), torch.float32)
    return (buf1, buf2)

class Runner:
    def call(self, args):
        with torch.cuda._DeviceGuard(0):
            buf0 = empty_strided_cuda((4, ), (1, ), torch.float32).as_strided((2, ), (1, ))
            host = empty_strided_cpu_pinned((100, ), (1, ), torch.float32)
            partition0_args = [buf0]
            del buf0
            (buf1, buf2) = self.partitions[0](partition0_args)
            del partition0_args
            return (buf1, buf2, host)
)").back());
  EXPECT_TRUE(step.notes.empty());
  EXPECT_EQ(step.device, "cuda");
  EXPECT_EQ(step.peak_bytes(), 512 + 512) << "buf0 goes before buf2 comes; what is on the host does not count";
  EXPECT_EQ(step.curve.back().bytes_after, 2 * 512);
  EXPECT_EQ(step.blocks[2].made_by, "triton_poi_0");
}

TEST(ReplayOfCode, ABlockThatMayNotRunIsSaid) {
  const StepMemory step = forward_of(R"(    if pred:
        buf0 = empty_strided_cpu((4, ), (1, ), torch.float32)
    else:
        buf0 = empty_strided_cpu((8, ), (1, ), torch.float32)
    buf1 = lambda x: x
    return (buf2, ))");
  ASSERT_EQ(step.notes.size(), 3U);
  EXPECT_EQ(step.notes[0].line, 3U);
  EXPECT_EQ(step.notes[0].text,
            "not understood: if pred: (what stands in a block of its own may run, or not, or often: it counts nothing)");
  EXPECT_EQ(step.notes[1].line, 5U);
  EXPECT_EQ(step.notes[2].line, 7U);
  EXPECT_EQ(step.peak_bytes(), 0);
}

TEST(ReplayOfCode, FunctionsThatCallThemselvesEnd) {
  const StepMemory step = std::move(steps_in(R"(# AOT ID: ['0_inference']
def subgraph_0(args):
    buf0 = subgraph_0(args)
    return (buf0, )
def call(args):
    buf0 = subgraph_0(args)
    return (buf0, )
)").back());
  ASSERT_FALSE(step.notes.empty());
  EXPECT_EQ(step.notes[0].text, "not understood: a call of subgraph_0, nested too deep: buf0 = subgraph_0(args)");
}

// The forward saves its input, what it computes and a size; its output is its caller's.
const std::string kForward = code_of("3_forward", R"(    primals_1, primals_2 = args
    args.clear()
    s1 = primals_1
    buf0 = empty_strided_cpu((s1, ), (1, ), torch.float32)
    buf1 = empty_strided_cpu((s1, ), (1, ), torch.float32)
    buf2 = empty_strided_cpu((1, ), (1, ), torch.float32)
    cpp_fused_0(primals_2, buf0, buf1, buf2)
    del buf0
    return (buf2, primals_2, buf1, s1, ))",
                                     "    primals_1 = 100\n"
                                     "    primals_2 = rand_strided((100, ), (1, ), device='cpu', dtype=torch.float32)\n");
const std::string kBackward = code_of("3_backward", R"(    primals_1, primals_2, sin, tangents_1 = args
    args.clear()
    buf0 = sin; del sin  # reuse
    cpp_fused_0(buf0, primals_2, tangents_1)
    buf1 = empty_strided_cpu((2, ), (1, ), torch.float32)
    del tangents_1
    del primals_2
    del buf0
    buf2 = empty_strided_cpu((primals_1, ), (1, ), torch.float32)
    return (None, buf2, buf1, ))",
                                      "    tangents_1 = rand_strided((1, ), (1, ), device='cpu', dtype=torch.float32)\n");

TEST(ReplayOfCode, TheBackwardTakesWhatTheForwardSaved) {
  const std::vector<StepMemory> steps = steps_in(kForward + kBackward);
  ASSERT_EQ(steps.size(), 1U);
  const StepMemory& step = steps.front();
  EXPECT_TRUE(step.notes.empty());
  EXPECT_EQ(step.forward_peak_bytes, 804);
  EXPECT_EQ(step.between_bytes, 404) << "the output and what is saved; the input is always resident";
  EXPECT_EQ(step.backward_peak_bytes, 404 + 4 + 8) << "buf2 comes when what was saved has gone";
  EXPECT_EQ(step.input_bytes, 400);
  EXPECT_EQ(step.saved, (std::vector<std::string>{"primals_1", "primals_2", "sin"}));
  EXPECT_EQ(step.curve.back().bytes_after, 4 + 8 + 400) << "output and gradients; the tangent has gone";
  EXPECT_EQ(step.blocks[2].names, (std::vector<std::string>{"buf1", "sin", "buf0"}));
  EXPECT_EQ(step.blocks[2].saved_as, "sin");
}

TEST(ReplayOfCode, ABackwardAloneIsGivenWhatItsExampleSays) {
  const StepMemory step = std::move(steps_in(kBackward).back());
  EXPECT_FALSE(step.has_forward);
  EXPECT_EQ(step.unknown_blocks, 1U) << "sin has no example";
}

TEST(ReplayOfCode, CodeOfALoggerIsThatCode) {
  const std::string prefix = "V1124 08:17:02.837000 18880 torch/_inductor/graph.py:2745] [0/0] [__output_code] ";
  const std::string plain =
      code_of("0_inference", "    buf0 = empty_strided_cpu((4, ), (1, ), torch.float32)\n    return (buf0, )");
  std::string logged = prefix + "Output code: \n";
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = plain.find('\n', begin);
    logged += prefix + plain.substr(begin, end + 1 - begin);
    begin = end + 1;
  }
  EXPECT_EQ(steps_in(logged).back().peak_bytes(), 16);
}

TEST(ReplayOfCode, TextThatIsNoCodeIsRefused) {
  EXPECT_THROW(steps_in("import torch\n"), Failure);
  EXPECT_THROW(steps_in(""), Failure);
}

}  // namespace
}  // namespace fxcut
