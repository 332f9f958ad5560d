// A standard stream that signals can stop while its reader is slow: the library's streams repeat an interrupted write.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

#include "batch/stop_signals.h"

namespace fxcut {

// While it exists, text printed to the stream goes to the descriptor when flushed. If that fails, or a signal ends the waiting
// for the reader, the stream is bad.
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
