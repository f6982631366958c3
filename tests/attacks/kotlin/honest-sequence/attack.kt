fun main(args: Array<String>) {
    val n = args[0].toInt()
    println(generateSequence(1) { it + 1 }.take(n).fold(0) { a, b -> a + b })
}
