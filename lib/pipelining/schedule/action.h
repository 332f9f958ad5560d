// An action of a pipeline schedule, as PyTorch writes it (_Action of torch/distributed/pipelining/schedules.py, 2.15): 2F0 is the
// forward of stage 2 for microbatch 0. Several that run at once are one action with parts: (0F3;3B1)OVERLAP_F_B.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fxcut {

enum class ActionKind : std::uint8_t {
  Forward, FullBackward, BackwardInput, BackwardWeight, Overlap,
  Unshard, Reshard, ReduceGrad, WaitReduceGrad,
  SendForward, ReceiveForward, SendBackward, ReceiveBackward, WaitSendForward, WaitSendBackward,
};

// PyTorch's names (_ComputationType).
inline constexpr std::array<std::pair<std::string_view, ActionKind>, 15> kActionKinds = {{
    {"F", ActionKind::Forward},
    {"B", ActionKind::FullBackward},
    {"I", ActionKind::BackwardInput},
    {"W", ActionKind::BackwardWeight},
    {"OVERLAP_F_B", ActionKind::Overlap},
    {"UNSHARD", ActionKind::Unshard},
    {"RESHARD", ActionKind::Reshard},
    {"REDUCE_GRAD", ActionKind::ReduceGrad},
    {"WAIT_REDUCE_GRAD", ActionKind::WaitReduceGrad},
    {"SEND_F", ActionKind::SendForward},
    {"RECV_F", ActionKind::ReceiveForward},
    {"SEND_B", ActionKind::SendBackward},
    {"RECV_B", ActionKind::ReceiveBackward},
    {"WAIT_SEND_F", ActionKind::WaitSendForward},
    {"WAIT_SEND_B", ActionKind::WaitSendBackward},
}};

struct Action {
  ActionKind kind = ActionKind::Forward;
  int stage = 0;
  std::optional<int> microbatch;  // for actions that have one
  std::vector<Action> parts = {}; // of an Overlap, which has no stage of its own

  // Whether it computes (PyTorch's is_compute_op); all others are communication.
  bool computes() const { return kind <= ActionKind::Overlap; }
  // Whether it ends the life of what its stage saved for its microbatch.
  bool releases() const { return kind == ActionKind::FullBackward || kind == ActionKind::BackwardWeight; }
  // Whether it computes the gradients of the stage's inputs.
  bool makes_input_gradients() const { return kind == ActionKind::FullBackward || kind == ActionKind::BackwardInput; }

  bool operator==(const Action&) const = default;
};

// Calls `visit` with the action, or with each of its parts.
template <typename Visit>
void for_each_part(const Action& action, const Visit& visit) {
  if (action.kind != ActionKind::Overlap) return visit(action);
  for (const Action& part : action.parts) visit(part);
}

// PyTorch's name of the kind.
std::string_view name_of(ActionKind kind);

// PyTorch's text of it.
std::string to_string(const Action& action);

// The action of that text, ignoring blanks around it and its parts; nullopt if it is not one. Unlike PyTorch, which reads 2F0x as
// 2F0, it reads the whole text, requires a microbatch for actions that compute, and parts that are not overlaps.
std::optional<Action> parse_action(std::string_view text);

}  // namespace fxcut
