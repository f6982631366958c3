"""`grader schema`: the JSON Schema of the spec language."""

from pathlib import Path

import click


@click.command()
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Write it there instead of printing it.")
@click.option("--path", "where", is_flag=True, help="Print where the schema is that came with this grader.")
def schema(out: Path | None, where: bool) -> None:
    """Print the JSON Schema of specs, for completion, hover texts and checks in an editor.

    Editors with the YAML language server take it from the first line of a spec:

    \b
      # yaml-language-server: $schema=spec.schema.json
    """  # noqa: D301 - click takes the control character as "keep these lines"
    from grader.errors import HostError
    from grader.load.json_schema import FILE, schema_text

    if where:
        click.echo(FILE)
    elif out is None:
        click.echo(schema_text(), nl=False)
    else:
        try:
            out.write_text(schema_text(), encoding="utf-8")
        except OSError as error:
            raise HostError(f"cannot write {out}: {error.strerror}") from error
