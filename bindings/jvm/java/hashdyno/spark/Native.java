package hashdyno.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The library's functions, by addresses of memory outside of the heap: src/lib.rs has their
 * conditions. The library lies in the jar, for one system and CPU. */
final class Native {
    static {
        load();
    }

    private Native() {}

    static native long find(long name, int len);

    static native int digestLen(long algorithm);

    static native boolean digest(
            long algorithm, long data, long offsets, int count, long digests, long hex);

    private static void load() {
        String system = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
        String name = system.replace(' ', '_') + "/libhashdyno_jvm";
        try (InputStream library = Native.class.getResourceAsStream(name)) {
            if (library == null) {
                throw new UnsatisfiedLinkError(
                        "hashdyno's jar has no library for " + system
                                + "\nhint: build the jar there, by make bindings-spark");
            }
            // Only a file can be loaded. Its name is not needed any more afterwards.
            Path file = Files.createTempFile("hashdyno", ".library");
            try {
                Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
                System.load(file.toString());
            } finally {
                Files.delete(file);
            }
        } catch (IOException error) {
            throw new UnsatisfiedLinkError("hashdyno cannot write its library: " + error);
        }
    }
}
