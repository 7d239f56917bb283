package hashdyno.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/** Digests of a frame's column. */
public final class Columns {
    private Columns() {}

    /** The frame with one more column, {@code out}: the digests of a column of strings or binary,
     * as lower-case hexadecimal or as binary. Null stays null. Nothing is computed yet.
     *
     * @throws IllegalArgumentException if there is no such column or algorithm, if the column holds
     *     something else, or if the frame is a stream or one of Spark Connect */
    public static Dataset<Row> digest(
            Dataset<Row> frame, String column, String algorithm, String out, boolean hex) {
        if (!(frame instanceof org.apache.spark.sql.classic.Dataset) || frame.isStreaming()) {
            throw new IllegalArgumentException(
                    "expected a frame of this JVM that is no stream\nhint: others go by Python");
        }
        var local = (org.apache.spark.sql.classic.Dataset<Row>) frame;
        StructType schema = frame.schema();
        int field = schema.fieldIndex(column);
        DataType kind = schema.fields()[field].dataType();
        if (!(kind instanceof StringType) && !(kind instanceof BinaryType)) {
            throw new IllegalArgumentException(
                    "expected a column of strings or binary, got " + column + " of type "
                            + kind.simpleString() + "\nhint: cast it first");
        }
        new Algorithm(algorithm); // else tasks would be the first to hear of a wrong name
        StructType made =
                schema.add(out, hex ? DataTypes.StringType : DataTypes.BinaryType, true);
        DigestRdd rows = new DigestRdd(local, field, algorithm, hex);
        return local.sparkSession().internalCreateDataFrame(rows, made, false);
    }
}
