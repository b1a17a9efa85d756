package io.mykit.delay.grpc.push;

import com.google.protobuf.ByteString;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.RetryPolicy;
import java.util.List;

/** Fills a push with the fields of a message. {@link NewPush} has the rules, and names a field as JSON does. Stateless. */
public final class PushFields {
    private final int maxBody;

    /** @param maxBody the maximum of bytes in a body */
    public PushFields(int maxBody) {
        this.maxBody = maxBody;
    }

    NewPush of(Message message) {
        NewPush push = new NewPush()
                .id(message.getId())
                .topic(message.getTopic())
                .subtopic(message.getSubtopic())
                .bizKey(message.getBizKey())
                .ttl(message.getTtl())
                .priority(message.getPriority())
                .replace(message.getReplace());
        switch (message.getBodyCase()) {
            case TEXT -> {
                limit(message.getTextBytes().size());
                push.body(message.getText());
            }
            case DATA -> body(push, message.getData());
            case BODY_NOT_SET -> {}
        }
        if (message.hasDelay()) {
            push.delay(message.getDelay());
        }
        if (message.hasTriggerAt()) {
            push.triggerAt(message.getTriggerAt());
        }
        if (message.hasCreateTime()) {
            push.createTime(message.getCreateTime());
        }
        if (message.hasIdempotencyKey()) {
            push.idempotencyKey(message.getIdempotencyKey());
        }
        if (message.getTtr() != 0) {
            push.ttr(message.getTtr());
        }
        if (message.hasRetry()) {
            push.retry(retry(message.getRetry()));
        }
        message.getHeadersMap().forEach(push::header);
        message.getTargetMap().forEach(push::target);
        return push;
    }

    /** The bytes of a body. */
    public void body(NewPush push, ByteString bytes) {
        limit(bytes.size());
        push.body(bytes.toByteArray());
    }

    private void limit(int bytes) {
        if (bytes > maxBody) {
            throw new DelayException(
                    ErrorCode.TOO_LARGE, "body is larger than " + maxBody + " bytes (mykit.delay.http.max-body-size)");
        }
    }

    private static RetryOptions retry(RetryPolicy policy) {
        return new RetryOptions(
                policy.hasMaxAttempts() ? policy.getMaxAttempts() : null,
                policy.hasInterval() ? policy.getInterval() : null,
                policy.hasMultiplier() ? policy.getMultiplier() : null,
                policy.hasMaxInterval() ? policy.getMaxInterval() : null,
                policy.getGapsCount() == 0 ? null : List.copyOf(policy.getGapsList()),
                policy.hasJitter() ? policy.getJitter() : null);
    }
}
