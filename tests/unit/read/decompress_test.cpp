#include "read/decompress.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstandard(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

// Text that is hard to compress, of many pieces of the output's size.
std::string noise(std::size_t size) {
  std::string text;
  for (std::uint32_t state = 1; text.size() < size; state = state * 1664525 + 1013904223) {
    text += static_cast<char>(' ' + (state >> 26));
  }
  return text;
}

std::string message_of(const std::string& bytes) {
  try {
    decompressed(bytes, "graph.json.gz");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    return failure.what();
  }
  return "no failure";
}

class Decompress : public testing::TestWithParam<std::string (*)(const std::string&)> {};

TEST_P(Decompress, GivesBackWhatWasCompressed) {
  for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 1000000U}) {
    const std::string text = noise(size);
    EXPECT_EQ(decompressed(GetParam()(text), ""), text) << size;
  }
}

TEST_P(Decompress, TakesPartsBehindOneAnother) {
  EXPECT_EQ(decompressed(GetParam()("a graph, ") + GetParam()("") + GetParam()("in parts"), ""), "a graph, in parts");
}

TEST_P(Decompress, RefusesWhatEndsTooEarly) {
  const std::string whole = GetParam()(noise(100000));
  for (std::size_t size = 4; size < whole.size(); size += size / 8 + 1) {
    EXPECT_NE(message_of(whole.substr(0, size)).find("data ends too early\n  is the copy complete?"),
              std::string::npos)
        << size;
  }
}

TEST_P(Decompress, RefusesWhatIsBehind) {
  EXPECT_NE(message_of(GetParam()("a graph") + "{}").find("data is damaged: "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Formats, Decompress, testing::Values(gzipped, zstandard),
                         [](const auto& format) { return std::string(format.index == 0 ? "gzip" : "zstd"); });

TEST(DecompressAny, LeavesWhatIsNotCompressed) {
  for (const std::string text : {"", "{}", "\x1f", "\x28\xb5\x2f"}) EXPECT_EQ(decompressed(text, ""), text);
}

TEST_P(Decompress, RefusesWhatIsLargerThanGraphsAre) {
  const std::string begin = noise(50'000);  // so that it is not 2000 times as large
  EXPECT_EQ(message_of(GetParam()(begin + std::string(kAlwaysAllowed, ' '))),
            "fxcut: graph.json.gz: error: expands to more than 100 times its size, and to more than 64 MiB\n"
            "  use --max-memory SIZE to read it within that much memory, or decompress it first");
  const std::size_t spaces = kAlwaysAllowed - begin.size() - 1;
  EXPECT_EQ(decompressed(GetParam()(begin + std::string(spaces, ' ')), "").size(), kAlwaysAllowed - 1);
}

TEST(DecompressAny, ExpandsAsFarAsAllowed) {
  EXPECT_EQ(max_decompressed_bytes(0), std::size_t{1} << 16);
  EXPECT_EQ(max_decompressed_bytes(1'000), 2'000'000U);
  EXPECT_EQ(max_decompressed_bytes(100'000), kAlwaysAllowed);
  EXPECT_EQ(max_decompressed_bytes(1'000'000), 100'000'000U);
  EXPECT_EQ(max_decompressed_bytes(1'000'000, Expansion::Any), 2'000'000'000U);
  const std::string bomb = gzipped(std::string(2 * kAlwaysAllowed, ' '));
  EXPECT_EQ(decompressed(bomb, "", Expansion::Any).size(), 2 * kAlwaysAllowed);
}

// Expands more than deflate can.
TEST(DecompressAny, RefusesWhatIsFarLargerThanItsFile) {
  EXPECT_EQ(message_of(zstandard(std::string(1 << 26, '\0'))),
            "fxcut: graph.json.gz: error: expands to more than 2000 times its size\n"
            "  no graph expands that much: decompress it first if it is one");
}

TEST(DecompressAny, ADamagedPartIsRefused) {
  std::string gzip = gzipped(noise(1000));
  gzip[gzip.size() - 6] ^= 1;
  EXPECT_EQ(message_of(gzip), "fxcut: graph.json.gz: error: the gzip data is damaged: incorrect data check\n"
                              "  compress it again, or copy it again");
}

}  // namespace
}  // namespace fxcut
