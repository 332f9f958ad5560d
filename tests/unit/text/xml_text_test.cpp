#include "text/escaping.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(XmlText, IsNoMarkup) { EXPECT_EQ(xml_text("<a b=\"c\">&]]>"), "&lt;a b=&quot;c&quot;&gt;&amp;]]&gt;"); }

TEST(XmlText, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(xml_text("a\x01\x1b" "b\uffff\xff"), "a\ufffd\ufffdb\ufffd\ufffd");
  EXPECT_EQ(xml_text("a\tb\nc\r"), "a\tb\nc\r");
}

TEST(XmlText, EscapesWhatNobodySees) { EXPECT_EQ(xml_text("\u00e9\u009b\u202e\x7f"), "\u00e9\\u009b\\u202e\\u007f"); }

}  // namespace
}  // namespace fxcut
