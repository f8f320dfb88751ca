#include "workloads/page_workload.h"

#include "workloads/fxmark.h"
#include "workloads/random_pages.h"

namespace recirc::workloads {

using sim::config::paper;
using sim::config::Visitor;

void describe(Visitor& /*v*/, Drbl& /*c*/) {}
void describe(Visitor& /*v*/, Drbm& /*c*/) {}
void describe(Visitor& /*v*/, Drbh& /*c*/) {}
void describe(Visitor& /*v*/, Dwol& /*c*/) {}
void describe(Visitor& /*v*/, Dwom& /*c*/) {}
void describe(Visitor& /*v*/, Dwoh& /*c*/) {}
void describe(Visitor& /*v*/, Dwal& /*c*/) {}

void describe(Visitor& v, Drwom& c) {
  v.field("write_ratio", c.write_ratio,
          {.doc = "Share of the calls that write.",
           .from = paper("Callosal Fig. 10: 5 to 30 %"),
           .min = 0.0,
           .max = 1.0});
}

void describe(Visitor& v, SharedPages& c) {
  v.count("pages", c.pages,
          {.doc = "Pages of the file.",
           .from = sim::config::derived("MIND's test program: 204,800 at most"),
           .min = 1,
           .max = 10'000'000});
  v.field("write_ratio", c.write_ratio,
          {.doc = "Share of the calls that write.",
           .from = sim::config::derived("MIND's test program: 0 to 100 %"),
           .min = 0.0,
           .max = 1.0});
}

void describe(Visitor& v, PageWorkload& c) {
  v.field("benchmark", c.benchmark, {.doc = "What the workers do.", .required = true});
  v.count("operations", c.operations,
          {.doc = "Calls of all workers together, after which the run ends.",
           .min = 1,
           .max = 100'000'000'000});
  v.field("duration", c.duration,
          {.doc = "The run ends at this time instead; calls under way are still completed.",
           .min = sim::microseconds(1),
           .max = sim::seconds(86'400),
           .example = "1s"});
}

std::unique_ptr<PageApp> make_page_app(const PageWorkload& workload, std::uint32_t workers,
                                       const sim::RngFactory& rng) {
  const auto fxmark = [&](Sharing sharing, PageOpKind kind, double writes) {
    return std::make_unique<Fxmark>(FxmarkLoop{sharing, kind, writes}, workers,
                                    rng.stream("pages"));
  };
  struct Maker {
    const decltype(fxmark)& make;
    std::uint32_t workers;
    sim::CounterRng rng;
    using App = std::unique_ptr<PageApp>;
    App operator()(const Drbl&) const { return make(Sharing::low, PageOpKind::read, 0); }
    App operator()(const Drbm&) const { return make(Sharing::medium, PageOpKind::read, 0); }
    App operator()(const Drbh&) const { return make(Sharing::high, PageOpKind::read, 0); }
    App operator()(const Dwol&) const { return make(Sharing::low, PageOpKind::write, 1); }
    App operator()(const Dwom&) const { return make(Sharing::medium, PageOpKind::write, 1); }
    App operator()(const Dwoh&) const { return make(Sharing::high, PageOpKind::write, 1); }
    App operator()(const Dwal&) const { return make(Sharing::low, PageOpKind::append, 1); }
    App operator()(const SharedPages& c) const {
      return std::make_unique<RandomPages>(c.pages, c.write_ratio, workers, rng);
    }
    App operator()(const Drwom& c) const {
      return make(Sharing::medium, PageOpKind::write, c.write_ratio);
    }
  };
  return std::visit(Maker{fxmark, workers, rng.stream("pages")}, workload.benchmark);
}

}  // namespace recirc::workloads
