package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageResult;
import io.vertx.core.buffer.Buffer;

/** The body of an answer that becomes the result of its message. A body is kept whole, or not at all. */
final class KeptAnswer implements AnswerBody {
    private final Buffer body = Buffer.buffer();

    @Override
    public void add(Buffer part) {
        if (body.length() <= MessageLimits.MAX_RESULT_BYTES) {
            body.appendBuffer(part);
        }
    }

    @Override
    public int maxBytes() {
        return MessageLimits.MAX_RESULT_BYTES;
    }

    @Override
    public Delivery whole() {
        if (body.length() > MessageLimits.MAX_RESULT_BYTES) {
            return cut("it is larger than " + MessageLimits.MAX_RESULT_BYTES + " bytes");
        }
        return body.length() == 0 ? Delivery.DELIVERED : Delivery.delivered(MessageResult.ofBytes(body.getBytes()));
    }

    /** Delivered all the same: the status of the answer says so. */
    @Override
    public Delivery cut(String why) {
        return new Delivery(Delivery.Kind.DELIVERED, "the answer is not kept: " + why);
    }
}
