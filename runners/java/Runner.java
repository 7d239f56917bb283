// hashdyno's runner for Java: java.security.MessageDigest, javax.crypto.Cipher and java.util.zip.
// The protocol: docs/PROTOCOL.md.

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

public class Runner {
    static final int MAX_PAYLOAD = 1 << 30;
    static final int MAX_SPELLED = 16 << 10;
    /** Whether jobs are verified only: then none is made warm. */
    static final boolean CHECKED = System.getenv("HASHDYNO_CHECK") != null;
    /** A name of ours, with what of it Java has. */
    static final Pattern CIPHER = Pattern.compile("aes-(128|192|256)-(ecb|cbc|ctr|gcm)");
    /**
     * What follows the name of a cipher: its direction, and after the length key and initialisation
     * vector.
     */
    static final Pattern KEYED = Pattern.compile("job cipher \\S+ (encrypt|decrypt) len=\\d+ "
        + "key=([0-9a-fA-F]+)(?: iv=([0-9a-fA-F]+))?");
    static final Pattern JOB = Pattern.compile(
        "job (\\S+)(?: (\\S+))?(?: (?:encrypt|decrypt))? len=(\\d{1,10})((?: \\S+)*)");
    static final Pattern MANY = Pattern.compile("job many (\\S+) lens=([\\d,]+)((?: \\S+)*)");
    static final Pattern RUN = Pattern.compile("run (\\d{1,18})");

    /** Our name, and Java's. */
    static final Map<String, String> DIGESTS = new TreeMap<>(Map.ofEntries(
        Map.entry("md2", "MD2"), Map.entry("md5", "MD5"), Map.entry("sha1", "SHA-1"),
        Map.entry("sha224", "SHA-224"), Map.entry("sha256", "SHA-256"),
        Map.entry("sha384", "SHA-384"), Map.entry("sha512", "SHA-512"),
        Map.entry("sha512-224", "SHA-512/224"), Map.entry("sha512-256", "SHA-512/256"),
        Map.entry("sha3-224", "SHA3-224"), Map.entry("sha3-256", "SHA3-256"),
        Map.entry("sha3-384", "SHA3-384"), Map.entry("sha3-512", "SHA3-512")));
    static final Map<String, Supplier<Checksum>> CHECKSUMS =
        new TreeMap<>(Map.of("adler32", Adler32::new, "crc32b", CRC32::new, "crc32c", CRC32C::new));

    /** What is done over and over. A class for each way, so that its loop is compiled by itself. */
    interface Job {
        byte[] run(long calls) throws Exception;

        /** The answer, of what a run gave. */
        default byte[] answer(byte[] given) {
            return given;
        }

        /** How many messages a call takes. */
        default int messages() {
            return 1;
        }

        /** Makes the next call one that gives the job's own answer. */
        default void begin() throws Exception {}
    }

    /**
     * The bare loop. Each turn stores its number: a compiler may neither leave out an opaque store
     * nor join it with the next.
     */
    record Empty(long[] turn) implements Job {
        static final VarHandle TURN = MethodHandles.arrayElementVarHandle(long[].class);

        public byte[] run(long calls) {
            for (long i = 0; i < calls; i++) TURN.setOpaque(turn, 0, i);
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

    /** Many messages, into an array of digests made before. */
    record Digests(MessageDigest digest, byte[][] message, byte[][] digests) implements Job {
        public byte[] run(long calls) {
            for (long i = 0; i < calls; i++) {
                for (int j = 0; j < message.length; j++) digests[j] = digest.digest(message[j]);
            }
            return null;
        }

        public byte[] answer(byte[] given) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (byte[] one : digests) all.writeBytes(one);
            return all.toByteArray();
        }

        public int messages() {
            return message.length;
        }
    }

    record Sums(Checksum checksum, byte[][] message, long[] sums) implements Job {
        public byte[] run(long calls) {
            for (long i = 0; i < calls; i++) {
                for (int j = 0; j < message.length; j++) {
                    checksum.reset();
                    checksum.update(message[j], 0, message[j].length);
                    sums[j] = checksum.getValue();
                }
            }
            return null;
        }

