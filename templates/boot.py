"""Starts one Python worker where a runner asks for it: the command of Beam's PROCESS environment.

The runner gives an id and the addresses of its services; the provision service tells the pipeline's options and the
addresses to use. Beam's own boot program, made for containers, installs staged packages first; here the package is
installed already, in the environment of the interpreter that runs this file.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

import grpc
from apache_beam.portability.api import beam_provision_api_pb2, beam_provision_api_pb2_grpc, endpoints_pb2
from google.protobuf import json_format, text_format


def environment(worker_id: str, provision: str, logging: str, control: str) -> dict[str, str]:
    """The environment variables that `apache_beam.runners.worker.sdk_worker_main` reads.

    Args:
        worker_id: The name under which the runner knows this worker.
        provision: Address of the provision service, `host:port`.
        logging: Address of the logging service, used where the provision service names none.
        control: Address of the control service, likewise.
    """
    with grpc.insecure_channel(provision) as channel:
        stub = beam_provision_api_pb2_grpc.ProvisionServiceStub(channel)
        request = beam_provision_api_pb2.GetProvisionInfoRequest()
        info = stub.GetProvisionInfo(request, metadata=(("worker_id", worker_id),), timeout=60).info
    services = {
        "LOGGING_API_SERVICE_DESCRIPTOR": info.logging_endpoint.url or logging,
        "CONTROL_API_SERVICE_DESCRIPTOR": info.control_endpoint.url or control,
    }
    variables = {name: text_format.MessageToString(endpoints_pb2.ApiServiceDescriptor(url=url)) for name, url in services.items()}
    if info.status_endpoint.url:
        variables["STATUS_API_SERVICE_DESCRIPTOR"] = text_format.MessageToString(info.status_endpoint)
    return {
        **variables,
        "WORKER_ID": worker_id,
        "PIPELINE_OPTIONS": json_format.MessageToJson(info.pipeline_options),
        "RUNNER_CAPABILITIES": " ".join(info.runner_capabilities),
        # No main session is staged here; a folder that holds none says so.
        "SEMI_PERSISTENT_DIRECTORY": tempfile.gettempdir(),
    }


def main() -> None:
    """Reads the runner's flags, then becomes the worker."""
    parser = argparse.ArgumentParser(description=__doc__)
    for flag in ("id", "provision_endpoint", "logging_endpoint", "control_endpoint", "artifact_endpoint"):
        parser.add_argument(f"--{flag}", default="")
    given, _ = parser.parse_known_args()
    variables = environment(given.id, given.provision_endpoint, given.logging_endpoint, given.control_endpoint)
    module = "apache_beam.runners.worker.sdk_worker_main"
    os.execve(sys.executable, [sys.executable, "-m", module], {**os.environ, **variables})


if __name__ == "__main__":
    main()
