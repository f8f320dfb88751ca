"""Results as Python objects: what is read from a file, without the compiled module."""

import json
import subprocess
import sys

import numpy as np
import pytest
import recirc
import results


def load(tmp_path, document):
    return recirc.load(results.write(tmp_path / "result.json", document))


def test_reads_the_parts_under_their_names(tmp_path):
    document = results.result()
    result = load(tmp_path, document)
    for part in ("config", "provenance", "summary", "interval95", "replications", "phases"):
        assert getattr(result, part) == document[part]
    assert (result.system, result.seed, result.complete) == ("fletch", 1, True)
    assert "fletch" in repr(result) and "2 replications" in repr(result)


def test_keeps_the_text_of_a_file(tmp_path):
    text = json.dumps(results.result(), indent=3)
    (tmp_path / "a.json").write_text(text)
    result = recirc.load(tmp_path / "a.json")
    result.summary.clear()
    assert result.to_json() == text
    result.save(tmp_path / "b.json")
    assert (tmp_path / "b.json").read_text() == text


def test_histograms_are_arrays(tmp_path):
    histogram = load(tmp_path, results.result()).histograms["latency"]
    assert histogram.low.tolist() == [3, 5, 1020] and histogram.low.dtype == np.int64
    assert histogram.high.tolist() == [3, 5, 1023]
    assert histogram.count.tolist() == [1, 2, 1]
    assert (histogram.unit, histogram.total, histogram.mean) == ("ps", 4, 259.25)


@pytest.mark.parametrize("q, value", [(0, 3), (0.25, 3), (0.26, 5), (0.75, 5), (0.76, 1021),
                                      (1, 1021)])
def test_quantiles_are_values_that_a_share_does_not_exceed(tmp_path, q, value):
    assert load(tmp_path, results.result()).histograms["latency"].quantile(q) == value


def test_quantiles_of_no_share_are_refused(tmp_path):
    histogram = load(tmp_path, results.result()).histograms["latency"]
    for q in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="share"):
            histogram.quantile(q)


def test_an_empty_histogram_has_quantile_0(tmp_path):
    document = results.result()
    document["histograms"]["latency"].update(count=0, min=0, max=0, mean=0, bins=[])
    histogram = load(tmp_path, document).histograms["latency"]
    assert (histogram.total, histogram.quantile(0.5), len(histogram.low)) == (0, 0, 0)


def test_series_have_an_array_a_replication(tmp_path):
    series = load(tmp_path, results.result()).series["hits"]
    assert [values.tolist() for values in series.values] == [[1.0, 2.5], [3.0]]
    assert series.times().tolist() == [0.0, 0.5] and series.times(1).tolist() == [0.0]


def test_a_window_without_a_value_is_no_number(tmp_path):
    document = results.result()
    document["series"]["hits"]["values"] = [[1, None, 0]]
    values = load(tmp_path, document).series["hits"].values[0]
    assert np.isnan(values).tolist() == [False, True, False] and values.dtype == np.float64


def test_reads_a_comparison(tmp_path):
    comparison = load(tmp_path, results.comparison(16))
    assert comparison.baseline == "nocache" and list(comparison.results) == ["nocache", "fletch"]
    assert comparison.gains["fletch"]["throughput_ops_per_s"] == recirc.Gain(0.6, 0.01, 2)
    assert comparison.gains["nocache"] == {}
    assert comparison.results["nocache"].summary["switch_hit_ratio"] == 0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "comparison"}', "\ud800"])
def test_refuses_what_is_no_result(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises((recirc.ConfigError, recirc.InputOutputError), match="a.json"):
        recirc.load(path)


def test_a_missing_file_is_an_input_output_error(tmp_path):
    with pytest.raises(recirc.InputOutputError, match="nowhere"):
        recirc.load(tmp_path / "nowhere.json")


def test_reads_without_the_compiled_module(tmp_path):
    path = results.write(tmp_path / "result.json", results.result())
    code = ("import sys; sys.modules['recirc._recirc'] = None; import recirc; "
            f"print(recirc.load({str(path)!r}).system)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("fletch\n", "")
