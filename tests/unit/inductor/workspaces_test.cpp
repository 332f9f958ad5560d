// The workspaces that an H100 took, with PyTorch 2.11.
#include "inductor/workspaces.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

enum class Channels { First, Last };

Extents strides(const Extents& shape, Channels channels) {
  const std::int64_t c = shape[1], h = shape[2], w = shape[3];
  return channels == Channels::Last ? Extents{c * h * w, 1, w * c, c}
                                    : Extents{c * h * w, h * w, w, 1};
}

struct Square {
  std::int64_t batch, in, out, pixels, kernel;
  Channels channels = Channels::First;
  std::string_view dtype = "bfloat16";
};

std::int64_t taken(const Square& of, bool is_backward = false) {
  const Extents input = {of.batch, of.in, of.pixels, of.pixels}, weight = {of.out, of.in, of.kernel, of.kernel};
  return workspace_bytes({find_dtype(of.dtype),
                          {input, strides(input, of.channels)},
                          {weight, strides(weight, of.channels)},
                          {of.batch, of.out, of.pixels, of.pixels},
                          is_backward});
}

TEST(Workspaces, HoldCopiesOfWhatHasChannelsFirst) {
  EXPECT_EQ(taken({32, 128, 128, 64, 3}), 67404288);
  EXPECT_EQ(taken({32, 256, 256, 32, 3}), 34734592);
  EXPECT_EQ(taken({32, 512, 512, 16, 3}), 21496320);
  EXPECT_EQ(taken({96, 64, 64, 56, 3}), 77144576);
}

TEST(Workspaces, AreSmallWithChannelsLast) {
  EXPECT_EQ(taken({32, 128, 128, 64, 3, Channels::Last}), 512);
  EXPECT_EQ(taken({96, 64, 64, 56, 3, Channels::Last}), 512);
}

TEST(Workspaces, ProductsTakeNone) {
  EXPECT_EQ(taken({96, 256, 64, 56, 1}), 0);
  EXPECT_EQ(taken({96, 256, 64, 56, 1, Channels::Last}), 0);
}

TEST(Workspaces, HoldSumsOfTheGradientOfASmallWeight) {
  EXPECT_EQ(taken({32, 256, 128, 64, 3}, true), 118294016);  // wide tiles
  EXPECT_EQ(taken({32, 128, 128, 64, 3}, true), 75073024);
  EXPECT_EQ(taken({32, 1024, 512, 16, 3, Channels::Last}, true), 512);  // as many tiles as multiprocessors, and more
}

TEST(Workspaces, AreNotKnownOfOthers) {
  EXPECT_EQ(taken({32, 128, 128, 64, 3, Channels::First, "float32"}), 0);
  const Extents input = {32, 128, 64, 64}, depthwise = {128, 1, 3, 3};
  EXPECT_EQ(workspace_bytes({find_dtype("bfloat16"), {input, strides(input, Channels::First)},
                             {depthwise, strides(depthwise, Channels::First)}, input, false}),
            0);
}

}  // namespace
}  // namespace fxcut
