package io.mykit.delay.queue.consumer;

import io.mykit.delay.common.error.DelayException;
import java.util.List;

/**
 * The answer to a {@link PullOrder}.
 *
 * @param messages those that the consumer holds now; empty if there were none
 * @param failure why no message could be handed out; null = no failure
 */
public record PullAnswer(List<PulledMessage> messages, DelayException failure) {
    /** No message was there. */
    public static final PullAnswer NOTHING = new PullAnswer(List.of(), null);

    public PullAnswer {
        messages = List.copyOf(messages);
    }

    /** No message could be handed out. */
    public static PullAnswer failed(DelayException failure) {
        return new PullAnswer(List.of(), failure);
    }
}
