#include "read/nodes_ahead.h"

#include <system_error>
#include <utility>

#include "read/read_operators.h"

namespace fxcut {
namespace {

// Nodes passed to the builder together: few enough to fit the processor's cache, many enough that the threads seldom
// wait for each other.
constexpr std::size_t kNodesAtOnce = 256;

// The least bytes of a node in the file: graphs of the corpus have 400 and more.
constexpr std::size_t kBytesOfANode = 400;

// The member of that key among those before `end`.
std::optional<JsonValue> member_before(const JsonValue& end, std::string_view key) {
  for (auto child = end.document().root().begin(); (*child).ticket() < end.ticket(); ++child) {
    if ((*child).key() == key) return *child;
  }
  return std::nullopt;
}

// Whether members that determine the operators come after the nodes.
bool operators_come_later(const JsonValue& nodes) {
  const JsonValue root = nodes.document().root();
  for (auto child = JsonValue::Iterator(&nodes.document(), nodes.ticket()); !(child == root.end()); ++child) {
    if ((*child).key() == "producer" || (*child).key() == "ops") return true;
  }
  return false;
}

}  // namespace

NodesAhead::~NodesAhead() {
  gathered_.clear();  // the document may no longer exist
  end();
}

void NodesAhead::complete(const JsonValue& array, const JsonValue& element) {
  if (!nodes_ && looked_at_ != array.ticket()) {
    looked_at_ = array.ticket();
    if (array.key() == "nodes") begin(array);
  }
  if (nodes_ != array.ticket() || !building_.valid()) return;
  gathered_.push_back(element.ticket());
  if (gathered_.size() == kNodesAtOnce) pass_on();
}

void NodesAhead::begin(const JsonValue& array) {
  nodes_ = array.ticket();
  mistakes_.only_count();
  const auto operators = read_operator_table(member_before(array, "producer"), member_before(array, "ops"),
                                             torch_version_, mistakes_);
  built_.reader = std::make_unique<NodesReader>(operators, mistakes_);
  built_.graph.operators = operators;
  try {
    building_ = begin_beside(std::launch::async, [this, &document = array.document()] {
      try {
        build(document);
      } catch (...) {
        mark_failed();  // so that the parser does not wait
        throw;
      }
    });
  } catch (const std::system_error&) {
    built_.reader.reset();  // no thread is available
  }
}

void NodesAhead::pass_on() {
  const std::lock_guard lock(mutex_);
  passed_on_.insert(passed_on_.end(), gathered_.begin(), gathered_.end());
  gathered_.clear();
  changed_.notify_all();
}

void NodesAhead::before_move() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return has_failed_ || (passed_on_.empty() && is_idle_); });
}

void NodesAhead::end() {
  pass_on();
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
    changed_.notify_all();
  }
  if (building_.valid()) building_.wait();
}

bool NodesAhead::wait_for(Tickets& tickets) {
  tickets.clear();
  std::unique_lock lock(mutex_);
  is_idle_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return is_ended_ || !passed_on_.empty(); });
  std::swap(tickets, passed_on_);
  is_idle_ = tickets.empty();
  return !tickets.empty();
}

void NodesAhead::mark_failed() {
  const std::lock_guard lock(mutex_);
  has_failed_ = true;
  changed_.notify_all();
}

void NodesAhead::build(const Document& document) {
  names_.reserve(text_bytes_ / kBytesOfANode);
  built_.graph.nodes.reserve(text_bytes_ / kBytesOfANode);
  Tickets tickets;
  while (wait_for(tickets)) {
    for (const std::uint32_t ticket : tickets) {
      if (mistakes_.empty()) built_.reader->append(document.at(ticket), names_, built_.graph);
    }
  }
}

std::optional<ReadNodes> NodesAhead::take(const JsonValue& root) {
  end();
  if (building_.valid()) building_.get();
  const auto nodes = member(root, "nodes");
  const bool has_built = built_.reader && nodes && nodes_ == nodes->ticket() && !operators_come_later(*nodes);
  if (has_built) built_.reader->check_outputs(*nodes, built_.graph);
  const bool is_sound = has_built && mistakes_.empty();
  mistakes_ = Mistakes();
  return is_sound ? std::optional(std::move(built_)) : std::nullopt;
}

}  // namespace fxcut
