"""tools/make_audit_log.py makes the log that ships, byte by byte, and longer ones of its kind."""

import gzip
import importlib.util
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "make_audit_log.py"


def load():
    spec = importlib.util.spec_from_file_location("make_audit_log", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


log = load()


def test_the_shipped_log_is_what_the_script_makes():
    made = subprocess.run([sys.executable, SCRIPT], stdout=subprocess.PIPE, check=True).stdout
    assert made == (ROOT / "configs/traces/hdfs_audit_synthetic.log").read_bytes()
    assert len(made) < 1_000_000


def test_the_seed_and_nothing_else_decides():
    assert log.make(500, 1) == log.make(500, 1)
    assert log.make(500, 1) != log.make(500, 2)


def test_gzip_output_holds_the_same_log(tmp_path):
    out = tmp_path / "log.gz"
    subprocess.run([sys.executable, SCRIPT, "--lines", "300", "--seed", "9", "--out", out],
                   check=True)
    assert gzip.decompress(out.read_bytes()) == log.make(300, 9)


def test_every_oddity_is_in_the_shipped_log():
    shipped = (ROOT / "configs/traces/hdfs_audit_synthetic.log").read_bytes()
    for odd in (b"auth:PROXY", b"callerContext=", b"trackingId=", b"\r\n", b"\0", b"cmd=fsck",
                b"src=null", b"options=[OVERWRITE]", b"cmd=concat\tsrc=[", b"allowed=false",
                b"\n\n", b"\tat org.apache", b"org.apache.hadoop.hdfs.server.namenode.",
                "übersicht/日本".encode(), b"monthly report"):
        assert odd in shipped, odd
