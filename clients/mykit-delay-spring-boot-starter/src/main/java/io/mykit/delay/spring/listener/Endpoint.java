package io.mykit.delay.spring.listener;

import io.mykit.delay.client.Body;
import io.mykit.delay.client.RejectMessageException;
import io.mykit.delay.client.RetryLaterException;
import io.mykit.delay.spring.DelayedMessage;
import io.mykit.delay.spring.Mode;
import java.time.Duration;

/**
 * The listener of one topic.
 *
 * @param concurrency for {@link Mode#PULL}
 * @param ttr for {@link Mode#PULL}
 * @param origin names the method or the bean, for failures at start
 */
public record Endpoint(
        String topic,
        Mode mode,
        int concurrency,
        Duration ttr,
        String origin,
        DelayedHandler handler,
        ListenerTimer timer) {
    /** Calls the listener. Its exceptions are those of the listener. Returns the result; null = none. */
    public Body handle(DelayedMessage message) throws Exception {
        long begin = System.nanoTime();
        String outcome = "failed";
        try {
            Body result = handler.handle(message);
            outcome = "done";
            return result;
        } catch (RejectMessageException e) {
            outcome = "rejected";
            throw e;
        } catch (RetryLaterException e) {
            outcome = "later";
            throw e;
        } finally {
            timer.record(topic, mode, outcome, Duration.ofNanos(System.nanoTime() - begin));
        }
    }
}
