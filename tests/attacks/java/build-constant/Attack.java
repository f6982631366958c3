// Tries to take the compiler's memory by a constant that doubles. Safe: 0, build-failed.
class Attack {
    static final String A = "left-behind left-behind left-behind left-behind left-behind left-behind";
    static final String B = A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A;
    static final String C = B + B + B + B + B + B + B + B + B + B + B + B + B + B + B + B;
    static final String D = C + C + C + C + C + C + C + C + C + C + C + C + C + C + C + C;
    static final String E = D + D + D + D + D + D + D + D + D + D + D + D + D + D + D + D;
    static final String F = E + E + E + E + E + E + E + E + E + E + E + E + E + E + E + E;
    static final String G = F + F + F + F + F + F + F + F + F + F + F + F + F + F + F + F;

    public static void main(String[] args) {
        System.out.println(G.length());
    }
}
