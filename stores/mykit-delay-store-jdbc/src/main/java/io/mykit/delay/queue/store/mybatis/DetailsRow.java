package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.FoundDetails;

/**
 * The details of a row; the components are the columns of SearchMapper.xml.
 *
 * @param encoding as in {@link JobRow}
 * @param columnBytes the bytes of the text in the column of the body
 * @param tail the last two characters of the text
 * @param requestId or null
 */
record DetailsRow(String id, int encoding, long columnBytes, String tail, String requestId) {
    FoundDetails toDetails() {
        return new FoundDetails(bodyBytes(), requestId == null ? "" : requestId);
    }

    /** The bytes that the consumer gets: three for four characters of Base64, less those that pad. */
    private long bodyBytes() {
        if (encoding == 0) {
            return columnBytes;
        }
        return columnBytes / 4 * 3 - tail.chars().filter(c -> c == '=').count();
    }
}
