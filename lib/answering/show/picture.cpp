#include "show/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "diagnostic/diagnostic.h"
#include "show/open_modules.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxNodesNamed = 8;
constexpr std::size_t kNoBox = static_cast<std::size_t>(-1);

// The modules of that path, at most one of each side.
std::vector<std::uint32_t> modules_of(const GraphModules& tree, const std::string& path) {
  std::vector<std::uint32_t> found;
  if (path.empty()) return found;
  std::vector<std::string> known;
  for (std::uint32_t m = 1; m < tree.modules.size(); ++m) {
    if (tree.modules[m].depth < 2) continue;
    known.push_back(tree.path(m));
    if (known.back() == path) found.push_back(m);
  }
  if (!found.empty()) return found;
  std::sort(known.begin(), known.end());  // both sides have the same paths
  known.erase(std::unique(known.begin(), known.end()), known.end());
  throw Failure(ExitStatus::Usage, fmt::format("--module {}: no node of the graph is of that module", path),
                did_you_mean_or_known(path, {known.begin(), known.end()}));
}

std::vector<bool> with_outer_modules(const GraphModules& tree, const std::vector<std::uint32_t>& modules) {
  std::vector<bool> kept(tree.modules.size());
  for (std::uint32_t m : modules) {
    for (; m != ModuleTree::kRoot; m = tree.modules[m].parent) kept[m] = true;
  }
  return kept;
}

class Planner {
 public:
  Planner(const JointGraph& joint, GraphForm form, const std::vector<DrawnNode>& shown, const PictureLimits& limits)
      : joint_(joint), graph_(joint.graph), form_(form), shown_(shown) {
    picture_.tree = graph_modules(graph_, shown);
    const GraphModules& tree = picture_.tree;
    const std::vector<std::uint32_t> requested = modules_of(tree, limits.module);
    const std::vector<bool> kept = with_outer_modules(tree, requested);
    const bool fits = graph_.size() <= limits.most_boxes;
    picture_.folding = fits ? no_folding(graph_, tree) : fold_repeats(graph_, shown, tree, kept);
    for (std::uint32_t m = 0; m < tree.modules.size(); ++m) {
      modules_within_.push_back(modules_within(tree, picture_.folding, m));
    }
    most_own_.assign(tree.modules.size(), fits ? graph_.size() : kMaxNodeBoxes);
    for (const std::uint32_t m : requested) most_own_[m] = std::max(most_own_[m], kMaxRequestedBoxes);
    picture_.is_open = open_modules(graph_, tree, picture_.folding, {limits.most_boxes, most_own_, kept});
  }

  Picture plan() {
    make_boxes();
    count();
    draw_arrows();
    return std::move(picture_);
  }

 private:
  std::size_t add_box(Box::Kind kind, std::uint32_t module, NodeId first) {
    Box box;
    box.kind = kind;
    box.module = module;
    box.node = first;
    box.shown = shown_[index_of(first)];
    picture_.boxes.push_back(box);
    return picture_.boxes.size() - 1;
  }

  void make_boxes() {
    box_of_.assign(graph_.size(), kNoBox);
    const GraphModules& tree = picture_.tree;
    std::vector<std::size_t> closed_in(tree.modules.size(), kNoBox);  // by module: the box of the closed module around it
    for (std::uint32_t m = 0; m < tree.modules.size(); ++m) {
      const Module& module = tree.modules[m];
      if (m != ModuleTree::kRoot && closed_in[module.parent] != kNoBox) {
        closed_in[m] = closed_in[module.parent];
      } else if (m != ModuleTree::kRoot && (!picture_.is_open[module.parent] || picture_.folding.instances[m].empty())) {
        continue;
      } else if (picture_.is_open[m]) {
        make_own_boxes(m);
        continue;
      } else {
        closed_in[m] = closed_box(m);
        if (closed_in[m] == kNoBox) continue;
      }
      for (const NodeId id : tree.nodes[m]) box_of_[index_of(id)] = closed_in[m];
    }
  }

  // The module's own nodes, one or several to a box.
  void make_own_boxes(std::uint32_t module) {
    const std::vector<NodeId>& nodes = picture_.tree.nodes[module];
    const OwnBoxes own = own_boxes(graph_, nodes, most_own_[module]);
    const auto inputs = static_cast<std::size_t>(
        std::count_if(nodes.begin(), nodes.end(), [&](NodeId id) { return graph_[id].is_placeholder(); }));
    const std::size_t calls = nodes.size() - inputs;
    const std::size_t calls_a_box = own.calls == 0 ? 1 : (calls + own.calls - 1) / own.calls;
    std::size_t inputs_box = kNoBox, calls_box = kNoBox, calls_in_it = 0;
    for (const NodeId id : nodes) {
      std::size_t& box = box_of_[index_of(id)];
      if (graph_[id].is_placeholder()) {
        if (inputs == own.inputs || inputs_box == kNoBox) {
          inputs_box = add_box(inputs == own.inputs ? Box::Kind::Node : Box::Kind::Inputs, module, id);
        }
        box = inputs_box;
        continue;
      }
      if (calls_in_it % calls_a_box == 0) {
        calls_box = add_box(calls_a_box == 1 ? Box::Kind::Node : Box::Kind::Nodes, module, id);
      }
      ++calls_in_it;
      box = calls_box;
      std::vector<NodeId>& some = picture_.boxes[calls_box].some_nodes;
      if (some.size() < kMaxNodesNamed) some.push_back(id);
    }
  }

