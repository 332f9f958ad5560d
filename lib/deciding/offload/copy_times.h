// When copies that share a channel run: one after another, independently in each direction, while the device computes.
//
// Times are in any one unit, on the computation's clock, which stops while the step waits for a copy.
#pragma once

#include <vector>

namespace fxcut {

struct CopyTime {
  double at = 0;        // to the host: the end of the value's last use; back: the start of its first use
  double duration = 0;  // of the copy
};

// When each copy to the host ends. `copies`: in the order of last uses; each starts as soon as its value and the channel are
// free.
std::vector<double> ends_of_copies(const std::vector<CopyTime>& copies);

struct Reloads {
  std::vector<double> begins;  // of each copy
  double waiting = 0;          // of the step, for all of them
};

// The latest start of each copy from the host for which no use waits for it or for later ones on the same channel, so that its
// memory is allocated as late as possible. A copy that cannot be in time starts when the channel is free. `copies`: in the order
// of first uses, as times from the start of the backward.
Reloads latest_reloads(const std::vector<CopyTime>& copies);

}  // namespace fxcut