        public byte[] answer(byte[] given) {
            ByteBuffer all = ByteBuffer.allocate(4 * sums.length);
            for (long one : sums) all.putInt((int) one);
            return all.array();
        }

        public int messages() {
            return message.length;
        }
    }

    /**
     * The key is a SecretKeySpec that is kept; init() is given it with each initialisation vector,
     * there is no other way. In GCM it refuses to encrypt twice in a row with the same one, so
     * every second call takes another, and the first that of the job.
     */
    static final class Crypt implements Job {
        final javax.crypto.Cipher cipher;
        final int mode;
        final SecretKeySpec key;
        final AlgorithmParameterSpec[] parameters;
        final byte[] input;
        final byte[] output;
        int turn;

        Crypt(String mode, boolean encrypt, byte[] key, byte[] iv, byte[] input)
                throws GeneralSecurityException {
            boolean tagged = mode.equals("GCM");
            cipher = javax.crypto.Cipher.getInstance("AES/" + mode + "/NoPadding");
            this.mode = encrypt ? javax.crypto.Cipher.ENCRYPT_MODE
                : javax.crypto.Cipher.DECRYPT_MODE;
            this.key = new SecretKeySpec(key, "AES");
            byte[] other = iv.clone();
            if (tagged && encrypt) other[0] ^= 1;
            parameters = new AlgorithmParameterSpec[] {parameter(mode, iv), parameter(mode, other)};
            this.input = input;
            output = new byte[input.length + (tagged ? encrypt ? 16 : -16 : 0)];
        }

        static AlgorithmParameterSpec parameter(String mode, byte[] iv) {
            return mode.equals("ECB") ? null
                : mode.equals("GCM") ? new GCMParameterSpec(128, iv) : new IvParameterSpec(iv);
        }

        public byte[] run(long calls) throws GeneralSecurityException {
            for (long i = 0; i < calls; i++) {
                cipher.init(mode, key, parameters[turn]);
                cipher.doFinal(input, 0, input.length, output);
                turn ^= 1;
            }
            return output;
        }

        public void begin() throws GeneralSecurityException {
            if (turn == 1) run(1);
        }
    }

    static Job crypt(String name, String line, byte[] input) throws GeneralSecurityException {
        Matcher words = CIPHER.matcher(name), keyed = KEYED.matcher(line);
        if (!words.matches() || !keyed.matches())
            throw new IllegalArgumentException("cannot do: " + line);
        String mode = words.group(2).toUpperCase();
        byte[] key = HexFormat.of().parseHex(keyed.group(2)),
            iv = HexFormat.of().parseHex(keyed.group(3) == null ? "" : keyed.group(3));
        int wanted = mode.equals("ECB") ? 0 : mode.equals("GCM") ? 12 : 16;
        if (8 * key.length != Integer.parseInt(words.group(1)) || iv.length != wanted
                || input.length % 16 != 0) {
            throw new IllegalArgumentException(name + " wants other lengths");
        }
        return new Crypt(mode, keyed.group(1).equals("encrypt"), key, iv, input);
    }

    /** Opens a small file, reads it and closes it. */
    record Open(String path) implements Job {
        public byte[] run(long calls) throws IOException {
            byte[] piece = new byte[4096];
            int count = 0;
            for (long i = 0; i < calls; i++) {
                try (InputStream file = Files.newInputStream(Path.of(path))) {
                    count = file.read(piece);
                }
            }
            return Arrays.copyOf(piece, Math.max(count, 0));
        }
    }

