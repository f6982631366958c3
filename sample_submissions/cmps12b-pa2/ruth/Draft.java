// A first try, which the Makefile does not build.
class Draft {

   static boolean attacks(int i, int j, int k, int l) {
      return i == k || j == l || Math.abs(i - k) == Math.abs(j - l);
   }
}
