"""Style tools in a spec: the files that they need."""

from collections.abc import Sequence

from grader.core.yaml.nodes import Node, Scalar, entries_of


def own_config_files(node: Node) -> Sequence[str]:
    """Return the file of the course that is the `config` of a tool; None for other words, which name a style."""
    style = entries_of(node).get("style")
    config = entries_of(style).get("config") if style else None
    is_file = isinstance(config, Scalar) and ("." in config.text or "/" in config.text)
    return (config.text,) if isinstance(config, Scalar) and is_file else ()
