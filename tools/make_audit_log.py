#!/usr/bin/env python3
"""Makes a synthetic HDFS audit log, the same bytes for the same seed and length on any machine.

The requests are those of a small warehouse: reads with a popularity that falls with the rank (Zipf
with exponent 1), jobs that write into temporary directories, rename their output and are cleaned
up, and refused requests. What jobs create they delete again, so that the log can be replayed many
times over. About one line in forty is odd in a way that real logs are: another layout, proxy users,
caller contexts, names in other scripts, commands without a path, broken lines, times that run
backwards, other loggers' lines.

    tools/make_audit_log.py > configs/traces/hdfs_audit_synthetic.log
    tools/make_audit_log.py --lines 100000 --seed 7 --out big.log.gz    (gzip by its name)
"""

import argparse
import datetime
import gzip
import sys

START = datetime.datetime(2024, 5, 1, 8, 0, 0)
LOGGER = "FSNamesystem.audit"
FULL_LOGGER = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit"
USERS = ["etl", "hive", "alice", "bob", "carol", "spark", "oozie", "hbase"]
READS = [("open", 50), ("getfileinfo", 36), ("listStatus", 8), ("contentSummary", 1),
         ("getAclStatus", 1), ("isFileClosed", 1), ("getXAttrs", 1), ("checkAccess", 1)]
UPDATES = [("setTimes", 4), ("setPermission", 3), ("setReplication", 3), ("setOwner", 2),
           ("append", 2), ("setAcl", 1)]


class Rng:
    """SplitMix64: integers only, so that every machine and Python version draws the same."""

    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self.state = seed & self.MASK

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return ((z ^ (z >> 31)) * n) >> 64

    def choice(self, items):
        return items[self.below(len(items))]

    def weighted(self, pairs):
        ticket = self.below(sum(weight for _, weight in pairs))
        for item, weight in pairs:
            ticket -= weight
            if ticket < 0:
                return item
        raise AssertionError("weights changed while drawing")

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def base_files(rng):
    """The files that are there before the log begins, in the order of their popularity."""
    files = []
    for db, tables in (("sales", 5), ("web", 6), ("ads", 4)):
        for table in range(tables):
            for day in range(1, 8):
                folder = f"/warehouse/{db}.db/{db}_table{table}/day=2024-04-{day + 20}"
                for part in range(3):
                    uuid = f"{rng.below(1 << 32):08x}-{rng.below(1 << 16):04x}"
                    files.append(f"{folder}/part-{part:05d}-{uuid}.snappy.parquet")
    for hour in range(24):
        folder = f"/data/raw/events/region=eu/year=2024/month=04/day=30/hour={hour:02d}/min=00"
        files.append(f"{folder}/batch/events-{hour:02d}.avro")
    for user in USERS:
        files += [f"/user/{user}/notebooks/run_{n}.json" for n in range(12)]
        files += [f"/user/{user}/.sparkStaging/conf_{n}/__spark_conf__.zip" for n in range(4)]
        files.append(f"/user/{user}/.hiverc")
    files += [f"/hbase/data/default/t{n}/{rng.below(1 << 40):010x}/cf/{rng.below(1 << 48):012x}"
              for n in range(60)]
    files += [f"/apps/lib/jar_{n:03d}/library-{n % 7}.{n % 10}.jar" for n in range(80)]
    files.append("/apps/tez/tez.tar.gz")
    rng.shuffle(files)
    return files


class Popularity:
    """Draws items with a weight of 1/rank."""

    def __init__(self, rng, items):
        self.rng, self.items, self.sums = rng, items, []
        total = 0
        for rank in range(1, len(items) + 1):
            total += 10**9 // rank
            self.sums.append(total)

    def draw(self):
        ticket = self.rng.below(self.sums[-1])
        low, high = 0, len(self.sums) - 1
        while low < high:
            middle = (low + high) // 2
            if self.sums[middle] > ticket:
                high = middle
            else:
                low = middle + 1
        return self.items[low]


