"""The shards of a plan on Spark executors, compared with one plain run. See check-spark."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pyspark
from pyspark.sql import SparkSession

riffle, scratch = os.environ["RIFFLE"], os.environ["SCRATCH"]
search = ["unicode", "letter", "--set", "server=" + os.environ["SERVER"]]


def lines(*words):
    return subprocess.run([riffle, *words], check=True, capture_output=True, text=True).stdout.splitlines()


def kill_executor_once(number, rows):
    """Passes rows through; in partition 3, kills the process of the executor after ten rows, once."""
    for count, row in enumerate(rows):
        if number == 3 and count == 10:
            try:
                os.close(os.open(scratch + "/killed", os.O_CREAT | os.O_EXCL))
                # This worker was forked by a daemon that the executor has started.
                with open(f"/proc/{os.getppid()}/stat") as stat:
                    executor = int(stat.read().rsplit(")", 1)[1].split()[1])
                os.kill(executor, signal.SIGKILL)
                time.sleep(60)
            except FileExistsError:
                pass
        yield row


def check(name, expected, rows):
    if sorted(rows) != sorted(expected):
        sys.exit(f"{name}: {len(rows)} rows, expected {len(expected)}")


start = time.monotonic()
expected = [json.loads(line)["code_point"] for line in lines("search", *search, "--all", "-q", "-f", "jsonl")]
plan = lines("plan", *search, "--shards", "8", "--json")
command = shlex.join([riffle, "search", "--shard-from-stdin", "-q", "-f", "jsonl"])
print(f"one run: {len(expected)} rows; {len(plan)} shards; {time.monotonic() - start:.1f} s", flush=True)

spark = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    .config("spark.executor.memory", "768m")
    .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.local.dir", scratch).config("spark.worker.cleanup.enabled", "true")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
print(f"pyspark {pyspark.__version__}: {time.monotonic() - start:.1f} s", flush=True)


def shards(plan, parts=None):
    return spark.sparkContext.parallelize(plan, parts or len(plan)).pipe(command, checkCode=True)


frame = spark.read.json(shards(plan))
check("all shards", expected, [row.code_point for row in frame.select("code_point").collect()])
# More parts than shards: some have no input.
check("empty parts", expected, [json.loads(row)["code_point"] for row in shards(plan, 12).collect()])
print(f"equal rows: {time.monotonic() - start:.1f} s", flush=True)

rows = shards(plan).mapPartitionsWithIndex(kill_executor_once).collect()
check("an executor killed", expected, [json.loads(row)["code_point"] for row in rows])
if not os.path.exists(scratch + "/killed"):
    sys.exit("no executor was killed")
print(f"equal rows although an executor was killed: {time.monotonic() - start:.1f} s", flush=True)

try:
    shards(["{}"]).collect()
    sys.exit("a shard that is none did not fail")
except Exception as error:
    if "exited with" not in str(error) and "status" not in str(error):
        raise
print(f"a bad shard fails its task: {time.monotonic() - start:.1f} s", flush=True)
spark.stop()
