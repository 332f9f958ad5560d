// When copies run that share a channel: one after another, each direction by itself, while the device computes.
//
// Times are in any one unit, on the clock of what computes: it stands still while the step waits for a copy.
#pragma once

#include <vector>

namespace fxcut {

struct CopyTime {
  double at = 0;        // to the host: the end of the value's last use; back: the begin of its first use
  double duration = 0;  // of the copy
};

// When each copy to the host ends. `copies`: in the order of last uses; each begins as soon as its value and the channel
// are free.
std::vector<double> ends_of_copies(const std::vector<CopyTime>& copies);

struct Reloads {
  std::vector<double> begins;  // of each copy
  double waiting = 0;          // of the step, for all of them
};

// The latest begin of each copy from the host at which no use waits for it, nor for the later ones, whose channel it
// shares; so the memory that it fills is taken as late as can be. A copy that cannot come in time begins when the channel
// is free. `copies`: in the order of first uses, as times from the begin of the backward.
Reloads latest_reloads(const std::vector<CopyTime>& copies);

}  // namespace fxcut
