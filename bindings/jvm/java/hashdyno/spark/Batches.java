package hashdyno.spark;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Rows with their digests, made a batch at a time. Rows are copied one after another until they
 * are enough, and so are their values, as the library takes them.
 *
 * A row that was given is changed by the next call, as Spark's own rows are. */
final class Batches implements Iterator<InternalRow> {
    /** Rows in a batch: enough for the lanes of any kernel. */
    private static final int ROWS = 4096;

    /** Bytes of rows after which a batch ends. */
    private static final int BYTES = 4 << 20;

    private final scala.collection.Iterator<InternalRow> rows;
    private final UnsafeProjection asBytes;
    private final int field;
    private final Algorithm algorithm;
    private final boolean hex;

    private byte[] page = new byte[1 << 16];
    /** Where each row begins in the page, and the last ends. */
    private final int[] begins = new int[ROWS + 1];
    private int count;
    private int given;

    private final Memory data = new Memory(1 << 16);
    private final Memory offsets = new Memory(8L * (ROWS + 1));
    private final Memory digests;
    private final Memory digits;

    private final UnsafeRow row;
    private final GenericInternalRow digest = new GenericInternalRow(1);
    private final JoinedRow joined = new JoinedRow();

    Batches(
            scala.collection.Iterator<InternalRow> rows,
            StructType schema,
            int field,
            Algorithm algorithm,
            boolean hex) {
        this.rows = rows;
        asBytes = UnsafeProjection.create(schema);
        this.field = field;
        this.algorithm = algorithm;
        this.hex = hex;
        digests = new Memory((long) ROWS * algorithm.digestLen);
        digits = hex ? new Memory(2L * ROWS * algorithm.digestLen) : null;
        row = new UnsafeRow(schema.length());
    }

    @Override
    public boolean hasNext() {
        if (given == count) {
            fill();
        }
        return given < count;
    }

    @Override
    public InternalRow next() {
        int begin = begins[given];
        row.pointTo(page, Platform.BYTE_ARRAY_OFFSET + begin, begins[given + 1] - begin);
        if (row.isNullAt(field)) {
            digest.setNullAt(0);
        } else if (hex) {
            int len = 2 * algorithm.digestLen;
            long from = digits.address() + (long) given * len;
            digest.update(0, UTF8String.fromAddress(null, from, len));
        } else {
            byte[] bytes = new byte[algorithm.digestLen];
            long from = digests.address() + (long) given * bytes.length;
            Platform.copyMemory(null, from, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
            digest.update(0, bytes);
        }
        given++;
        return joined.apply(row, digest);
    }

    private void fill() {
        count = 0;
        given = 0;
        long values = 0;
        Platform.putLong(null, offsets.address(), 0);
        while (count < ROWS && begins[count] < BYTES && rows.hasNext()) {
            InternalRow next = rows.next();
            UnsafeRow bytes =
                    next instanceof UnsafeRow ? (UnsafeRow) next : asBytes.apply(next);
            int begin = begins[count];
            int end = Math.addExact(begin, bytes.getSizeInBytes());
            if (end > page.length) {
                page = Arrays.copyOf(page, (int) Math.min(Math.max(2L * page.length, end), MOST));
            }
            bytes.writeToMemory(page, Platform.BYTE_ARRAY_OFFSET + begin);
            if (!bytes.isNullAt(field)) {
                // Strings and binary lie alike.
                UTF8String value = bytes.getUTF8String(field);
                data.reserve(values + value.numBytes());
                value.writeToMemory(null, data.address() + values);
                values += value.numBytes();
            }
            count++;
            begins[count] = end;
            Platform.putLong(null, offsets.address() + 8L * count, values);
        }
        boolean done =
                Native.digest(
                        algorithm.address,
                        data.address(),
                        offsets.address(),
                        count,
                        digests.address(),
                        hex ? digits.address() : 0);
        if (!done) {
            throw new IllegalStateException("hashdyno panicked; standard error has its words");
        }
    }

    /** The longest array of a JVM. */
    private static final int MOST = Integer.MAX_VALUE - 15;
}
