#include "verify_offload.h"

#include <algorithm>
#include <set>

namespace fxcut {
namespace {

bool takes(const Json& node, const std::string& input) {
  bool found = false;
  const auto compare = [&](const std::string& reference) { found = found || reference == input; };
  for (const char* arguments : {"args", "kwargs"}) {
    if (node.contains(arguments)) for_each_reference(node[arguments], compare);
  }
  return found;
}

bool calls(const Json& node, std::string_view target) {
  return is_op(node, "call_function") && node.at("target").get_ref<const std::string&>() == target;
}

// Whether the node begins to copy `source`, on the stream of the computation or on its own.
bool begins_copy_of(const Json& node, const std::string& source) {
  const bool copies = calls(node, "prims.device_put.default") || calls(node, "ao.offload.default") ||
                      calls(node, "ao.reload.default");
  return copies && node.at("args").at(0) == Json{{"node", source}};
}

class OffloadVerification {
 public:
  OffloadVerification(const Json& joint, const WrittenPartition& written)
      : joint_(joint), forward_(written.forward.at("nodes")), backward_(written.backward.at("nodes")),
        report_(written.report) {}

  std::vector<std::string> run() && {
    for (const Json& row : report_.at("saved_values")) {
      if (!row.at("offloaded").get<bool>()) continue;
      check_way_out(text_of(row, "name"), text_of(row, "host_name"));
      check_way_back(text_of(row, "name"), text_of(row, "host_name"));
    }
    check_marks();
    check_sums();
    return std::move(problems_);
  }

 private:
  void check_way_out(const std::string& name, const std::string& host_name);
  void check_way_back(const std::string& name, const std::string& host_name);
  void check_marks();
  void check_sums();

  // end() where nothing copies it.
  static Json::const_iterator beginning_of_copy(const Json& nodes, const std::string& source) {
    return std::find_if(nodes.begin(), nodes.end(), [&](const Json& node) { return begins_copy_of(node, source); });
  }
  std::string device_of(const std::string& name) const {
    for (const Json& node : joint_.at("nodes")) {
      if (node.at("name") == name) return text_of(node.at("val"), "device");
    }
    return "";
  }
  void complain(std::string problem) { problems_.push_back(std::move(problem)); }

  const Json& joint_;
  const Json& forward_;
  const Json& backward_;
  const Json& report_;
  std::vector<std::string> problems_;
};

void OffloadVerification::check_way_out(const std::string& name, const std::string& host_name) {
  const auto copy = beginning_of_copy(forward_, name);
  if (copy == forward_.end()) return complain("the forward does not copy " + name + " to the host");
  bool is_returned = false;
  for (auto node = copy; node != forward_.end(); ++node) {
    const bool ends_copy = calls(*node, "ao.wait_tensor.default") && takes(*node, text_of(*copy, "name"));
    if (text_of(*node, "name") == host_name) is_returned = node == copy || ends_copy;
    if (node != copy && !ends_copy && takes(*node, name)) {
      complain("the forward's " + text_of(*node, "name") + " takes " + name + " behind its copy to the host");
    }
  }
  if (!is_returned) complain(host_name + " is not the copy of " + name);
}

void OffloadVerification::check_way_back(const std::string& name, const std::string& host_name) {
  const auto copy = beginning_of_copy(backward_, host_name);
  if (copy == backward_.end()) return complain("the backward does not copy " + host_name + " back");
  const Json device = {{"device", device_of(name)}};
  if (copy->at("args").at(1) != device) complain(host_name + " does not go back to " + device.dump());
  for (auto node = backward_.begin(); node != backward_.end(); ++node) {
    if (text_of(*node, "name") == name) complain("the backward has " + name + ", which is on the host");
    const bool ends_copy = calls(*node, "ao.wait_tensor.default") && takes(*node, text_of(*copy, "name"));
    if (node != copy && !ends_copy && takes(*node, host_name)) {
      complain("the backward's " + text_of(*node, "name") + " takes " + host_name + " from the host");
    }
  }
}

void OffloadVerification::check_marks() {
  std::set<std::string> marked, accounted;
  for (const Json& node : joint_.at("nodes")) {
    if (node.value("meta", Json::object()).value("should_offload", Json(false)) == Json(true)) {
      marked.insert(text_of(node, "name"));
    }
  }
  if (!report_.at("settings").at("enable_activation_offloading").get<bool>()) marked.clear();
  const auto account_for = [&](const std::string& name) {
    if (!marked.contains(name)) complain(name + " is not marked for offloading");
    if (!accounted.insert(name).second) complain(name + " is offloaded and refused");
  };
  for (const Json& row : report_.at("saved_values")) {
    if (row.at("offloaded").get<bool>()) account_for(text_of(row, "name"));
  }
  for (const Json& row : report_.at("offload_refusals")) account_for(text_of(row, "name"));
  for (const Json& node : forward_) {
    const std::string name = text_of(node, "name");
    if (marked.contains(name) && !accounted.contains(name)) complain(name + " is marked, and the report is silent");
  }
}

void OffloadVerification::check_sums() {
  std::int64_t bytes = 0, values = 0;
  for (const Json& row : report_.at("saved_values")) {
    if (!row.at("offloaded").get<bool>()) continue;
    bytes += row.at("bytes").get<std::int64_t>();
    ++values;
  }
  const Json& totals = report_.at("totals");
  if (totals.at("offloaded_bytes") != bytes) complain("totals.offloaded_bytes is not " + std::to_string(bytes));
  if (totals.at("offloaded_values") != values) complain("totals.offloaded_values is not " + std::to_string(values));
}

}  // namespace

std::vector<std::string> verify_offload(const Json& joint, const WrittenPartition& written) {
  return OffloadVerification(joint, written).run();
}

}  // namespace fxcut
