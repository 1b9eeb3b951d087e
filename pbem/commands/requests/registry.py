"""All commands besides turns, by their canonical word."""

from pbem.commands.requests import asking, plans, settings, tables, talk
from pbem.commands.requests.base import Request

REQUESTS: dict[str, Request] = {
    request.command: request
    for module in (asking, talk, plans, tables, settings)
    for request in module.REQUESTS
}
