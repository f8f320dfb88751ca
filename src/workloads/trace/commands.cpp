#include "workloads/trace/commands.h"

#include <algorithm>
#include <array>

namespace recirc::workloads::trace {
namespace {

using Acts = Command::Acts;
using Evidence = Command::Evidence;

constexpr Command reads(std::string_view name, OpKind kind, Evidence evidence,
                        std::string_view note = "") {
  return {name, kind, evidence, Acts::on_source, note, false};
}
constexpr Command writes(std::string_view name, OpKind kind, Evidence evidence,
                         std::string_view note = "") {
  return {name, kind, evidence, Acts::on_source, note, false};
}
constexpr Command ignored(std::string_view name, std::string_view note) {
  return {name, std::nullopt, Evidence::none, Acts::on_source, note, false};
}

constexpr std::string_view one_attribute = "updates one inode";
constexpr std::string_view administration = "administration, no metadata request of a path";
constexpr std::string_view whole_cluster = "acts on the cluster, not on a path";
constexpr std::string_view caching = "acts on the DataNodes' block cache";
constexpr std::string_view snapshots = "snapshots are not modelled";
constexpr std::string_view coding = "acts on the cluster's erasure coding policies";
constexpr std::string_view subtree = "our own name: the directory and all below it, at once";
constexpr std::string_view ours = "our own name, for CSV traces";

constexpr std::array all_commands = {
    // Reads.
    reads("open", OpKind::open, Evidence::file, "logged when a client asks for block locations"),
    reads("getfileinfo", OpKind::stat, Evidence::none, "statdir if the path is a directory"),
    reads("getFileLinkInfo", OpKind::stat, Evidence::none, "statdir if the path is a directory"),
    reads("contentSummary", OpKind::stat, Evidence::none, "of the top directory only"),
    reads("quotaUsage", OpKind::stat, Evidence::none, "of the top directory only"),
    reads("listStatus", OpKind::readdir, Evidence::listed, "stat if the path is a file"),
    reads("getAclStatus", OpKind::stat, Evidence::none),
    reads("getXAttrs", OpKind::stat, Evidence::none),
    reads("listXAttrs", OpKind::stat, Evidence::none),
    reads("checkAccess", OpKind::stat, Evidence::none),
    reads("getStoragePolicy", OpKind::stat, Evidence::none),
    reads("getErasureCodingPolicy", OpKind::stat, Evidence::none),
    reads("getEZForPath", OpKind::stat, Evidence::none),
    reads("getPreferredBlockSize", OpKind::stat, Evidence::file),
    reads("isFileClosed", OpKind::stat, Evidence::file),
    reads("getLinkTarget", OpKind::stat, Evidence::none),
    // Writes.
    writes("create", OpKind::create, Evidence::file, "the commands of its blocks are not logged"),
    writes("createSymlink", OpKind::create, Evidence::file, "of the link; its target is text"),
    writes("mkdirs", OpKind::mkdir, Evidence::directory),
    writes("rename", OpKind::rename, Evidence::none, "options ignored"),
    writes("delete", OpKind::remove, Evidence::none, "of a directory: with all below it"),
    writes("append", OpKind::utime, Evidence::file, one_attribute),
    writes("truncate", OpKind::utime, Evidence::file, one_attribute),
    writes("recoverLease", OpKind::utime, Evidence::file, one_attribute),
    writes("completeFile", OpKind::utime, Evidence::file, one_attribute),
    Command{"concat", OpKind::utime, Evidence::file, Acts::on_destination,
            "of the target; its sources are left as they are", false},
    writes("setTimes", OpKind::utime, Evidence::none, one_attribute),
    writes("setReplication", OpKind::utime, Evidence::none, one_attribute),
    writes("setPermission", OpKind::chmod, Evidence::none),
    writes("setAcl", OpKind::chmod, Evidence::none, one_attribute),
    writes("modifyAclEntries", OpKind::chmod, Evidence::none, one_attribute),
    writes("removeAclEntries", OpKind::chmod, Evidence::none, one_attribute),
    writes("removeDefaultAcl", OpKind::chmod, Evidence::directory, one_attribute),
    writes("removeAcl", OpKind::chmod, Evidence::none, one_attribute),
    writes("setOwner", OpKind::chown, Evidence::none),
    writes("setXAttr", OpKind::utime, Evidence::none, one_attribute),
    writes("removeXAttr", OpKind::utime, Evidence::none, one_attribute),
    writes("setQuota", OpKind::utime, Evidence::directory, one_attribute),
    writes("setSpaceQuota", OpKind::utime, Evidence::directory, one_attribute),
    writes("clearQuota", OpKind::utime, Evidence::directory, one_attribute),
    writes("clearSpaceQuota", OpKind::utime, Evidence::directory, one_attribute),
    writes("setStoragePolicy", OpKind::utime, Evidence::none, one_attribute),
    writes("unsetStoragePolicy", OpKind::utime, Evidence::none, one_attribute),
    writes("setErasureCodingPolicy", OpKind::utime, Evidence::directory, one_attribute),
    writes("unsetErasureCodingPolicy", OpKind::utime, Evidence::directory, one_attribute),
    writes("satisfyStoragePolicy", OpKind::utime, Evidence::none, one_attribute),
    writes("createEncryptionZone", OpKind::utime, Evidence::directory, one_attribute),
    writes("reencryptEncryptionZone", OpKind::utime, Evidence::directory, one_attribute),
    // Our own names; open, create, delete and rename are above.
    reads("close", OpKind::close, Evidence::file, ours),
    reads("stat", OpKind::stat, Evidence::none, "our own name; statdir if it is a directory"),
    reads("statdir", OpKind::statdir, Evidence::directory, ours),
    reads("readdir", OpKind::readdir, Evidence::directory, ours),
    writes("mkdir", OpKind::mkdir, Evidence::directory, ours),
    writes("rmdir", OpKind::rmdir, Evidence::directory, ours),
    writes("chmod", OpKind::chmod, Evidence::none, ours),
    writes("chown", OpKind::chown, Evidence::none, ours),
    writes("utime", OpKind::utime, Evidence::none, ours),
    Command{"chmod_r", OpKind::chmod, Evidence::directory, Acts::on_source, subtree, true},
    Command{"chown_r", OpKind::chown, Evidence::directory, Acts::on_source, subtree, true},
    // Ignored.
    ignored("fsck", administration),
    ignored("listCorruptFileBlocks", whole_cluster),
    ignored("listOpenFiles", whole_cluster),
    ignored("metaSave", administration),
    ignored("msync", "reads no metadata"),
    ignored("datanodeReport", whole_cluster),
    ignored("getDatanodeStorageReport", whole_cluster),
    ignored("slowDataNodesReport", whole_cluster),
    ignored("refreshNodes", whole_cluster),
    ignored("setBalancerBandwidth", whole_cluster),
    ignored("saveNamespace", administration),
    ignored("rollEditLog", administration),
    ignored("restoreFailedStorage", administration),
    ignored("finalizeUpgrade", administration),
    ignored("queryRollingUpgrade", administration),
    ignored("startRollingUpgrade", administration),
    ignored("finalizeRollingUpgrade", administration),
    ignored("monitorHealth", administration),
    ignored("transitionToActive", administration),
    ignored("transitionToStandby", administration),
    ignored("transitionToObserver", administration),
    ignored("checkRestoreFailedStorage", administration),
    ignored("enableRestoreFailedStorage", administration),
    ignored("disableRestoreFailedStorage", administration),
    ignored("safemode_enter", whole_cluster),
    ignored("safemode_leave", whole_cluster),
    ignored("safemode_get", whole_cluster),
    ignored("safemode_wait", whole_cluster),
    ignored("safemode_force_exit", whole_cluster),
    ignored("setSafeMode", whole_cluster),
    ignored("safemode", whole_cluster),
    ignored("getDelegationToken", "authentication"),
    ignored("renewDelegationToken", "authentication"),
    ignored("cancelDelegationToken", "authentication"),
    ignored("allowSnapshot", snapshots),
    ignored("disallowSnapshot", snapshots),
    ignored("createSnapshot", snapshots),
    ignored("renameSnapshot", snapshots),
    ignored("deleteSnapshot", snapshots),
    ignored("gcDeletedSnapshot", snapshots),
    ignored("listSnapshottableDirectory", snapshots),
    ignored("listSnapshots", snapshots),
    ignored("ListSnapshot", snapshots),
    ignored("computeSnapshotDiff", snapshots),
    ignored("addCacheDirective", caching),
    ignored("modifyCacheDirective", caching),
    ignored("removeCacheDirective", caching),
    ignored("listCacheDirectives", caching),
    ignored("addCachePool", caching),
    ignored("modifyCachePool", caching),
    ignored("removeCachePool", caching),
    ignored("listCachePools", caching),
    ignored("listEncryptionZones", whole_cluster),
    ignored("listReencryptionStatus", whole_cluster),
    ignored("getErasureCodingPolicies", coding),
    ignored("getErasureCodingCodecs", coding),
    ignored("addErasureCodingPolicies", coding),
    ignored("addErasureCodingPolicy", coding),
    ignored("removeErasureCodingPolicy", coding),
    ignored("enableErasureCodingPolicy", coding),
    ignored("disableErasureCodingPolicy", coding),
    ignored("getECTopologyResultForPolicies", coding),
    ignored("getStoragePolicies", whole_cluster),
};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

int compare_ignoring_case(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < shorter; ++i) {
    if (lower(a[i]) != lower(b[i])) return lower(a[i]) < lower(b[i]) ? -1 : 1;
  }
  if (a.size() == b.size()) return 0;
  return a.size() < b.size() ? -1 : 1;
}

bool before(const Command* a, const Command* b) {
  return compare_ignoring_case(a->name, b->name) < 0;
}

/// The table sorted by name. Two spellings that differ in case only are the same command.
const auto& sorted_commands() {
  static const auto sorted = [] {
    std::array<const Command*, all_commands.size()> pointers;
    std::ranges::transform(all_commands, pointers.begin(), [](const Command& c) { return &c; });
    std::ranges::sort(pointers, before);
    return pointers;
  }();
  return sorted;
}

}  // namespace

std::span<const Command> commands() { return all_commands; }

const Command* find_command(std::string_view name) {
  const Command wanted = ignored(name, "");
  const auto& sorted = sorted_commands();
  const auto found = std::ranges::lower_bound(sorted, &wanted, before);
  if (found == sorted.end() || compare_ignoring_case((*found)->name, name) != 0) return nullptr;
  return *found;
}

}  // namespace recirc::workloads::trace
