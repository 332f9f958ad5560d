// Orders that change.
#include "graph/editing.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

std::vector<std::size_t> positions(const NodeOrder& order) {
  std::vector<std::size_t> ids;
  for (const NodeId id : order.sequence()) ids.push_back(index_of(id));
  return ids;
}

using Ids = std::vector<std::size_t>;

TEST(NodeOrder, StartsInOrder) {
  EXPECT_EQ(positions(NodeOrder(3)), Ids({0, 1, 2}));
  EXPECT_EQ(positions(NodeOrder(0)), Ids());
}

TEST(NodeOrder, MovesNodes) {
  NodeOrder order(4);
  order.put_after(node_id(0), node_id(3));
  EXPECT_EQ(positions(order), Ids({0, 3, 1, 2}));
  order.put_before(node_id(0), node_id(2));
  EXPECT_EQ(positions(order), Ids({2, 0, 3, 1}));
  order.put_after(node_id(1), node_id(2));
  EXPECT_EQ(positions(order), Ids({0, 3, 1, 2}));
}

TEST(NodeOrder, NodesAlreadyInPlaceStay) {
  NodeOrder order(3);
  order.put_after(node_id(0), node_id(1));
  order.put_before(node_id(2), node_id(1));
  order.put_after(node_id(1), node_id(1));
  EXPECT_EQ(positions(order), Ids({0, 1, 2}));
}

TEST(NodeOrder, TakesNewNodes) {
  NodeOrder order(2);
  order.put_before(node_id(1), node_id(2));
  order.put_after(node_id(2), node_id(3));
  EXPECT_EQ(positions(order), Ids({0, 2, 3, 1}));
}

}  // namespace
}  // namespace fxcut
