// A standard stream that lets nothing through that a terminal would take for a command (text/printable.h). All that the
// program prints goes this way, whatever made it; JSON stays the same value.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace fxcut {

// While it lives, what is printed to the stream goes on to the buffer that the stream had, made printable.
class PrintableStream : public std::streambuf {
 public:
  explicit PrintableStream(std::ostream& stream);
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;
  ~PrintableStream() override;

  // The buffer behind the stream, for commands to a terminal of our own; the stream's own where none of these is in it.
  static std::streambuf* behind(const std::ostream& stream);

 private:
  int overflow(int character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  bool put(std::string_view text);

  std::ostream& stream_;
  std::streambuf* before_;
  std::string begun_;  // a character of which the last bytes are still to come
};

}  // namespace fxcut
