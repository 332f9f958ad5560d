// What SIGHUP, SIGINT and SIGTERM do: they end the program as usual, with a message.
#pragma once

namespace fxcut {

// From now on, but for signals that whoever started the program has it ignore, as nohup does.
void tell_of_stop_signals();

}  // namespace fxcut