def job_steps(rng, number, user):
    """The requests of one job: (command, source, destination), in order."""
    application = f"application_1714550400_{number:04d}"
    staging = f"/user/{user}/.staging/{application}"
    output = f"/warehouse/out.db/report{rng.below(6)}/run={number:04d}"
    steps = [("mkdirs", staging, "null"), ("setPermission", staging, "null"),
             ("create", f"{staging}/job.xml", "null"), ("open", f"{staging}/job.xml", "null"),
             ("mkdirs", output, "null"), ("mkdirs", f"{output}/_temporary/0", "null")]
    parts = 1 + rng.below(4)
    for part in range(parts):
        temporary = f"{output}/_temporary/0/part-{part:05d}"
        steps += [("create", temporary, "null"),
                  ("rename (options=[OVERWRITE])" if part % 2 else "rename", temporary,
                   f"{output}/part-{part:05d}")]
    steps += [("delete", f"{output}/_temporary", "null"),
              ("create", f"{output}/_SUCCESS", "null"), ("listStatus", output, "null")]
    for _ in range(2 + rng.below(6)):
        steps.append((rng.choice(["open", "getfileinfo"]),
                      f"{output}/part-{rng.below(parts):05d}", "null"))
    if parts > 1:
        sources = ", ".join(f"{output}/part-{p:05d}" for p in range(1, parts))
        steps.append(("concat", f"[{sources}]", f"{output}/part-00000"))
    return steps + [("delete", staging, "null"), ("delete", output, "null")]


class Log:
    """The lines so far, and the clock."""

    def __init__(self, rng):
        self.rng, self.lines, self.ms = rng, [], 0

    def tick(self):
        # Bursts: most gaps are short, one in sixteen is long.
        self.ms += self.rng.below(12) if self.rng.below(16) else self.rng.below(2500)

    def time(self, ms=None):
        moment = START + datetime.timedelta(milliseconds=self.ms if ms is None else ms)
        return moment.strftime("%Y-%m-%d %H:%M:%S") + f",{moment.microsecond // 1000:03d}"

    def record(self, command, source, destination="null", allowed=True, user="etl", **odd):
        perm = f"{user}:users:rw-r--r--" if command in ("create", "mkdirs") else "null"
        ugi = odd.get("ugi", f"{user} (auth:SIMPLE)")
        fields = [f"allowed={'true' if allowed else 'false'}", f"ugi={ugi}",
                  f"ip={odd.get('ip', f'/10.0.{USERS.index(user)}.{1 + self.rng.below(200)}')}",
                  f"cmd={command}", f"src={source}", f"dst={destination}", f"perm={perm}"]
        fields += odd.get("extra", ["proto=rpc"])
        time = odd.get("time", self.time())
        prefix = f"{time} {odd.get('level', 'INFO')} {odd.get('logger', LOGGER)}: "
        return prefix + odd.get("separator", "\t").join(fields)

    def add(self, line, end="\n"):
        self.lines.append(line.encode("utf-8") + end.encode())


