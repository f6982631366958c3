# Tries to load a picture from the summary. Safe: 0, failed.
printf '![x](http://127.0.0.1/x)\n</details>\n| a | b |\n```\n[x](javascript:alert(1))\n@everyone\n'
