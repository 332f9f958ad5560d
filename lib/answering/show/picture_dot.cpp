#include "show/picture_dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "report/layers.h"
#include "report/report.h"
#include "text/escaping.h"
#include "text/palette.h"
#include "text/printable.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::array<PaintOf, 7> kPaints = {PaintOf::Forward,   PaintOf::Backward,   PaintOf::Saved, PaintOf::Recomputed,
                                            PaintOf::Offloaded, PaintOf::Compressed, PaintOf::Unused};  // by NodeState

// Graphviz has no dark scheme.
constexpr const Colours& light(PaintOf what) { return paint(what).light; }
const Colours& colour_of(NodeState state) { return light(kPaints[static_cast<std::size_t>(state)]); }

std::string head() {
  return fmt::format(
      "  graph [rankdir=TB, compound=true, newrank=true, nodesep=0.25, ranksep=0.35, fontname=\"Helvetica\", "
      "fontsize=13, labelloc=t, labeljust=l, style=\"rounded\", color=\"{}\", bgcolor=\"{}\"]\n"
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11, margin=\"0.12,0.06\"]\n"
      "  edge [color=\"{}\", arrowsize=0.6, fontname=\"Helvetica\", fontsize=9]\n",
      light(PaintOf::Grid).line, light(PaintOf::Ground).fill, light(PaintOf::Panel).line);
}

// A line of a label, in small grey letters; the text is XML already.
std::string small_line(std::string_view text) {
  return fmt::format("<br/><font point-size=\"9\" color=\"{}\">{}</font>", light(PaintOf::Panel).line, text);
}

std::string state_line(NodeState state, std::string_view text) {
  return fmt::format("<br/><font point-size=\"9\" color=\"{}\"><b>{}</b></font>", colour_of(state).line, text);
}

// The complete text of shortened labels, which Graphviz shows on hovering.
class Tooltip {
 public:
  // The text, shortened for a label.
  std::string label_of(std::string_view text) {
    const std::string whole = printable(text), label = shortened(whole);
    if (label != whole) lines_.push_back(whole);
    return xml_text(label);
  }

  bool empty() const { return lines_.empty(); }
  // The attribute's value. Graphviz decodes entities as in HTML, and has escapes of its own.
  std::string quoted() const {
    std::string text;
    for (const std::string& line : lines_) {
      if (!text.empty()) text += "\\n";
      for (const char c : xml_text(line)) (text += c == '\\' ? "\\" : "") += c;
    }
    return '"' + text + '"';
  }

 private:
  std::vector<std::string> lines_;
};

std::string shape_of(const Tensor& tensor) {
  std::string sizes;
  for (const Size& size : tensor.shape) {
    if (!sizes.empty()) sizes += ", ";
    sizes += size.expression ? size.expression->text : std::to_string(size.hint);
  }
  return fmt::format("{}[{}]", tensor.dtype->name, sizes);
}

// "aten.mm", PyTorch's abbreviation.
std::string short_target(const Operator& callee) {
  constexpr std::string_view kDefault = ".default";
  const std::string& target = callee.target;
  return target.ends_with(kDefault) ? target.substr(0, target.size() - kDefault.size()) : target;
}

class DotWriter {
 public:
  DotWriter(const Picture& picture, const JointGraph& joint) : picture_(picture), joint_(joint) {}

  std::string write() {
    boxes_in_.resize(picture_.tree.modules.size());
    for (std::size_t b = 0; b < picture_.boxes.size(); ++b) boxes_in_[home_of(picture_.boxes[b])].push_back(b);
    out_ = "digraph fxcut {\n";
    out_ += head();
    out_ += fmt::format("  label=<{}>\n", title(title_));
    if (!title_.empty()) out_ += fmt::format("  tooltip={}\n", title_.quoted());
    write_module(ModuleTree::kRoot);
    put_backward_right();
    for (const Arrow& arrow : picture_.arrows) write_arrow(arrow);
    return std::move(out_) + "}\n";
  }

