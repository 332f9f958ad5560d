// A standard stream whose reader may take its time, and which does not keep the program from being stopped meanwhile:
// the streams of the library begin a write anew when a signal has ended it.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

#include "batch/stop_signals.h"

namespace fxcut {

// While it lives, what is printed to the stream goes to the descriptor when it is flushed. Where that fails, or a signal
// has come for which nobody reads, the stream is bad.
class StoppableStream : std::streambuf {
 public:
  StoppableStream(std::ostream& stream, int descriptor, const StopSignals& signals);
  StoppableStream(const StoppableStream&) = delete;
  StoppableStream& operator=(const StoppableStream&) = delete;
  ~StoppableStream() override;

 private:
  int overflow(int character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

  std::ostream& stream_;
  int descriptor_;
  const StopSignals& signals_;
  std::streambuf* before_;
  std::string waiting_;
};

}  // namespace fxcut
