// A standard stream that escapes text which a terminal would execute as a command (text/printable.h). The program prints
// everything through it; JSON keeps its value.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace fxcut {

// While it exists, text printed to the stream is made printable and passed to the stream's former buffer; if the stream is
// colored, whole lines are passed (cli/line_color.h).
class PrintableStream : public std::streambuf {
 public:
  explicit PrintableStream(std::ostream& stream);
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;
  ~PrintableStream() override;

  // Colors the lines of a stream, or not, from now on; without a PrintableStream, nothing.
  static void set_colored(const std::ostream& stream, bool is_colored);

  // The stream's former buffer, for the program's own terminal commands; the present one without a PrintableStream.
  static std::streambuf* former_buffer(const std::ostream& stream);

 private:
  int overflow(int character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  bool put(std::string_view text);
  bool pass(std::string_view printable);
  bool pass_line(std::string_view line);

  std::ostream& stream_;
  std::streambuf* before_;
  std::string begun_;  // a character whose last bytes are missing
  bool is_colored_ = false;
  std::string line_;   // if the stream is colored: a line without its end
};

}  // namespace fxcut
