#include "cli/printable_stream.h"

#include <fmt/format.h>

#include <utility>

#include "cli/line_color.h"
#include "text/printable.h"
#include "text/text_sink.h"

namespace fxcut {
namespace {

// The size of the text without an incomplete last character.
std::size_t size_of_whole(std::string_view text) {
  constexpr std::size_t kLongestCharacter = 4;  // bytes
  for (std::size_t back = 1; back < kLongestCharacter && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    const bool is_within = (byte & 0xc0) == 0x80;
    if (is_within) continue;
    const std::size_t length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

bool put_all(std::streambuf& to, std::string_view text) {
  const auto size = static_cast<std::streamsize>(text.size());
  return to.sputn(text.data(), size) == size;
}

}  // namespace

PrintableStream::PrintableStream(std::ostream& stream) : stream_(stream), before_(stream.flush().rdbuf(this)) {}

PrintableStream::~PrintableStream() {
  pass(printable_lines(begun_));
  pass_line(std::exchange(line_, {}));
  stream_.flush();
  stream_.rdbuf(before_);
}

std::streambuf* PrintableStream::former_buffer(const std::ostream& stream) {
  const auto* printable = dynamic_cast<PrintableStream*>(stream.rdbuf());
  return printable == nullptr ? stream.rdbuf() : printable->before_;
}

int PrintableStream::overflow(int character) {
  if (character == traits_type::eof()) return 0;
  const char c = static_cast<char>(character);
  return put({&c, 1}) ? character : traits_type::eof();
}

std::streamsize PrintableStream::xsputn(const char* text, std::streamsize size) {
  return put({text, static_cast<std::size_t>(size)}) ? size : 0;
}

int PrintableStream::sync() {
  pass_line(std::exchange(line_, {}));
  return before_->pubsync();
}

void PrintableStream::set_colored(const std::ostream& stream, bool is_colored) {
  if (auto* printable = dynamic_cast<PrintableStream*>(stream.rdbuf())) printable->is_colored_ = is_colored;
}

// A line with or without its end.
bool PrintableStream::pass_line(std::string_view line) {
  const LineColor color = color_of(line.substr(0, line.find('\n')));
  if (color.characters == 0) return put_all(*before_, line);
  return put_all(*before_, fmt::format("\033[{}m{}\033[0m{}", color.command, line.substr(0, color.characters),
                                       line.substr(color.characters)));
}

bool PrintableStream::pass(std::string_view printable) {
  if (!is_colored_) return put_all(*before_, printable);
  for (std::size_t end = printable.find('\n'); end != printable.npos; end = printable.find('\n')) {
    line_ += printable.substr(0, end + 1);
    if (!pass_line(std::exchange(line_, {}))) return false;
    printable.remove_prefix(end + 1);
  }
  line_ += printable;
  return true;
}

// In pieces, so that a long text is not copied as a whole.
bool PrintableStream::put(std::string_view text) {
  std::string joined;
  if (!begun_.empty()) {
    joined = std::exchange(begun_, {}).append(text);
    text = joined;
  }
  for (std::string_view piece; !text.empty(); text.remove_prefix(piece.size())) {
    piece = text.substr(0, kPieceBytes);
    piece = piece.substr(0, size_of_whole(piece));
    if (piece.empty()) break;
    const bool is_put = are_printable_lines(piece) ? pass(piece) : pass(printable_lines(piece));
    if (!is_put) return false;
  }
  begun_ = text;
  return true;
}

}  // namespace fxcut
