// SIGHUP, SIGINT and SIGTERM end the program as usual, with a message.
#pragma once

namespace fxcut {

// Installs the handlers, except for signals that are ignored, as with nohup.
void report_stop_signals();

}  // namespace fxcut
