#include "model/fletch/client_tokens.h"

namespace recirc::model::fletch {

std::uint8_t ClientTokens::of(ClientId client, workloads::PathId path, sim::Time now) {
  if (first_is_valid(now)) {
    if (const std::uint8_t* token = first_.find(path.value())) return *token;
  }
  drop_expired(now);
  const std::uint8_t* token = learned_.find(entry_of(client, path));
  return token == nullptr ? unknown : *token;
}

void ClientTokens::learn(ClientId client, workloads::PathId path, std::uint8_t token,
                         sim::Time now) {
  if (token == unknown || of(client, path, now) == token) return;
  // Tokens of a path never change, so an entry that is there is right.
  learned_[entry_of(client, path)] = token;
  expiries_.push({entry_of(client, path), sim::later(now, expiry_)});
  ++learned_count_;
}

void ClientTokens::drop_expired(sim::Time now) {
  while (!expiries_.empty() && expiries_.front().at <= now) {
    if (learned_.erase(expiries_.front().entry)) ++expired_count_;
    expiries_.pop();
  }
}

}  // namespace recirc::model::fletch
