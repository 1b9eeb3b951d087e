"""All commands besides turns, by their canonical word."""

from pbem.commands.requests import asking, talk
from pbem.commands.requests.base import Request

REQUESTS: dict[str, Request] = {
    request.command: request for module in (asking, talk) for request in module.REQUESTS
}
