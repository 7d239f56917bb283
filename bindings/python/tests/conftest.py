"""What several tests use."""

import pytest


@pytest.fixture(scope="session")
def s3():
    """A server with S3's interface: what fsspec needs to reach it."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield {"key": "k", "secret": "s", "endpoint_url": f"http://{host}:{port}"}
    server.stop()
