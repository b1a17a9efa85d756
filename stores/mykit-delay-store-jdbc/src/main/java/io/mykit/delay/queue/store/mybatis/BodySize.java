package io.mykit.delay.queue.store.mybatis;

/**
 * The size of a body in its column.
 *
 * @param encoding as in {@link JobRow}
 * @param columnBytes the bytes of the text in the column
 * @param tail the last two characters of the text
 */
record BodySize(String id, int encoding, long columnBytes, String tail) {
    /** The bytes that the consumer gets: three for four characters of Base64, less those that pad. */
    long bytes() {
        if (encoding == 0) {
            return columnBytes;
        }
        return columnBytes / 4 * 3 - tail.chars().filter(c -> c == '=').count();
    }
}