  // The box of a closed module: its own, or one shared with its neighbours if there are too many.
  std::size_t closed_box(std::uint32_t module) {
    const std::vector<NodeId> nodes = nodes_within(picture_.tree, module);
    if (nodes.empty()) return kNoBox;
    const std::uint32_t parent = picture_.tree.modules[module].parent;
    const std::size_t count = modules_within_[parent];
    if (count <= kMaxModuleBoxes) return add_box(Box::Kind::Module, module, nodes.front());
    const std::size_t modules_a_box = (count + kMaxModuleBoxes - 1) / kMaxModuleBoxes;
    auto& [box, modules] = shared_box_[parent];
    if (modules++ % modules_a_box == 0) box = add_box(Box::Kind::Modules, module, nodes.front());
    ++picture_.boxes[box].modules;
    return box;
  }

  void count() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const std::size_t at = box_of(node_id(i));
      if (at == kNoBox) continue;
      Box& box = picture_.boxes[at];
      ++(graph_.nodes[i].is_placeholder() ? box.inputs : box.nodes);
      const NodeState state = shown_[i].state;
      ++box.by_state[static_cast<std::size_t>(state)];
      const std::int64_t bytes = graph_.nodes[i].value ? tensor_bytes(*graph_.nodes[i].value) : 0;
      if (is_saved(state)) box.saved_bytes += bytes;
      if (state == NodeState::Offloaded) box.offloaded_bytes += bytes;
      if (state == NodeState::Compressed) {
        box.compressed_bytes += bytes;
        box.form_bytes += shown_[i].held_bytes;
      }
      box.held_bytes += shown_[i].held_bytes;
    }
  }

  void draw_arrows() {
    const auto& drawn_as = picture_.folding.drawn_as;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const std::size_t to = box_of(node_id(i));
      if (to == kNoBox) continue;
      for (const NodeId input : graph_.nodes[i].inputs) {
        const std::size_t from = box_of(input);
        if (from == kNoBox || from == to) continue;
        const DrawnNode& made = shown_[index_of(input)];
        const bool crosses = made.side != shown_[i].side;
        const bool to_next_layer = !crosses && drawn_as[index_of(input)] > drawn_as[i];
        connect(from, to, crosses ? made.state : NodeState::Unused, to_next_layer);
      }
    }
    draw_to_outputs();
  }

  void draw_to_outputs() {
    const std::vector<OutputLeaf> outputs = output_leaves(graph_);
    std::array<std::size_t, 2> boxes = {kNoBox, kNoBox};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].node) continue;
      const bool is_own = form_ == GraphForm::Backward ? false : i < joint_.num_forward_outputs;
      if (form_ == GraphForm::Forward && !is_own) continue;  // saved values, which have their colour
      const std::size_t from = box_of(*outputs[i].node);
      if (from == kNoBox) continue;
      std::size_t& to = boxes[is_own ? 0 : 1];
      if (to == kNoBox) {
        const Side side = is_own ? Side::Forward : Side::Backward;
        to = add_box(is_own ? Box::Kind::Outputs : Box::Kind::Gradients, ModuleTree::kRoot, *outputs[i].node);
        picture_.boxes[to].shown = {side, is_own ? NodeState::Forward : NodeState::Backward};
      }
      ++picture_.boxes[to].nodes;
      connect(from, to, NodeState::Unused, false);
    }
  }

  void connect(std::size_t from, std::size_t to, NodeState crossing, bool to_next_layer) {
    const auto [entry, is_new] = arrow_between_.try_emplace((std::uint64_t{from} << 32) | to, picture_.arrows.size());
    if (is_new) picture_.arrows.push_back({from, to, 0, crossing, to_next_layer});
    Arrow& arrow = picture_.arrows[entry->second];
    ++arrow.values;
    if (crossing == NodeState::Saved) arrow.crossing = crossing;
    arrow.to_next_layer &= to_next_layer;
  }

  std::size_t box_of(NodeId id) const { return box_of_[index_of(picture_.folding.drawn_as[index_of(id)])]; }

  const JointGraph& joint_;
  const Graph& graph_;
  GraphForm form_;
  const std::vector<DrawnNode>& shown_;
  Picture picture_;
  std::vector<std::size_t> modules_within_;  // by module
  struct SharedBox {
    std::size_t box = kNoBox;
    std::size_t modules = 0;  // closed ones so far, in this box and earlier ones
  };
  std::unordered_map<std::uint32_t, SharedBox> shared_box_;  // by module with too many modules within
  std::vector<std::size_t> most_own_;  // by module: boxes for its own nodes
  std::vector<std::size_t> box_of_;    // by drawn node
  std::unordered_map<std::uint64_t, std::size_t> arrow_between_;
};

}  // namespace

Picture plan_picture(const JointGraph& joint, GraphForm form, const std::vector<DrawnNode>& shown,
                     const PictureLimits& limits) {
  return Planner(joint, form, shown, limits).plan();
}

}  // namespace fxcut
