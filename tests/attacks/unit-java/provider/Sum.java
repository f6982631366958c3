// Tries to make the digest of the record by a provider of its own. Safe: 0, failed.
import java.security.*;
public class Sum {
    static {
        Security.insertProviderAt(new Evil(), 1);
        Security.removeProvider("SUN");
    }
    public static class Evil extends Provider {
        public Evil() {
            super("Evil", "1", "");
            put("MessageDigest.SHA-256", Digest.class.getName());
        }
    }
    public static class Digest extends MessageDigestSpi {
        protected void engineUpdate(byte input) { }
        protected void engineUpdate(byte[] input, int offset, int length) { System.arraycopy(new byte[length], 0, input, offset, length); }
        protected byte[] engineDigest() { return new byte[32]; }
        protected void engineReset() { }
    }

    public Sum(int number) {  }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
