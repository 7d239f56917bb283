package hashdyno.spark;

import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The rows of a frame, each with a digest behind its columns.
 *
 * Spark plans the frame when it asks for partitions, and not sooner: to plan a frame with a shuffle
 * may run a part of it. */
final class DigestRdd extends RDD<InternalRow> {
    private static final ClassTag<InternalRow> ROW = ClassTag$.MODULE$.apply(InternalRow.class);

    private final transient Dataset<Row> frame;
    private final StructType schema;
    private final int field;
    private final String algorithm;
    private final boolean hex;

    DigestRdd(Dataset<Row> frame, int field, String algorithm, boolean hex) {
        super(frame.sparkSession().sparkContext(), seq(List.of()), ROW);
        this.frame = frame;
        this.schema = frame.schema();
        this.field = field;
        this.algorithm = algorithm;
        this.hex = hex;
    }

    @Override
    public Seq<Dependency<?>> getDependencies() {
        return seq(List.of(new OneToOneDependency<>(frame.queryExecution().toRdd())));
    }

    @Override
    public Partition[] getPartitions() {
        return firstParent(ROW).partitions();
    }

    @Override
    public Iterator<InternalRow> compute(Partition partition, TaskContext context) {
        Iterator<InternalRow> rows = firstParent(ROW).iterator(partition, context);
        Algorithm known = new Algorithm(algorithm);
        return CollectionConverters.asScala(new Batches(rows, schema, field, known, hex));
    }

    private static Seq<Dependency<?>> seq(List<Dependency<?>> list) {
        return CollectionConverters.asScala(list).toSeq();
    }
}
