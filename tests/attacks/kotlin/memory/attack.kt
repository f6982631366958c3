// Tries to take all memory from Kotlin. Safe: 0, memory or crashed or failed or timeout.
fun main(args: Array<String>) {
    val kept = ArrayList<ByteArray>()
    for (number in 1..4000) kept.add(ByteArray(1 shl 20) { 1 })
    println(kept.size)
}
