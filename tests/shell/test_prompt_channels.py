"""A learner's server sends every message to the browser at once."""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
from traitlets.config.loader import PyFileConfigLoader

from shell.places import QUIET_LAB


def test_the_connection_to_the_browser_does_not_wait_for_acknowledgements(monkeypatch):
    config = PyFileConfigLoader("jupyter_server_config.py", path=str(QUIET_LAB)).load_config()
    connection_class = config.ServerApp.kernel_websocket_connection_class
    asked = []
    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "connect", lambda self: asked.append("connected"))
    handler = KernelWebsocketHandler.__new__(KernelWebsocketHandler)
    monkeypatch.setattr(handler, "set_nodelay", asked.append)
    connection = connection_class(websocket_handler=handler)
    connection.connect()
    assert asked == [True, "connected"]
