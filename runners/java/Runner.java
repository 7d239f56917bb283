// hashdyno's runner for Java: java.security.MessageDigest and java.util.zip. The protocol: docs/PROTOCOL.md.

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

public class Runner {
    static final int MAX_PAYLOAD = 1 << 30;
    static final Pattern JOB = Pattern.compile("job (\\S+) (\\S+) len=(\\d{1,10})((?: \\S+)*)");
    static final Pattern RUN = Pattern.compile("run (\\d{1,18})");

    /** Our name, and Java's. */
    static final Map<String, String> DIGESTS = new TreeMap<>(Map.ofEntries(
        Map.entry("md2", "MD2"), Map.entry("md5", "MD5"), Map.entry("sha1", "SHA-1"), Map.entry("sha224", "SHA-224"),
        Map.entry("sha256", "SHA-256"), Map.entry("sha384", "SHA-384"), Map.entry("sha512", "SHA-512"),
        Map.entry("sha512-224", "SHA-512/224"), Map.entry("sha512-256", "SHA-512/256"), Map.entry("sha3-224", "SHA3-224"),
        Map.entry("sha3-256", "SHA3-256"), Map.entry("sha3-384", "SHA3-384"), Map.entry("sha3-512", "SHA3-512")));
    static final Map<String, Supplier<Checksum>> CHECKSUMS =
        new TreeMap<>(Map.of("adler32", Adler32::new, "crc32b", CRC32::new, "crc32c", CRC32C::new));

    /** What is done over and over. A class for each way, so that its loop is compiled by itself. */
    interface Job {
        byte[] run(long calls) throws Exception;
    }

    record Empty() implements Job {
        public byte[] run(long calls) {
            for (long i = 0; i < calls; i++);
            return new byte[0];
        }
    }

    record Digest(MessageDigest digest, byte[] message) implements Job {
        public byte[] run(long calls) {
            byte[] answer = null;
            for (long i = 0; i < calls; i++) answer = digest.digest(message);
            return answer;
        }
    }

    record Sum(Checksum checksum, byte[] message) implements Job {
        public byte[] run(long calls) {
            long answer = 0;
            for (long i = 0; i < calls; i++) {
                checksum.reset();
                checksum.update(message, 0, message.length);
                answer = checksum.getValue();
            }
            return ByteBuffer.allocate(4).putInt((int) answer).array();
        }
    }

    static Job job(String line, InputStream input) throws IOException, NoSuchAlgorithmException {
        if (line.equals("job empty")) return new Empty();
        Matcher words = JOB.matcher(line);
        if (!words.matches() || Long.parseLong(words.group(3)) > MAX_PAYLOAD) {
            throw new IllegalArgumentException("not understood, or len is not a number of bytes up to " + MAX_PAYLOAD + ": " + line);
        }
        int length = Integer.parseInt(words.group(3));
        byte[] message = input.readNBytes(length);
        if (message.length != length) {
            System.err.println("the input ends in the middle of the payload");
            System.exit(1);
        }
        String name = words.group(2), how = words.group(4);
        if (words.group(1).equals("digest") && (how.isEmpty() || how.equals(" impl=java"))) {
            if (DIGESTS.containsKey(name)) return new Digest(MessageDigest.getInstance(DIGESTS.get(name)), message);
            if (CHECKSUMS.containsKey(name)) return new Sum(CHECKSUMS.get(name).get(), message);
        }
        throw new IllegalArgumentException("cannot do: " + line);
    }

    static String listing() {
        StringBuilder lines = new StringBuilder();
        CHECKSUMS.keySet().forEach(name -> lines.append("digest ").append(name).append(" java\n"));
        DIGESTS.forEach((ours, theirs) -> {
            try {
                MessageDigest.getInstance(theirs);
                lines.append("digest ").append(ours).append(" java\n");
            } catch (NoSuchAlgorithmException missing) {
                // It is not offered.
            }
        });
        return lines + "end";
    }

    static String ready(Job job) throws Exception {
        StringBuilder hex = new StringBuilder();
        for (byte part : job.run(1)) hex.append(String.format("%02x", part));
        return "ready " + (hex.length() == 0 ? "-" : hex);
    }

    /** Until its loop is compiled: what an interpreter takes is nobody's question. */
    static void warm(Job job) throws Exception {
        long end = System.nanoTime() + 50_000_000;
        for (long calls = 1; System.nanoTime() < end; calls = Math.min(2 * calls, 4096)) job.run(calls);
    }

    static String ran(Job job, long calls) throws Exception {
        long begin = System.nanoTime();
        job.run(calls);
        return "ran " + (System.nanoTime() - begin);
    }

    /** The next line without its end; null where the input ends. */
    static String line(InputStream input) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) return null;
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    static void say(String text) {
        System.out.print(text + "\n");
        System.out.flush();
    }

    static String fact(String property) {
        return System.getProperty(property, "unknown").replace("%", "%25").replace(" ", "%20");
    }

    public static void main(String[] arguments) throws IOException {
        say("runner 1 java " + fact("java.version") + " vm=" + fact("java.vm.name") + " build=" + fact("java.vm.version")
            + " path=" + fact("java.home"));
        InputStream input = new BufferedInputStream(System.in);
        Job current = null;
        for (String line = line(input); line != null; line = line(input)) {
            try {
                Matcher run = RUN.matcher(line);
                if (line.equals("list")) {
                    say(listing());
                } else if (line.startsWith("job ")) {
                    current = null;
                    Job candidate = job(line, input);
                    String reply = ready(candidate);
                    warm(candidate);
                    current = candidate;
                    say(reply);
                } else if (current != null && line.equals("again")) {
                    say(ready(current));
                } else if (current != null && run.matches()) {
                    say(ran(current, Long.parseLong(run.group(1))));
                } else {
                    throw new IllegalArgumentException("no job, or not understood: " + line);
                }
            } catch (Exception error) {
                say("error " + String.valueOf(error.getMessage()).replaceAll("\\s+", " "));
            }
        }
    }
}
