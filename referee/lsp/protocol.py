"""The border of the protocol: every request is answered, and no answer shows the inside of the server."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from typing import Any, cast

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage

from referee.lsp import texts
from rulespec import visible

LOG = logging.getLogger(__name__)


class RuleProtocol(LanguageServerProtocol):
    """Reads a message only when its number is known, so that one that makes no sense can be answered, too."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return an object of a message as it came: `handle_message` reads the whole."""
        return data

    def handle_message(self, message: Any) -> None:
        """Do what a message asks for. What makes no sense is refused; if nobody waits for an answer, it is only logged."""
        try:
            read = self._read(message)
        except JsonRpcException as refused:
            LOG.warning("%s", refused.message)
            number = message.get("id") if isinstance(message, dict) else None
            if not isinstance(message, dict) or "id" in message:
                self.refuse(number if _is_number(number) else None, refused)
            return
        super().handle_message(read)

    def refuse(self, number: int | str | None, error: JsonRpcException) -> None:
        """Answer a request with an error; without its number, which the protocol provides for, if that cannot be read."""
        self._send_response(cast(int | str, number), error=error.to_response_error())

    def _read(self, message: Any) -> Any:
        """Return a message as the protocol has it. Raise JsonRpcException for one that makes no sense, or not now."""
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest(texts.NO_MESSAGE)
        if "id" in message and not _is_number(message["id"]):
            raise JsonRpcInvalidRequest(texts.NO_MESSAGE)
        if "method" not in message:
            return super().structure_message(message)
        method = message["method"]
        if not isinstance(method, str):
            raise JsonRpcInvalidRequest(texts.NO_MESSAGE)
        begun = self._workspace is not None
        if not begun and method not in (lsp.INITIALIZE, lsp.EXIT):
            raise JsonRpcServerNotInitialized(texts.NOT_BEGUN)
        if begun and method == lsp.INITIALIZE:
            raise JsonRpcInvalidRequest(texts.BEGUN_TWICE)
        if self._shutdown and method != lsp.EXIT:
            raise JsonRpcInvalidRequest(texts.ENDED)
        unknown = JsonRPCRequestMessage if "id" in message else JsonRPCNotification
        kind = self.get_message_type(method) or unknown
        try:
            return self._converter.structure({"params": None, **message}, kind)
        except Exception:  # the converter raises whatever the bad value led to
            raise JsonRpcInvalidParams(texts.BAD_PARAMS.format(method=visible(method))) from None

    def _check_handler_result(self, future: Future[Any]) -> None:
        """Log why a notification failed."""
        if not future.cancelled() and (fault := future.exception()):
            LOG.error("a notification failed", exc_info=fault)

    def _send_response(self, msg_id: int | str, result: Any = None, error: lsp.ResponseError | None = None) -> None:
        if error is not None and error.code == JsonRpcInternalError.CODE:  # it has a traceback, which is in the log
            error = lsp.ResponseError(error.code, texts.INTERNAL)
        super()._send_response(msg_id, result, error)


def _is_number(value: object) -> bool:
    """Return whether a value can be the number of a request, which may also be a text."""
    return isinstance(value, int | str) and not isinstance(value, bool)
