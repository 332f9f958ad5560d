#include "cli/stoppable_stream.h"

#include <utility>

namespace fxcut {

StoppableStream::StoppableStream(std::ostream& stream, int descriptor, const StopSignals& signals)
    : stream_(stream), descriptor_(descriptor), signals_(signals), before_(stream.flush().rdbuf(this)) {}

StoppableStream::~StoppableStream() {
  stream_.flush();
  stream_.rdbuf(before_);
}

int StoppableStream::overflow(int character) {
  if (character != traits_type::eof()) waiting_ += static_cast<char>(character);
  return 0;
}

std::streamsize StoppableStream::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<std::size_t>(size));
  return size;
}

int StoppableStream::sync() { return signals_.write(descriptor_, std::exchange(waiting_, {})) ? 0 : -1; }

}  // namespace fxcut
