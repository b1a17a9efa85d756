package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.Delivery;
import io.vertx.core.buffer.Buffer;

/** The body of an answer whose end the fate waits for. The event loop adds parts; any thread may ask for the fate. */
interface AnswerBody {
    void add(Buffer part);

    /** The number of bytes that are read. At one more the answer counts as ended. */
    int maxBytes();

    /** The fate at the end of the answer. */
    Delivery whole();

    /**
     * The fate of an answer that does not end.
     *
     * @param why continues a sentence
     */
    Delivery cut(String why);
}
