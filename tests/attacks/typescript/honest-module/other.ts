export function total(n: number): number {
    return n * (n + 1) / 2;
}
