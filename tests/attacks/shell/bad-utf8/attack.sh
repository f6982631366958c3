# Tries to break what reads UTF-8. Safe: 0, failed.
printf '\377\376\300\200\355\240\200\364\220\200\200\357\277\276\357\277\277'
