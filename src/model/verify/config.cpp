#include "model/verify/config.h"

namespace recirc::model::verify {

using sim::config::Visitor;

void describe(Visitor& v, PageVerifySettings& c) {
  v.field("real_time", c.real_time,
          {.doc = "Count reads that return a version older than the last write of the page that "
                  "was over before they began, and appends that lie across one another. Takes 8 "
                  "bytes a write and 32 an append."});
  v.field("linearizable", c.linearizable,
          {.doc = "Search, page by page and at the end of the run, for an order of the first calls "
                  "that explains all their answers. Takes 32 bytes a call that is looked at."});
  v.field(
      "calls_a_page", c.calls_a_page,
      {.doc = "Calls of each page that /verify/linearizable looks at.", .min = 2, .max = 100'000});
  v.field("swmr", c.swmr,
          {.doc = "Count times that a node may write a page while another one may use it: by what "
                  "the nodes believe. Takes 24 bytes a page."});
  v.field("violations", c.violations, {.doc = "What becomes of a run that violates a check."});
}

}  // namespace recirc::model::verify
