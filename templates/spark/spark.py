"""Spark on one machine: a standalone master, workers and Beam's job server, from nothing.

    python templates/spark/spark.py [--executors 2 | --local] [--work FOLDER] -- pipelines/warc_to_xml.py --input ...

fetches Spark and builds the job server (once, into `.cache/`), starts everything on the loopback address, runs the
pipeline with the options that lead it there, waits for it, and takes everything down. The exit status is the pipeline's.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cluster import (
    HOST,
    Processes,
    build_job_server,
    empty_jar,
    fetch_distribution,
    free_ports,
    get_json,
    run_pipeline,
    work_folder,
    worker_environment,
)

# The job server is Spark's driver and takes Spark's classes from this distribution, so that both sides are one version.
SPARK_VERSION = "3.5.5"

EXECUTOR_MEMORY = "512m"

# How often a task is tried; Spark's own value.
TRIES = 4

# How the output of a step that several others use is kept: twice, so that an executor that is lost takes no output along.
# The step would run again and count again; documents are the same either way. These outputs are names of files.
STORAGE_LEVEL = "MEMORY_AND_DISK_2"

# Milliseconds for which a Python worker outlives its task. Spark tries a failed task again at once: where the worker died,
# the next try would find it dead, and so would all the others. So each task starts its own, in 3 s of CPU time.
CACHED_WORKERS = 0

# What Spark's own launcher gives its JVMs on Java 17 (org.apache.spark.launcher.JavaModuleOptions).
JAVA_OPTIONS = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    *(
        f"--add-opens=java.base/{package}=ALL-UNNAMED"
        for package in (
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "jdk.internal.ref",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar",
        )
    ),
    "-Djdk.reflect.useDirectMethodHandle=false",
]

# Jobs of minutes: the first compiler only and the plain collector halve the CPU time of a cluster's life.
SHORT_LIVED_JVM = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def spark_home() -> Path:
    """Spark's bin and jars, from its Python distribution."""
    home = fetch_distribution("pyspark", SPARK_VERSION) / "deps"
    # The sdist keeps the scripts' modes or not, as the unpacker likes.
    for script in (home / "bin").iterdir():
        script.chmod(0o755)
    return home


@dataclass(frozen=True)
class Spark:
    """A running cluster and its job server.

    Attributes:
        options: Pipeline options that send a pipeline here.
        processes: What runs: `master`, `worker-0` ..., `job-server`.
        web: Port of the master's page; None for Spark inside the job server.
    """

    options: list[str]
    processes: Processes
    web: int | None


@contextlib.contextmanager
def spark_cluster(work: Path, executors: int = 2, tries: int = TRIES) -> Iterator[Spark]:
    """Starts Spark and Beam's job server on this machine and stops them at the end.

    Args:
        work: Folder for logs, staged files and temporary data.
        executors: Workers, each with one executor of one core; 0 runs Spark inside the job server (`local[2]`).
        tries: How often a task is tried before the job fails.
    """
    home, jar = spark_home(), build_job_server("spark", Path(__file__).with_name("pom.xml"))
    port, web, job, artifact, expansion, *worker_pages = free_ports(5 + executors)
    settings = {
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.ui.enabled": "false",
        "spark.executor.cores": "1",
        "spark.executor.memory": EXECUTOR_MEMORY,
        # Sent along with each job, the runner would be loaded anew for each.
        "spark.executor.extraClassPath": str(jar),
        "spark.executor.extraJavaOptions": " ".join(SHORT_LIVED_JVM),
        "spark.local.dir": str(work / "tmp"),
        "spark.default.parallelism": str(executors or 2),
        "spark.task.maxFailures": str(tries),
        # Only this one serializes what Beam's runner gives it, for a copy or for the disk.
        "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    }
    (work / "tmp").mkdir(parents=True, exist_ok=True)
    with Processes(work / "logs") as processes:
        master = f"spark://{HOST}:{port}"
        if executors:
            _start_cluster(processes, home, work, port=port, web=web, worker_pages=worker_pages)
        # fmt: off
        processes.start(
            "job-server",
            ["java", "-Xmx768m", *SHORT_LIVED_JVM, *JAVA_OPTIONS, *(f"-D{name}={value}" for name, value in settings.items()),
             "-cp", f"{jar}:{home}/jars/*", "org.apache.beam.runners.spark.SparkJobServerDriver",
             "--spark-master-url", master if executors else "local[2]",
             "--job-host", HOST, "--job-port", str(job), "--artifact-port", str(artifact),
             "--expansion-port", str(expansion), "--artifacts-dir", str(work / "artifacts")],
            {"SPARK_LOCAL_IP": HOST},
        )
        # fmt: on
        processes.wait_for_port("job-server", job)
        yield Spark(
            options=[
                "--runner=PortableRunner",
                f"--job_endpoint={HOST}:{job}",
                f"--files_to_stage={empty_jar(work)}",
                f"--storage_level={STORAGE_LEVEL}",
                *worker_environment(work, CACHED_WORKERS),
            ],
            processes=processes,
            web=web if executors else None,
        )


def _start_cluster(processes: Processes, home: Path, work: Path, *, port: int, web: int, worker_pages: list[int]) -> None:
    env = {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": HOST,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": " ".join(SHORT_LIVED_JVM),
    }
    launch, package = home / "bin" / "spark-class", "org.apache.spark.deploy"
    # fmt: off
    processes.start(
        "master",
        [launch, f"{package}.master.Master", "--host", HOST, "--port", str(port), "--webui-port", str(web)], env,
    )
    for number, page in enumerate(worker_pages):
        processes.start(
            f"worker-{number}",
            [launch, f"{package}.worker.Worker", "--host", HOST, "--webui-port", str(page), "--cores", "1",
             "--memory", EXECUTOR_MEMORY, "--work-dir", str(work / f"worker-{number}"), f"spark://{HOST}:{port}"],
            env,
        )
    # fmt: on

    def all_workers() -> bool:
        state = get_json(f"http://{HOST}:{web}/json/")
        return bool(state) and state["aliveworkers"] == len(worker_pages)

    processes.wait_until("master", all_workers)


def main() -> int:
    """The command line; returns the pipeline's exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--executors", type=int, default=2, help="executors, of one core each (default 2)")
    parser.add_argument("--local", action="store_true", help="run Spark inside the job server instead")
    parser.add_argument("--work", type=Path, help="keep logs and staged files in this folder")
    parser.add_argument("pipeline", nargs="+", help="the pipeline's script and its options, after --")
    given = parser.parse_args()
    with (
        work_folder(given.work, "spark-") as work,
        spark_cluster(work, 0 if given.local else given.executors) as spark,
    ):
        return run_pipeline(given.pipeline, spark.options)


if __name__ == "__main__":
    sys.exit(main())
