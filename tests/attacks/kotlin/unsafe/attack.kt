// Tries to write to memory that is nobody's. Safe: 0, crashed or failed.
fun main() {
    val field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe")
    field.isAccessible = true
    (field.get(null) as sun.misc.Unsafe).putLong(4096L, 1L)
    println("held")
}
