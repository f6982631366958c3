// Tries to load a library of the system and jump into it. Safe: 0, crashed or failed.
external fun harm(): Int

fun main() {
    System.load("/proc/self/exe")
    println("harm: " + harm())
}
