"""Write the generated pages."""

from docs.generate import FOLDER, PAGES

for name, make in PAGES.items():
    (FOLDER / name).write_text(make(), encoding="utf-8")
    print(FOLDER / name)