 private:
  // The module in whose frame the box is drawn.
  std::uint32_t home_of(const Box& box) const {
    const auto& modules = picture_.tree.modules;
    if (box.kind == Box::Kind::Module || box.kind == Box::Kind::Modules) return modules[box.module].parent;
    if (box.kind != Box::Kind::Outputs && box.kind != Box::Kind::Gradients) return box.module;
    for (const std::uint32_t side : modules[ModuleTree::kRoot].children) {
      if (modules[side].name == name_of(box.shown.side)) return side;
    }
    return ModuleTree::kRoot;
  }

  // The graph's name, and a legend of the colours.
  std::string title(Tooltip& tooltip) const {
    std::array<bool, kPaints.size()> occurs{};
    for (const Box& box : picture_.boxes) {
      for (std::size_t s = 0; s < kPaints.size(); ++s) occurs[s] = occurs[s] || box.by_state[s] > 0;
    }
    std::string cells;
    for (std::size_t s = 0; s < kPaints.size(); ++s) {
      if (!occurs[s]) continue;
      const auto state = static_cast<NodeState>(s);
      cells += fmt::format("<td bgcolor=\"{}\" border=\"1\" color=\"{}\">{}</td>", colour_of(state).fill,
                           colour_of(state).line, name_of(state));
    }
    return fmt::format("<table border=\"0\" cellspacing=\"6\" cellpadding=\"4\"><tr><td><b>{}</b>{}</td>{}</tr></table>",
                       tooltip.label_of(joint_.name.empty() ? "graph" : joint_.name), states(all_boxes()), cells);
  }

  // "layers.0-31 (x32)".
  std::string module_name(std::uint32_t module) const {
    const auto& tree = picture_.tree;
    const auto& instances = picture_.folding.instances[module];
    const Module& parent = tree.modules[tree.modules[module].parent];
    std::string name = instances.size() > 1 ? instance_names(tree, instances) : tree.modules[module].name;
    if (layer_number(tree.modules[module].name) && parent.depth > 1) name = parent.name + "." + name;
    if (instances.size() > 1) name += fmt::format(" (\u00d7{})", instances.size());
    return name;
  }

  std::string label(const Box& box, Tooltip& tooltip) const {
    switch (box.kind) {
      case Box::Kind::Node: return node_label(joint_.graph[box.node], box.nodes + box.inputs, tooltip);
      case Box::Kind::Nodes:
        return fmt::format("<b>{}</b>", show_count(box.nodes, "operator")) +
               small_line(tooltip.label_of(operators_of(box))) + states(box);
      case Box::Kind::Inputs: return fmt::format("<b>{}</b>", show_count(box.inputs, "input")) + states(box);
      case Box::Kind::Outputs: return fmt::format("<b>{}</b>", show_count(box.nodes, "output"));
      case Box::Kind::Gradients: return fmt::format("<b>{}</b>", show_count(box.nodes, "gradient"));
      case Box::Kind::Module:
      case Box::Kind::Modules: break;
    }
    std::string content = show_count(box.nodes, "operator");
    if (box.inputs > 0) content += ", " + show_count(box.inputs, "input");
    const std::string more = box.modules > 1 ? fmt::format(" ... ({})", box.modules) : "";
    return fmt::format("<b>{}{}</b>", tooltip.label_of(module_name(box.module)), more) + small_line(content) + states(box);
  }

  std::string node_label(const Node& node, std::size_t instances, Tooltip& tooltip) const {
    std::string label = fmt::format("<b>{}</b>", tooltip.label_of(node.name));
    if (node.is_call()) label += small_line(tooltip.label_of(short_target(*node.callee)));
    if (node.has_tensor()) {
      const std::string times = instances > 1 ? fmt::format(" \u00d7{}", instances) : "";
      const std::string bytes = show_bytes(element_bytes(node.value->tensor));
      label += small_line(fmt::format("{}, {}{}", tooltip.label_of(shape_of(node.value->tensor)), bytes, times));
    }
    return label;
  }

