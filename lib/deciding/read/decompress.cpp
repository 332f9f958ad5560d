// Both libraries decompress a piece of input to a piece of output, until the end of the input. The output grows by half
// its size, so that each byte is copied a constant number of times on average.
#include "read/decompress.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <string_view>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b", kZstdMagic = "\x28\xb5\x2f\xfd";

constexpr std::size_t kSmallestPiece = 1 << 16;

[[noreturn]] void refuse(const std::string& file_name, std::string message, std::string hint) {
  throw Failure(ExitStatus::BadInput, {{file_name, std::move(message), std::move(hint)}});
}

[[noreturn]] void refuse_damaged(const std::string& file_name, std::string_view format, std::string_view why) {
  refuse(file_name, fmt::format("the {} data is damaged: {}", format, why), "compress it again, or copy it again");
}

[[noreturn]] void refuse_truncated(const std::string& file_name, std::string_view format) {
  refuse(file_name, fmt::format("the {} data ends too early", format), "is the copy complete?");
}

// The decompressed text so far, with free space after it.
class Output {
 public:
  Output(std::size_t input_size, Expansion expansion, const std::string& file_name)
      : input_size_(input_size), most_(max_decompressed_bytes(input_size, expansion)), file_name_(file_name) {}

  // Adds free space if there is none.
  void make_room() {
    if (size_ < text_.size()) return;
    if (size_ >= most_) {
      refuse_expansion(file_name_, input_size_, most_, "no graph expands that much: decompress it first if it is one");
    }
    std::string larger;  // a new string: resizing could double the capacity and exceed the limit
    larger.reserve(std::min(most_, std::max(kSmallestPiece, size_ + size_ / 2)));
    larger.append(text_, 0, size_);
    larger.resize(larger.capacity());
    text_ = std::move(larger);
  }
  char* room() { return text_.data() + size_; }
  std::size_t room_size() const { return text_.size() - size_; }
  void grew_by(std::size_t bytes) { size_ += bytes; }

  std::string take() {
    text_.resize(size_);
    return std::move(text_);
  }

 private:
  std::size_t input_size_, most_;
  const std::string& file_name_;
  std::string text_;
  std::size_t size_ = 0;
};

struct EndInflate {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

// zlib has 32-bit sizes.
template <typename Count>
uInt counted(Count bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

// Decompresses one part of the input and returns the rest.
std::string_view inflate_part(std::string_view input, Output& output, const std::string& file_name) {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, EndInflate> end(&stream);
  for (int state = Z_OK; state != Z_STREAM_END;) {
    output.make_room();
    const uInt given = counted(input.size()), room = counted(output.room_size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream.avail_in = given;
    stream.next_out = reinterpret_cast<Bytef*>(output.room());
    stream.avail_out = room;
    state = inflate(&stream, Z_NO_FLUSH);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) {
      refuse_damaged(file_name, "gzip", stream.msg ? stream.msg : "it needs a dictionary");
    }
    input.remove_prefix(given - stream.avail_in);
    output.grew_by(room - stream.avail_out);
    if (state != Z_STREAM_END && input.empty() && stream.avail_out > 0) refuse_truncated(file_name, "gzip");
  }
  return input;
}

std::string gunzip(std::string_view input, Expansion expansion, const std::string& file_name) {
  Output output(input.size(), expansion, file_name);
  while (!input.empty()) {
    if (!input.starts_with(kGzipMagic)) refuse_damaged(file_name, "gzip", "other data follows it");
    input = inflate_part(input, output, file_name);
  }
  return output.take();
}

struct FreeZstd {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

std::string unzstd(std::string_view compressed, Expansion expansion, const std::string& file_name) {
  const std::unique_ptr<ZSTD_DStream, FreeZstd> stream(ZSTD_createDStream());
  if (!stream) throw std::bad_alloc();
  Output output(compressed.size(), expansion, file_name);
  ZSTD_inBuffer input{compressed.data(), compressed.size(), 0};
  for (std::size_t next_bytes = 1; next_bytes != 0 || input.pos < input.size;) {
    output.make_room();
    ZSTD_outBuffer room{output.room(), output.room_size(), 0};
    next_bytes = ZSTD_decompressStream(stream.get(), &room, &input);
    if (ZSTD_getErrorCode(next_bytes) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(next_bytes) != 0) refuse_damaged(file_name, "zstd", ZSTD_getErrorName(next_bytes));
    output.grew_by(room.pos);
    if (next_bytes != 0 && input.pos == input.size && room.pos < room.size) refuse_truncated(file_name, "zstd");
  }
  return output.take();
}

}  // namespace

std::size_t max_decompressed_bytes(std::size_t compressed_bytes, Expansion expansion) {
  const std::size_t most = std::max(compressed_bytes * kMaxExpansion, kSmallestPiece);
  return expansion == Expansion::Any ? most : std::min(most, std::max(compressed_bytes * kUsualExpansion, kAlwaysAllowed));
}

void refuse_expansion(const std::string& file_name, std::size_t compressed_bytes, std::size_t most_bytes,
                      std::string hint) {
  if (most_bytes >= compressed_bytes * kMaxExpansion) {
    refuse(file_name, fmt::format("expands to more than {} times its size", kMaxExpansion), std::move(hint));
  }
  refuse(file_name, fmt::format("expands to more than {} times its size, and to more than {} MiB", kUsualExpansion,
                                kAlwaysAllowed >> 20),
         "use --max-memory SIZE to read it within that much memory, or decompress it first");
}

std::string decompressed(std::string bytes, const std::string& file_name, Expansion expansion) {
  if (bytes.starts_with(kGzipMagic)) return gunzip(bytes, expansion, file_name);
  if (bytes.starts_with(kZstdMagic)) return unzstd(bytes, expansion, file_name);
  return bytes;
}

}  // namespace fxcut
