// Tries to name a file outside in the compiler's messages. Safe: 0, build-failed.
#line 1 "/etc/shadow"
class Attack {
    static void Main() { int harm = "text"; }
}