    static Job job(String line, InputStream input) throws IOException, GeneralSecurityException {
        if (line.equals("job empty")) return new Empty(new long[1]);
        Matcher many = MANY.matcher(line);
        if (many.matches())
            return many(line, many.group(1), many.group(2).split(",", -1), many.group(3), input);
        Matcher words = JOB.matcher(line);
        if (!words.matches() || Long.parseLong(words.group(3)) > MAX_PAYLOAD) {
            throw new IllegalArgumentException(
                "not understood, or len is not a number of bytes up to " + MAX_PAYLOAD
                + ": " + line);
        }
        byte[] message = payload(input, Integer.parseInt(words.group(3)));
        String name = words.group(2), how = words.group(4);
        if (words.group(1).equals("digest") && (how.isEmpty() || how.equals(" impl=java"))) {
            if (DIGESTS.containsKey(name))
                return new Digest(MessageDigest.getInstance(DIGESTS.get(name)), message);
            if (CHECKSUMS.containsKey(name)) return new Sum(CHECKSUMS.get(name).get(), message);
        }
        if (words.group(1).equals("cipher") && name != null) return crypt(name, line, message);
        if (words.group(1).equals("open") && name == null && how.isEmpty())
            return new Open(new String(message, StandardCharsets.UTF_8));
        throw new IllegalArgumentException("cannot do: " + line);
    }

    /** A job of many messages; their lengths as words. */
    static Job many(String line, String name, String[] lengths, String how, InputStream input)
            throws IOException, GeneralSecurityException {
        long total = 0;
        for (String length : lengths)
            total += length.matches("\\d{1,10}") ? Long.parseLong(length) : MAX_PAYLOAD + 1L;
        if (total > MAX_PAYLOAD)
            throw new IllegalArgumentException("lens must be numbers of bytes, together up to "
                + MAX_PAYLOAD);
        byte[] bytes = payload(input, (int) total);
        byte[][] message = new byte[lengths.length][];
        for (int i = 0, at = 0; i < message.length; i++) {
            int end = at + Integer.parseInt(lengths[i]);
            message[i] = Arrays.copyOfRange(bytes, at, end);
            at = end;
        }
        if (how.isEmpty() || how.equals(" impl=java")) {
            if (DIGESTS.containsKey(name))
                return new Digests(MessageDigest.getInstance(DIGESTS.get(name)), message,
                    new byte[message.length][]);
            if (CHECKSUMS.containsKey(name))
                return new Sums(CHECKSUMS.get(name).get(), message, new long[message.length]);
        }
        throw new IllegalArgumentException("cannot do: " + line);
    }

    static byte[] payload(InputStream input, int length) throws IOException {
        byte[] payload = input.readNBytes(length);
        if (payload.length != length) {
            System.err.println("the input ends in the middle of the payload");
            System.exit(1);
        }
        return payload;
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
        for (String mode : new String[] {"ecb", "cbc", "ctr", "gcm"}) {
            for (int bits = 128; bits <= 256; bits += 64)
                lines.append("cipher aes-" + bits + "-" + mode + " encrypt decrypt\n");
        }
        return lines + "end";
    }

    /** Does the job once, and answers; a long answer follows its line. */
    static void ready(Job job) throws Exception {
        job.begin();
        byte[] answer = job.answer(job.run(1));
        boolean spelled = answer.length <= MAX_SPELLED;
        String word = answer.length == 0 ? "-"
            : spelled ? HexFormat.of().formatHex(answer) : "+" + answer.length;
        System.out.print("ready " + word + "\n");
        if (!spelled) System.out.write(answer, 0, answer.length);
        System.out.flush();
    }

    /** Until its loop is compiled: what an interpreter takes is nobody's question. */
    static void warm(Job job) throws Exception {
        long begin = System.nanoTime(), done = 0;
        for (long calls = 1; ; calls = Math.min(2 * calls, 4096)) {
            long spent = System.nanoTime() - begin;
            if (spent > 400_000_000 || spent > 50_000_000 && done > 20_000) return;
            job.run(calls);
            done += calls * job.messages();
        }
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
        say("runner 1 java " + fact("java.version") + " vm=" + fact("java.vm.name")
            + " build=" + fact("java.vm.version") + " path=" + fact("java.home"));
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
                    // What cannot be done is an error before there is an answer.
                    candidate.run(1);
                    // Before it is timed, and before the host's clock runs.
                    if (!CHECKED) warm(candidate);
                    ready(candidate);
                    current = candidate;
                } else if (current != null && line.equals("again")) {
                    ready(current);
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
