fun main(args: Array<String>) {
    val n = args[0].toInt()
    println(Sum(n).value)
}

data class Sum(val n: Int) {
    val value: Int by lazy { (1..n).reduce { a, b -> a + b } }
}
