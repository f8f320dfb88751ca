#include "model/fletch/parts.h"

#include <optional>

namespace recirc::model::fletch {

Parts::Parts(const World& outside, const CacheSettings& cache, const ControllerSettings& settings,
             const NetworkSettings& network, const pipeline::programs::fletch::LockPlan& locks,
             const Mutants& mutants, const Protection& protection,
             const TokenSettings& token_settings, const LogPlace& log)
    : keys(outside.tree, cache.key_bits),
      world(with_tree(outside, keys.are_whole() ? outside.tree : keys)),
      mail(world.scheduler, world.fabric, world.topology,
           protection.reliable_messages ? std::optional(settings.message_timeout) : std::nullopt),
      history(protection.reliable_messages),
      directory(world.tree, cache.rows, most_entries(cache, world.tree),
                static_cast<std::uint32_t>(world.topology.server_pipes.size()), mutants),
      log_file(file_of(log)),
      leaves(directory, settings.admission == AdmissionPolicy::on),
      desk{world,
           keys,
           settings,
           cache.threshold,
           locks,
           protection.sweep,
           mail,
           history,
           protection.channels_per_server(),
           directory,
           leaves,
           mutants},
      clients(world, keys, network, directory.tokens(), token_settings, locks, risk_of(cache)),
      servers(world, keys, directory.tokens(), cache, mail, protection,
              token_settings.unknown == UnknownToken::none, risk_of(cache), mutants),
      controller(desk),
      preloaded(preload(desk, servers, clients, cache, network)) {}

std::unique_ptr<LogFile> Parts::file_of(const LogPlace& log) {
  if (log.file.empty()) return nullptr;
  auto file = std::make_unique<LogFile>(log, world.tree, world.scheduler);
  history.persist_in(*file);
  directory.tokens().tell(file.get());
  return file;
}

WritesAtRisk* Parts::risk_of(const CacheSettings& cache) {
  return cache.write == WriteChoice::back ? &at_risk : nullptr;
}

}  // namespace recirc::model::fletch
