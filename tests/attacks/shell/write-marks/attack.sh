# Tries to write its own marks. Safe: 0, failed.
for f in grades.csv grades.db summary.md; do echo "write-marks,10" > "$ROOM/out/shell/$f"; done; mkdir -p "$ROOM/out/shell/write-marks"; echo "{}" > "$ROOM/out/shell/write-marks/report.json"
