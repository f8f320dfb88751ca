"""Result documents made up for tests of what reads them: the shape the program writes."""

import json

PHASE = {"name": "all", "summary": {"ops_completed": 100.0}}


def figures(system, servers, shift=0.0):
    fletch = system == "fletch"
    base = 20_000.0 * servers * (1.6 if fletch else 1.0) + shift
    latency = 180.0 if fletch else 320.0
    return {
        "throughput_ops_per_s": base,
        "latency_mean_us": latency, "latency_p50_us": 0.7 * latency,
        "latency_p95_us": 3 * latency, "latency_p99_us": 5 * latency,
        "recirculations_per_op": 4.4 if fletch else 0.0,
        "switch_hit_ratio": 0.61 if fletch else 0.0,
        "server_share_max": 1.5 / servers, "ops_completed": 3_000_000, "client_limited": False,
        "operations": {"stat": {"latency_mean_us": latency}},
    }


def result(system="fletch", servers=16, trace=None, replications=2, seed=1):
    each = [{"replication": i, "summary": figures(system, servers, 100.0 * i), "phases": [PHASE]}
            for i in range(replications)]
    interval = {name: 0.02 * value for name, value in figures(system, servers).items()
                if isinstance(value, (int, float)) and not isinstance(value, bool)}
    return {
        "schema_version": 1, "revision": "made-up", "system": system, "seed": seed,
        "complete": True,
        "config": {"system": system, "workload": {"mix": {"kind": "linkedin"}, "trace": trace},
                   "cluster": {"servers": servers}},
        "provenance": {}, "summary": figures(system, servers, 50.0), "interval95": interval,
        "replications": each, "phases": [PHASE],
        "histograms": {"latency": {"unit": "ps", "count": 4, "min": 3, "max": 1021, "mean": 259.25,
                                   "bins": [[3, 3, 1], [5, 5, 2], [1020, 1023, 1]]}},
        "series": {"hits": {"unit": "1", "window_s": 0.5, "values": [[1, 2.5], [3]]}},
    }


def comparison(servers=16, trace=None):
    gains = {"throughput_ops_per_s": {"gain": 0.6, "interval95": 0.01, "pairs": 2}}
    return {"schema_version": 1, "revision": "made-up", "kind": "comparison",
            "baseline": "nocache",
            "results": [{"label": "nocache", "gains": None,
                         "result": result("nocache", servers, trace)},
                        {"label": "fletch", "gains": gains,
                         "result": result("fletch", servers, trace)}]}


def write(path, document):
    path.write_text(json.dumps(document))
    return path