def odd_lines(log):
    """Every oddity once, each a function that adds it."""
    add, record = log.add, log.record
    hot = "/apps/tez/tez.tar.gz"
    deep = "/data" + "".join(f"/level{n:02d}" for n in range(2, 14)) + "/leaf.txt"
    too_deep = "/data" + "/x" * 70
    proxy = "alice (auth:PROXY) via oozie/nn01.example.com@EXAMPLE.COM (auth:KERBEROS)"
    return [
        lambda: add(record("open", hot, logger=FULL_LOGGER)),
        lambda: add(record("open", hot, level="DEBUG")),
        lambda: add(record("getfileinfo", hot, ugi=proxy)),
        lambda: add(record("open", hot, extra=["trackingId=5f0a", "proto=webhdfs"])),
        lambda: add(record("open", hot, extra=["proto=rpc", "callerContext=mr_a_1\tsrc=/no"])),
        lambda: add(record("open", hot), end="\r\n"),
        lambda: add(record("open", hot, time=log.time().replace(" ", "T"))),
        lambda: add(record("open", hot, time=log.time().replace(",", "."))),
        lambda: add(record("open", hot, time=log.time()[:-1])),
        lambda: add(record("open", hot, time="24/" + log.time()[5:].replace("-", "/")[:14])),
        lambda: add(record("open", hot, separator="    ")),
        lambda: add(record("listStatus", hot)),
        lambda: add(record("open", "//apps///tez/./tez.tar.gz")),
        lambda: add(record("getfileinfo", "/apps/tez/")),
        lambda: add(record("open", "/user/alice/monthly report 2024.xlsx")),
        lambda: add(record("open", "/user/bob/k=v/a=b=c.txt")),
        lambda: add(record("open", "/user/bob/tab\there.txt")),
        lambda: add(record("getfileinfo", "/user/carol/\u00fcbersicht/\u65e5\u672c.csv")),
        lambda: add(record("open", "/user/carol/" + "n" * 255)),
        lambda: add(record("getfileinfo", deep)),
        lambda: add(record("delete (options=[SKIP_TRASH])", "/user/bob/old.txt")),
        lambda: add(record("getfileinfo", "/", ip="null")),
        lambda: add(record("fsck", "/")),
        lambda: add(record("listCachePools", "null")),
        lambda: add(record("safemode_get", "null")),
        lambda: add(record("listSnapshottableDirectory", "null")),
        lambda: add(record("getDelegationToken", "null")),
        lambda: add(record("frobnicate", "/user/bob/old.txt")),
        lambda: add(record("open", "null")),
        lambda: add(record("open", "relative/name")),
        lambda: add(record("open", "/user/bob/../alice/x")),
        lambda: add(record("open", "/user/carol/" + "m" * 300)),
        lambda: add(record("getfileinfo", too_deep)),
        lambda: add(record("open", hot, time=log.time(log.ms - 700))),
        lambda: add(record("open", hot, time="2024-05-01 99:00:00,000")),
        lambda: add(record("open", hot)[:-40]),
        lambda: add(record("open", hot).replace("allowed=true", "allowed=perhaps")),
        lambda: add(record("open", hot)[:60] + "\0" * 20),
        lambda: add(""),
        lambda: add(f"{log.time()} WARN namenode.FSNamesystem: Get corrupt file blocks"),
        lambda: add("java.io.IOException: File /a could only be written to 0 nodes"),
        lambda: add("\tat org.apache.hadoop.ipc.Server$Handler.run(Server.java:2675)"),
    ]


def request(log, popularity, rng):
    """One request outside of any job."""
    user, path = rng.choice(USERS), popularity.draw()
    draw = rng.below(1000)
    if draw < 15:  # somebody else's
        log.add(log.record(rng.choice(["open", "listStatus", "delete", "create"]),
                           f"/secure/hr/file_{rng.below(5)}", allowed=False, user=user))
        return
    command = rng.weighted(UPDATES if draw < 45 else READS)
    of_directory = command == "getfileinfo" and rng.below(12) == 0
    if of_directory or command in ("listStatus", "contentSummary"):
        path = path.rsplit("/", 1)[0]
    log.add(log.record(command, path, user=user))


def make(lines, seed):
    """The log as bytes, `lines` lines or a few more: the jobs at its end are completed."""
    rng = Rng(seed)
    log = Log(rng)
    popularity = Popularity(rng, base_files(rng))
    odd = odd_lines(log)
    jobs, started, oddities = [], 0, 0
    while len(log.lines) < lines or jobs:
        log.tick()
        if len(log.lines) % 40 == 39:
            odd[oddities % len(odd)]()
            oddities += 1
        elif jobs and (len(log.lines) >= lines or rng.below(100) < 14):
            job = rng.choice(jobs)
            log.add(log.record(*job[1].pop(0), user=job[0]))
            jobs = [j for j in jobs if j[1]]
        elif len(jobs) < 4 and rng.below(100) < 3:
            user = rng.choice(USERS)
            jobs.append((user, job_steps(rng, started, user)))
            started += 1
        else:
            request(log, popularity, rng)
    return b"".join(log.lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=20240501)
    parser.add_argument("--out", default="-", help="a file, gzip if it ends in .gz; - is stdout")
    arguments = parser.parse_args()
    data = make(arguments.lines, arguments.seed)
    if arguments.out.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    if arguments.out == "-":
        sys.stdout.buffer.write(data)
        return
    with open(arguments.out, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main()
