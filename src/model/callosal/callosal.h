#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/callosal/blade.h"
#include "model/callosal/config.h"
#include "model/callosal/control_plane.h"
#include "model/callosal/hand_offs.h"
#include "model/callosal/node.h"
#include "model/callosal/outages.h"
#include "model/callosal/rack.h"
#include "model/callosal/repairs.h"
#include "model/callosal/transport.h"
#include "model/cluster_config.h"
#include "model/pages/page_world.h"
#include "model/switch_fabric.h"
#include "pipeline/programs/directory/wire.h"
#include "pipeline/switch.h"

namespace recirc::model::callosal {

/// Callosal: page caches of nodes, kept coherent by MIND's directory in the switch, over memory
/// blades.
class Callosal final : public pages::PageSystem,
                       private Network,
                       private PayloadKeeper,
                       private Blade::Reader,
                       private Endpoint,
                       private Transport::Receiver,
                       private Repairs::Target,
                       private Outages::Target {
 public:
  Callosal(const pages::PageWorld& world, const CallosalSettings& settings,
           const SwitchSettings& rmt_switch);

  void call(pages::WorkerId worker) override;
  void report(ReplicationResult& result) const override;
  void check_idle() const override;

 private:
  using Header = pipeline::programs::directory::Header;
  using Kind = pipeline::programs::directory::Kind;

  void place_pages();
  void check_pages_of(pages::NodeId id) const;
  [[nodiscard]] const Blade& blade_of(PageNumber page) const;

  void provide(PageNumber page);

  // What nodes send.
  void ask(pages::NodeId node, PageNumber page, bool to_write, std::uint16_t ask) override;
  void push(pages::NodeId node, const Invalidation& invalidation, const Content* data) override;
  void put_back(pages::NodeId node, PageNumber page, const Content& data,
                std::uint8_t round) override;
  void evict(pages::NodeId node, PageNumber page, std::uint8_t region_bits,
             std::uint8_t round) override;
  void sync(pages::NodeId node, pages::FileId file, std::uint32_t number) override;
  void gave_up(pages::NodeId node, const Invalidation& invalidation) override;
  void recalled(pages::NodeId node, PageNumber page) override { repairs_.recalled(node, page); }
  void complain(pages::NodeId node, PageNumber page) override;
  // What the control plane wants for a repair.
  [[nodiscard]] std::uint32_t nodes_up() const override;
  [[nodiscard]] sim::Time reaches(pages::NodeId node) const override;
  [[nodiscard]] sim::Time answers(pages::NodeId node) const override;
  [[nodiscard]] sim::Time memory_has_all() const override { return transport_.memory_drained(); }
  void recall(pages::NodeId node, const PageRange& region) override;
  void taken(const PageRange& region) override;
  void all_repaired() override;
  // Crashes.
  void died_with(const Message& message, faults::Direction direction) override;
  void crash(pages::NodeId node) override;
  sim::Duration restart(pages::NodeId node) override;
  void release(pages::NodeId node) override;
  [[nodiscard]] std::unique_ptr<Node> make_node(pages::NodeId id);
  // What memory blades send.
  void read(std::uint32_t blade, PageNumber page, pages::NodeId requester, std::uint16_t ask,
            const Content& data) override;
  void synced(std::uint32_t blade, PageNumber page, pages::NodeId node,
              std::uint32_t number) override;
  // What arrives at either.
  void receive(const Message& message) override { transport_.receive(message); }
  void arrived(const Message& message) override;
  void receive_at_node(std::size_t node, const Message& message);
  void receive_at_blade(std::size_t blade, const Message& message);

  void lost(RequestHandle payload) override;
  RequestHandle duplicated(RequestHandle payload) override;
  [[nodiscard]] std::uint64_t identity(RequestHandle payload) const override { return payload; }

  void send(EndpointId from, const Header& header, const Content* data);
  [[nodiscard]] static Header answer_of(Kind kind, pages::NodeId node,
                                        const Invalidation& invalidation);
  [[nodiscard]] static Header header_of(Kind kind, pages::NodeId node, PageNumber page,
                                        pages::NodeId requester);
  [[nodiscard]] Content take(RequestHandle payload);

  pages::PageWorld world_;
  CallosalSettings settings_;
  NetworkSettings network_;
  Rack rack_;
  SwitchFabric fabric_;
  Transport transport_;
  pipeline::Switch switch_;
  ControlPlane control_plane_;
  Repairs repairs_;
  sim::Slab<Content> payloads_;
  NodeCounters counters_;
  Durability durability_;
  std::optional<Store> store_;
  HandOffs hand_offs_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Node>> dead_;  ///< whose events may still come
  Outages outages_;
  std::uint32_t down_ = 0;       ///< nodes: bits
  std::uint32_t returning_ = 0;  ///< of them, those that are up but for the directory: bits
  std::uint32_t releasing_ = 0;  ///< of them, those that it is letting go of
  std::vector<sim::Time> up_since_;
  sim::Duration releasing_time_{};
  std::uint64_t released_ = 0;
  std::uint64_t pages_reverted_ = 0;
  sim::FlatMap<sim::Time> lost_;  ///< crashes, by pages that may have lost their last writes
  std::vector<std::unique_ptr<Blade>> blades_;
};

}  // namespace recirc::model::callosal
