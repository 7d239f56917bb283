package hashdyno.spark;

import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Rows with their digests, made a batch at a time: rows are copied until they are enough, and
 * their values are put one after another, as the library takes them.
 *
 * A row that was given is changed by the next call, as Spark's own rows are. */
final class Batches implements Iterator<InternalRow> {
    /** Rows in a batch: enough for the lanes of any kernel. */
    private static final int ROWS = 4096;

    /** Bytes of rows, or of values, after which a batch ends. */
    private static final int BYTES = 4 << 20;

    private final scala.collection.Iterator<InternalRow> rows;
    private final int field;
    private final boolean isBinary;
    private final Algorithm algorithm;
    private final boolean hex;

    private final InternalRow[] kept = new InternalRow[ROWS];
    private int count;
    private int given;

    // Addresses of memory outside of the heap.
    private final long offsets = Platform.allocateMemory(8L * (ROWS + 1));
    private final long digests;
    private final long digits;
    private long data;
    private long room = 1 << 16;

    private final GenericInternalRow digest = new GenericInternalRow(1);
    private final JoinedRow joined = new JoinedRow();

    Batches(
            scala.collection.Iterator<InternalRow> rows,
            int field,
            boolean isBinary,
            Algorithm algorithm,
            boolean hex) {
        this.rows = rows;
        this.field = field;
        this.isBinary = isBinary;
        this.algorithm = algorithm;
        this.hex = hex;
        digests = Platform.allocateMemory((long) ROWS * algorithm.digestLen);
        digits = hex ? Platform.allocateMemory(2L * ROWS * algorithm.digestLen) : 0;
        data = Platform.allocateMemory(room);
    }

    /** To be called once, when no row is asked for any more. */
    void free() {
        Platform.freeMemory(offsets);
        Platform.freeMemory(digests);
        Platform.freeMemory(data);
        if (hex) {
            Platform.freeMemory(digits);
        }
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
        InternalRow row = kept[given];
        if (row.isNullAt(field)) {
            digest.setNullAt(0);
        } else if (hex) {
            int len = 2 * algorithm.digestLen;
            digest.update(0, UTF8String.fromAddress(null, digits + (long) given * len, len));
        } else {
            byte[] bytes = new byte[algorithm.digestLen];
            long from = digests + (long) given * bytes.length;
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
        long bytes = 0;
        Platform.putLong(null, offsets, 0);
        while (count < ROWS && values + bytes < BYTES && rows.hasNext()) {
            InternalRow row = rows.next().copy();
            if (row instanceof UnsafeRow) {
                bytes += ((UnsafeRow) row).getSizeInBytes();
            }
            values += row.isNullAt(field) ? 0 : put(row, values);
            kept[count++] = row;
            Platform.putLong(null, offsets + 8L * count, values);
        }
        long hexadecimal = hex ? digits : 0;
        if (!Native.digest(algorithm.address, data, offsets, count, digests, hexadecimal)) {
            throw new IllegalStateException("hashdyno panicked; standard error has its words");
        }
    }

    /** Puts a row's value behind the others, and says how many bytes it has. */
    private int put(InternalRow row, long at) {
        if (isBinary) {
            byte[] value = row.getBinary(field);
            reserve(at + value.length);
            long from = Platform.BYTE_ARRAY_OFFSET;
            Platform.copyMemory(value, from, null, data + at, value.length);
            return value.length;
        }
        UTF8String value = row.getUTF8String(field);
        reserve(at + value.numBytes());
        value.writeToMemory(null, data + at);
        return value.numBytes();
    }

    private void reserve(long len) {
        if (len > room) {
            long more = Math.max(2 * room, len);
            data = Platform.reallocateMemory(data, room, more);
            room = more;
        }
    }
}
