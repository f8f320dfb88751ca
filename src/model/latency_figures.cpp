#include "model/latency_figures.h"

#include "sim/time.h"

namespace recirc::model {
namespace {

double us(std::int64_t picoseconds) { return sim::as_microseconds(sim::Duration{picoseconds}); }

}  // namespace

void add_quantiles(std::vector<Figure>& figures, const std::string& prefix,
                   const sim::Histogram& latency) {
  figures.push_back({prefix + "latency_mean_us", latency.mean() * 1e-6});
  figures.push_back({prefix + "latency_p50_us", us(latency.quantile(0.50))});
  figures.push_back({prefix + "latency_p95_us", us(latency.quantile(0.95))});
  figures.push_back({prefix + "latency_p99_us", us(latency.quantile(0.99))});
}

void add_latencies(std::vector<Figure>& figures, const sim::Histogram& latency) {
  add_quantiles(figures, "", latency);
  figures.push_back({"latency_p999_us", us(latency.quantile(0.999))});
  figures.push_back({"latency_max_us", us(latency.max())});
}

}  // namespace recirc::model
