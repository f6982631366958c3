"""Write what is generated."""

from docs.generate import COMPLETIONS, PAGES, ROOT

for name, make in {**PAGES, **COMPLETIONS}.items():
    (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
    (ROOT / name).write_text(make(), encoding="utf-8")
    print(name)
