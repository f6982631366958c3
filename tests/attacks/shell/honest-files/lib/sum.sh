sum() {
    python3 -c 'import sys; print(sum(range(int(sys.argv[1]) + 1)))' "$1"
}