  std::string operators_of(const Box& box) const {
    constexpr std::size_t kMaxLabelBytes = 36;
    std::string text;
    for (const NodeId id : box.some_nodes) {
      const Node& node = joint_.graph[id];
      if (!text.empty()) text += ", ";
      if (text.size() > kMaxLabelBytes) return text + "...";
      const std::string& packet = node.is_call() ? node.callee->packet : node.name;
      text += packet.substr(packet.rfind('.') + 1);
    }
    return text;
  }

  std::string states(const Box& box) const {
    const auto of = [&](NodeState state) { return box.by_state[static_cast<std::size_t>(state)]; };
    std::string lines;
    const std::size_t saved = of(NodeState::Saved) + of(NodeState::Offloaded) + of(NodeState::Compressed);
    if (saved > 0) {
      lines += state_line(NodeState::Saved, fmt::format("{} saved, {}{}", saved, show_scaled(box.saved_bytes, "B"), held(box)));
    }
    if (const std::size_t count = of(NodeState::Offloaded); count > 0) {
      lines += state_line(NodeState::Offloaded, fmt::format("{} offloaded, {}", count, show_scaled(box.offloaded_bytes, "B")));
    }
    if (const std::size_t count = of(NodeState::Compressed); count > 0) {
      lines += state_line(NodeState::Compressed, fmt::format("{} compressed, {}{}", count, show_scaled(box.compressed_bytes, "B"),
                                                             as_form(box)));
    }
    if (const std::size_t count = of(NodeState::Recomputed); count > 0) {
      lines += state_line(NodeState::Recomputed, fmt::format("{} recomputed", count));
    }
    return lines;
  }

  // The activations held, if that figure differs: parameters and further values in one storage hold nothing more.
  static std::string held(const Box& box) {
    if (box.held_bytes == box.saved_bytes) return "";
    return box.held_bytes == 0 ? ", holding nothing" : fmt::format(", holding {}", show_scaled(box.held_bytes, "B"));
  }

  // The bytes of the forms, unless these are drawn themselves, or unknown.
  static std::string as_form(const Box& box) {
    const bool is_other = box.form_bytes > 0 && box.form_bytes != box.compressed_bytes;
    return is_other ? " as " + show_scaled(box.form_bytes, "B") : "";
  }

  // The sums over all boxes, counted as in the report.
  Box all_boxes() const {
    Box all;
    for (const Box& box : picture_.boxes) {
      for (std::size_t s = 0; s < all.by_state.size(); ++s) all.by_state[s] += box.by_state[s];
      all.saved_bytes += box.saved_bytes;
      all.held_bytes += box.held_bytes;
      all.offloaded_bytes += box.offloaded_bytes;
      all.compressed_bytes += box.compressed_bytes;
      all.form_bytes += box.form_bytes;
    }
    return all;
  }

  std::string indent(std::uint32_t module) const {
    return std::string(2 * picture_.tree.modules[module].depth + 2, ' ');
  }

  // A frame around each open module. Depth is bounded by kMaxModuleDepth.
  void write_module(std::uint32_t module) {
    const bool has_frame = module != ModuleTree::kRoot;
    const std::string margin = indent(module), outer_margin = margin.substr(2);
    if (has_frame) {
      const NodeState side = picture_.tree.modules[module].name == "forward" ? NodeState::Forward : NodeState::Backward;
      const bool is_side = picture_.tree.modules[module].depth == 1;
      out_ += fmt::format("{}subgraph cluster_{} {{\n", outer_margin, module);
      Tooltip tooltip;
      out_ += fmt::format("{}label=<<b>{}</b>>; ", margin, tooltip.label_of(module_name(module)));
      const bool would_inherit = !title_.empty();  // Graphviz passes tooltips on to inner frames
      if (!tooltip.empty() || would_inherit) out_ += fmt::format("tooltip={}; ", tooltip.quoted());
      out_ += is_side ? fmt::format("color=\"{}\"; penwidth=1.5\n", colour_of(side).line)
                      : fmt::format("bgcolor=\"{}\"\n", light(PaintOf::Panel).fill);
      if (is_side) out_ += fmt::format("{}{}_top [shape=point, style=invis, width=0]\n", margin, name_of(side));
    }
    for (const std::size_t box : boxes_in_[module]) write_box(box, margin);
    for (const std::uint32_t child : picture_.tree.modules[module].children) {
      if (picture_.is_open[child]) write_module(child);
    }
    if (has_frame) out_ += outer_margin + "}\n";
  }

