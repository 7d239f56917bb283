// Prints what Java answers for the hash code of a string: `java names.java > FILE`, then names.py.
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

class Names {
    static void print(Object what, byte[] message) {
        var hash = new String(message, StandardCharsets.ISO_8859_1).hashCode();
        System.out.printf("java-hashcode %s %08x java-%s%n", what, hash,
            System.getProperty("java.version"));
    }

    public static void main(String[] arguments) {
        print("check", "123456789".getBytes());
        var swept = new byte[4 * 4096];
        for (int n = 0; n < 4096; n++) {
            var message = new byte[n];
            for (int i = 0; i < n; i++) message[i] = (byte) (i % 251);
            var hash = new String(message, StandardCharsets.ISO_8859_1).hashCode();
            for (int i = 0; i < 4; i++) swept[4 * n + i] = (byte) (hash >> (24 - 8 * i));
        }
        print("sweep", swept);
        var some = IntStream.of(511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191,
            8192, 65543);
        IntStream.concat(IntStream.range(0, 301), some).forEach(n -> {
            var message = new byte[n];
            for (int i = 0; i < n; i++) message[i] = (byte) (i * 131 + 17 * n + (i >> 8));
            print(n, message);
        });
    }
}
