"""Flink on one machine: a JobManager, TaskManagers and Beam's job server, from nothing.

    python templates/flink/flink.py [--task-managers 2 | --local] [--work FOLDER] -- pipelines/warc_to_xml.py --input ...

fetches Flink and builds the job server (once, into `.cache/`), starts everything on the loopback address, runs the
pipeline with the options that lead it there, waits for it, and takes everything down. The exit status is the pipeline's.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cluster import (
    CACHE,
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

# The newest Flink for which a Beam runner is published with all that it needs; the job server's pom names the runner.
FLINK_VERSION = "1.19.3"

# Flink refuses to start with less than about this; the pages are in the Python workers, not in these processes.
JOB_MANAGER_MEMORY = "768m"
TASK_MANAGER_MEMORY = "1024m"

# Jobs of minutes: the first compiler only and the plain collector halve the CPU time of a cluster's life.
SHORT_LIVED_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

# A lost TaskManager is noticed after this many milliseconds (Flink's own value is 50 s).
HEARTBEAT_TIMEOUT = 10_000

# A batch job starts again this often; Beam's own option for it is heeded in streaming jobs only.
RESTARTS = 3

# Milliseconds. Python workers outlive their stage by the first, so that the next stage finds them. A worker that ended
# by itself is found, too; so a failed job waits for the second, by when they are forgotten.
CACHED_WORKERS = 4_000
RESTART_DELAY = 8_000

CONFIG = """
jobmanager.rpc.address: {host}
jobmanager.rpc.port: {rpc}
jobmanager.bind-host: {host}
jobmanager.memory.process.size: {job_manager_memory}
jobmanager.execution.failover-strategy: region
rest.address: {host}
rest.bind-address: {host}
rest.port: {rest}
blob.server.port: "{blob}"
taskmanager.host: {host}
taskmanager.bind-host: {host}
taskmanager.numberOfTaskSlots: {slots}
taskmanager.memory.process.size: {task_manager_memory}
taskmanager.memory.managed.size: 128m
taskmanager.memory.network.min: 64m
taskmanager.memory.network.max: 64m
taskmanager.memory.jvm-metaspace.size: 192m
heartbeat.interval: 2000
heartbeat.timeout: {heartbeat}
parallelism.default: 1
classloader.resolve-order: parent-first
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: {restarts}
restart-strategy.fixed-delay.delay: {restart_delay} ms
io.tmp.dirs: {temporary}
web.tmpdir: {temporary}
env.java.opts.all: {java_options}
"""

JOB_SERVER_LOG = """
rootLogger.level = INFO
rootLogger.appenderRef.console.ref = console
appender.console.name = console
appender.console.type = CONSOLE
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss} %-5p %c - %m%n
"""


def flink_home() -> Path:
    """Flink laid out as its own archive is (bin, conf, lib, plugins), with Beam's runner in its lib folder."""
    home = CACHE / f"flink-{FLINK_VERSION}"
    jar = build_job_server("flink", Path(__file__).with_name("pom.xml"))
    if not home.is_dir():
        jars = fetch_distribution("apache-flink-libraries", FLINK_VERSION) / "deps"
        scripts = fetch_distribution("apache-flink", FLINK_VERSION) / "pyflink"
        unfinished = home.with_name(home.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(scripts / "bin", unfinished / "bin")
        shutil.copytree(scripts / "conf", unfinished / "conf")
        shutil.copy(jars / "bin" / "bash-java-utils.jar", unfinished / "bin")
        (jars / "lib").rename(unfinished / "lib")
        (jars / "plugins").rename(unfinished / "plugins")
        for script in (unfinished / "bin").iterdir():
            script.chmod(0o755)
        unfinished.rename(home)
        shutil.rmtree(jars.parent)
        shutil.rmtree(scripts.parent)
    runner = home / "lib" / "beam-runner.jar"
    runner.unlink(missing_ok=True)
    runner.symlink_to(jar)
    return home


def java_options(home: Path) -> str:
    """The flags of every JVM: those that Flink's own configuration has for Java 17, and ours."""
    for line in (home / "conf" / "config.yaml").read_text(encoding="utf-8").splitlines():
        name, _, value = line.strip().partition(":")
        if name == "all":
            return f"{value.strip()} {SHORT_LIVED_JVM}"
    raise ValueError(f"no Java options in {home / 'conf' / 'config.yaml'}")


def log_settings(work: Path) -> Path:
    """Log settings of the job server."""
    settings = work / "job-server-log.properties"
    settings.write_text(JOB_SERVER_LOG, encoding="utf-8")
    return settings


@dataclass(frozen=True)
class Flink:
    """A running cluster and its job server.

    Attributes:
        options: Pipeline options that send a pipeline here.
        processes: What runs: `job-manager`, `task-manager-0` ..., `job-server`.
        rest: Port of the JobManager's REST interface and page; None for Flink inside the job server.
        home: Flink's folder.
        env: What Flink's scripts need in their environment.
    """

    options: list[str]
    processes: Processes
    rest: int | None
    home: Path
    env: Mapping[str, str]

    def start_task_manager(self, number: int) -> None:
        """Starts the TaskManager `task-manager-NUMBER`."""
        script = self.home / "bin" / "taskmanager.sh"
        self.processes.start(f"task-manager-{number}", [script, "start-foreground"], self.env)

    def slots(self) -> int:
        """Task slots of the TaskManagers that are known to the JobManager now."""
        overview = get_json(f"http://{HOST}:{self.rest}/overview")
        return int(overview["slots-total"]) if overview else 0


@contextlib.contextmanager
def flink_cluster(work: Path, task_managers: int = 2, slots: int = 1, restarts: int = RESTARTS) -> Iterator[Flink]:
    """Starts Flink and Beam's job server on this machine and stops them at the end.

    Args:
        work: Folder for logs, staged files and temporary data.
        task_managers: TaskManager processes; 0 runs Flink inside the job server (`[local]`).
        slots: Task slots per TaskManager; each busy slot feeds one Python worker.
        restarts: How often a job that failed begins anew.
    """
    home = flink_home()
    rest, rpc, blob, job, artifact, expansion = free_ports(6)
    with Processes(work / "logs") as processes:
        flink = Flink(
            options=[
                "--runner=PortableRunner",
                f"--job_endpoint={HOST}:{job}",
                f"--parallelism={task_managers * slots or 2}",
                # The runner is in Flink's lib folder. Sent along with each job it would be loaded anew for each, and
                # the Python workers started anew for each stage.
                f"--files_to_stage={empty_jar(work)}",
                *worker_environment(work, CACHED_WORKERS),
            ],
            processes=processes,
            rest=rest if task_managers else None,
            home=home,
            env=_configure(home, work, rest=rest, rpc=rpc, blob=blob, slots=slots, restarts=restarts),
        )
        if task_managers:
            processes.start("job-manager", [home / "bin" / "jobmanager.sh", "start-foreground"], flink.env)
            for number in range(task_managers):
                flink.start_task_manager(number)
            processes.wait_until("job-manager", lambda: flink.slots() == task_managers * slots)
        # fmt: off
        processes.start(
            "job-server",
            ["java", "-Xmx512m", *java_options(home).split(), f"-Dlog4j.configurationFile={log_settings(work)}",
             "-cp", f"{home}/lib/*", "org.apache.beam.runners.flink.FlinkJobServerDriver",
             "--flink-master", f"{HOST}:{rest}" if task_managers else "[local]",
             "--job-host", HOST, "--job-port", str(job), "--artifact-port", str(artifact),
             "--expansion-port", str(expansion), "--artifacts-dir", str(work / "artifacts")],
        )
        # fmt: on
        processes.wait_for_port("job-server", job)
        yield flink


def _configure(home: Path, work: Path, *, rest: int, rpc: int, blob: int, slots: int, restarts: int) -> dict[str, str]:
    """Writes the configuration and returns what Flink's scripts need in their environment to find it."""
    conf = work / "conf"
    shutil.copytree(home / "conf", conf, dirs_exist_ok=True)
    (work / "tmp").mkdir(exist_ok=True)
    settings = CONFIG.format(
        host=HOST,
        rest=rest,
        rpc=rpc,
        blob=blob,
        slots=slots,
        job_manager_memory=JOB_MANAGER_MEMORY,
        task_manager_memory=TASK_MANAGER_MEMORY,
        heartbeat=HEARTBEAT_TIMEOUT,
        restarts=restarts,
        restart_delay=RESTART_DELAY,
        temporary=work / "tmp",
        java_options=java_options(home),
    )
    (conf / "config.yaml").write_text(settings, encoding="utf-8")
    return {
        "FLINK_HOME": str(home),
        "FLINK_CONF_DIR": str(conf),
        "FLINK_LOG_DIR": str(work / "logs"),
        "FLINK_PID_DIR": str(work / "tmp"),
    }


def main() -> int:
    """The command line; returns the pipeline's exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task-managers", type=int, default=2, help="TaskManager processes (default 2)")
    parser.add_argument("--slots", type=int, default=1, help="task slots per TaskManager (default 1)")
    parser.add_argument("--local", action="store_true", help="run Flink inside the job server instead")
    parser.add_argument("--work", type=Path, help="keep logs and staged files in this folder")
    parser.add_argument("pipeline", nargs="+", help="the pipeline's script and its options, after --")
    given = parser.parse_args()
    with (
        work_folder(given.work, "flink-") as work,
        flink_cluster(work, 0 if given.local else given.task_managers, given.slots) as flink,
    ):
        return run_pipeline(given.pipeline, flink.options)


if __name__ == "__main__":
    sys.exit(main())
