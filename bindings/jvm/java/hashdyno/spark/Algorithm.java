package hashdyno.spark;

import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.Platform;

/** A digest as this process has it. */
final class Algorithm {
    /** Where the library has it. */
    final long address;

    /** How many bytes a digest has. */
    final int digestLen;

    Algorithm(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        long copy = Platform.allocateMemory(Math.max(bytes.length, 1));
        Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET, null, copy, bytes.length);
        address = Native.find(copy, bytes.length);
        Platform.freeMemory(copy);
        if (address == 0) {
            throw new IllegalArgumentException(
                    "no algorithm is called '" + name
                            + "', expected a name such as sha256 or xxh3");
        }
        digestLen = Native.digestLen(address);
    }
}
