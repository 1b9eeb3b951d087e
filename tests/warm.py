"""Imported once, by the process that servers are forked from: the templates of all letters
are compiled there, not anew after every start."""

from pbem.letters import templates

_environment = templates.built_in()
for _name in _environment.list_templates():
    _environment.get_template(_name)
