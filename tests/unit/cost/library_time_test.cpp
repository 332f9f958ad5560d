// How long a card takes for calls of libraries.
#include "cost/library_time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cost/device_profile.h"
#include "graph_text.h"
#include "settings/settings.h"

namespace fxcut {
namespace {

const DeviceProfile& h100() { return find_row(device_profiles(), "h100")->in(device_profiles()); }

double us_of(const std::string& lines, const DeviceProfile& device = h100()) {
  const JointGraph joint = joint_graph(lines + "\nreturn call");
  return 1e3 * library_ms(joint.graph, node_named(joint.graph, "call"), 0, device);
}

std::string product(int rows, int inner, int columns) {
  return fmt::format("a = placeholder : bf16[{0}, {1}]\nb = placeholder : bf16[{1}, {2}]\n"
                     "call = aten.mm.default(a, b) : bf16[{0}, {2}]", rows, inner, columns);
}

struct Measured {
  int rows, inner, columns;
  double us;
};

// Single operations on an H100, PyTorch 2.11, in microseconds.
TEST(LibraryTime, ProductsTakeWhatAnH100Took) {
  const Measured all[] = {{4096, 2048, 2048, 49.6},    {4096, 5632, 2048, 134.6}, {4096, 32000, 2048, 707.8},
                          {16384, 8192, 2048, 746},    {8192, 8192, 8192, 1422},  {8192, 768, 768, 23.1},
                          {8192, 3072, 768, 71.7},     {2048, 2048, 32768, 367.2}};
  for (const Measured& one : all) {
    EXPECT_NEAR(us_of(product(one.rows, one.inner, one.columns)) / one.us, 1, 0.26)
        << one.rows << " x " << one.inner << " x " << one.columns;
  }
}

TEST(LibraryTime, ARoundThatIsNotFullTakesAsLongAsAFullOne) {
  DeviceProfile device = h100();
  device.kernels = {0, 2};
  const double four_tiles = us_of(product(1024, 4096, 128), device);
  EXPECT_DOUBLE_EQ(us_of(product(1000, 4096, 128), device), four_tiles);
  EXPECT_DOUBLE_EQ(us_of(product(512, 4096, 128), device), four_tiles / 2);
  EXPECT_DOUBLE_EQ(us_of(product(256, 4096, 128), device), four_tiles / 4) << "one tile is cut in two along its inner side";
}

TEST(LibraryTime, TheShareOfTheTrafficThatIsNotHiddenIsAdded) {
  const JointGraph joint = joint_graph(product(1000, 1000, 1000) + "\nreturn call");
  DeviceProfile device = {"mine", 1, 1, 0, 1, 1, 1, "made up", 0, {1, 1, 1}};  // 2 ms of operations; 1 ms for each megabyte
  const auto ms = [&](double bytes, double exposed) {
    device.kernels.exposed_traffic = exposed;
    return library_ms(joint.graph, node_named(joint.graph, "call"), bytes, device);
  };
  EXPECT_DOUBLE_EQ(ms(1e6, 0), 2) << "all is hidden";
  EXPECT_DOUBLE_EQ(ms(1e6, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(ms(1e6, 1), 3) << "one after the other";
  EXPECT_DOUBLE_EQ(ms(4e6, 0.5), 5) << "of the arithmetic, where that is shorter";
}

std::string convolution(int images, int channels, int size, bool channels_last) {
  const std::string stride = channels_last ? fmt::format("{{{}, 1, {}, {}}}", channels * size * size, channels * size, channels)
                                           : fmt::format("{{{}, {}, {}, 1}}", channels * size * size, size * size, size);
  return fmt::format("x = placeholder : bf16[{0}, {1}, {2}, {2}]{3}\nw = placeholder : bf16[{1}, {1}, 3, 3]{{{4}, 1, {5}, {1}}}\n"
                     "call = aten.convolution.default(x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1) : "
                     "bf16[{0}, {1}, {2}, {2}]{3}",
                     images, channels, size, stride, channels * 9, channels * 3);
}

TEST(LibraryTime, ConvolutionsTakeWhatAnH100Took) {
  EXPECT_NEAR(us_of(convolution(32, 128, 64, true)) / 68.5, 1, 0.25);
  EXPECT_NEAR(us_of(convolution(32, 256, 32, true)) / 57.7, 1, 0.25);
  EXPECT_NEAR(us_of(convolution(32, 512, 16, true)) / 56, 1, 0.25);
  EXPECT_NEAR(us_of(convolution(32, 128, 64, false)) / 141.1, 1, 0.25) << "copies what comes with channels first";
  EXPECT_NEAR(us_of(convolution(32, 256, 32, false)) / 96.9, 1, 0.25);
}

std::string attention(int batch, int heads, int length, const std::string& bias, bool causal) {
  const std::string q = fmt::format("bf16[{}, {}, {}, 128]", batch, heads, length);
  return fmt::format("q = placeholder : {}\nbias = placeholder : bf16[{}, 1, {}, {}]\n"
                     "call = aten._scaled_dot_product_cudnn_attention.default(q, q, q, {}, True, 0.0, {}) : "
                     "tuple({}, f32[1], none, none, scalar, scalar, i64[], i64[], none)",
                     q, batch, length, length, bias, causal ? "True" : "False", q);
}

TEST(LibraryTime, AttentionTakesWhatAnH100Took) {
  EXPECT_NEAR(us_of(attention(2, 16, 2048, "None", true)) / 85.1, 1, 0.25);
  EXPECT_NEAR(us_of(attention(4, 16, 4096, "None", true)) / 483.4, 1, 0.25);
  EXPECT_NEAR(us_of(attention(2, 16, 2048, "bias", false)) / 230, 1, 0.25) << "in a llama's step";
}

TEST(LibraryTime, AKernelTakesALeastTime) {
  EXPECT_GE(us_of(product(1, 1, 1)), 2);
  DeviceProfile unknown = h100();
  unknown.kernels = {};
  EXPECT_LT(us_of(product(1, 1, 1), unknown), 0.001);
}

}  // namespace
}  // namespace fxcut