  // Graphviz puts frames in an order of its own, but ends of an edge within a rank from left to right.
  void put_backward_right() {
    const auto& modules = picture_.tree.modules;
    const auto& sides = modules[ModuleTree::kRoot].children;
    const bool has_both = std::all_of(sides.begin(), sides.end(), [&](std::uint32_t side) { return picture_.is_open[side]; });
    if (sides.size() == 2 && has_both) out_ += "  { rank=same; forward_top -> backward_top [style=invis] }\n";
  }

  void write_box(std::size_t number, const std::string& margin) {
    const Box& box = picture_.boxes[number];
    const bool is_one = box.kind == Box::Kind::Node;
    const bool is_end = box.kind == Box::Kind::Outputs || box.kind == Box::Kind::Gradients;
    const NodeState of_side = box.shown.side == Side::Forward ? NodeState::Forward : NodeState::Backward;
    const Colours& colour = colour_of(is_one ? box.shown.state : of_side);
    const bool is_input = box.kind == Box::Kind::Inputs || (is_one && joint_.graph[box.node].is_placeholder());
    Tooltip tooltip;
    out_ += fmt::format("{}b{} [label=<{}>, fillcolor=\"{}\", color=\"{}\"{}{}", margin, number, label(box, tooltip),
                        colour.fill, colour.line, is_input || is_end ? ", shape=ellipse, style=filled" : "",
                        box.kind == Box::Kind::Module || box.kind == Box::Kind::Modules ? ", penwidth=1.6" : "");
    if (!tooltip.empty()) out_ += ", tooltip=" + tooltip.quoted();
    out_ += "]\n";
  }

  void write_arrow(const Arrow& arrow) {
    const Side from = picture_.boxes[arrow.from].shown.side, to = picture_.boxes[arrow.to].shown.side;
    const bool is_upwards = from == Side::Backward && to == Side::Backward && !arrow.to_next_layer;
    std::string style;
    if (is_upwards) style += ", dir=back";
    if (arrow.to_next_layer) style += ", style=dashed, constraint=false";
    if (from != to) style += ", constraint=false";
    if (is_saved(arrow.crossing)) style += ", penwidth=1.4";
    if (arrow.crossing != NodeState::Unused) style += fmt::format(", color=\"{}\"", colour_of(arrow.crossing).line);
    if (arrow.values > 1) style += fmt::format(", tooltip=\"{} values\"", arrow.values);
    if (!style.empty()) style = " [" + style.substr(2) + "]";
    const auto [tail, head] = is_upwards ? std::pair(arrow.to, arrow.from) : std::pair(arrow.from, arrow.to);
    out_ += fmt::format("  b{} -> b{}{}\n", tail, head, style);
  }

  const Picture& picture_;
  const JointGraph& joint_;
  std::vector<std::vector<std::size_t>> boxes_in_;  // by module
  Tooltip title_;
  std::string out_;
};

}  // namespace

std::string draw_dot(const JointGraph& joint, GraphForm form, const std::optional<DecisionNames>& decision,
                     const PictureLimits& limits) {
  const std::vector<DrawnNode> shown = node_states(joint, form, decision);
  return DotWriter(plan_picture(joint, form, shown, limits), joint).write();
}

}  // namespace fxcut
