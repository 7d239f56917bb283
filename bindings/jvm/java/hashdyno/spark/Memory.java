package hashdyno.spark;

import java.lang.ref.Cleaner;
import org.apache.spark.unsafe.Platform;

/** Memory outside of the heap. It is freed when nothing refers to this object any more: at the end
 * of a task another thread may still read its rows. */
final class Memory {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Block block;

    /** So many bytes. */
    Memory(long len) {
        block = new Block(len);
        CLEANER.register(this, block);
    }

    /** Where it begins; {@link #reserve} may change that. */
    long address() {
        return block.address;
    }

    /** Makes it so many bytes long at least, and keeps what it holds. */
    void reserve(long len) {
        if (len > block.len) {
            long more = Math.max(2 * block.len, len);
            block.address = Platform.reallocateMemory(block.address, block.len, more);
            block.len = more;
        }
    }

    private static final class Block implements Runnable {
        private long address;
        private long len;

        Block(long len) {
            address = Platform.allocateMemory(len);
            this.len = len;
        }

        @Override
        public void run() {
            Platform.freeMemory(address);
        }
    }
}
