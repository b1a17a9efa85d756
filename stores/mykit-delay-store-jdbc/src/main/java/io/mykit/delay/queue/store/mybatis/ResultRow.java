package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageResult;

/**
 * The content of a row of {@code mykit_delay_queue_result}.
 *
 * @param encoding see {@link #encoding(MessageResult)}
 */
record ResultRow(int encoding, String result) {
    private static final int TEXT = 0;
    private static final int BASE64 = 1;

    /** The value of the column {@code encoding}. */
    static int encoding(MessageResult result) {
        return result.binary() ? BASE64 : TEXT;
    }

    MessageResult toResult() {
        return new MessageResult(result, encoding == BASE64);
    }
}
