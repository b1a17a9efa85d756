package io.mykit.delay.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The topics: what waits in them, and whether they are paused. If the server has tokens, these calls need a client with the
 * admin token. Thread-safe.
 *
 * <pre>{@code
 * Topics topics = client.topics();
 * topics.pause("orders", Duration.ofMinutes(30));
 * System.out.println(topics.find("orders").ready() + " messages wait");
 * topics.resume("orders");
 * }</pre>
 *
 * <p>A clear is not tried again once it may have been carried out. It fails with {@link DelayUnavailableException} then, and
 * {@link DelayClientException#isInDoubt} is true.
 */
public final class Topics {
    private final AsyncTopics async;

    Topics(AsyncTopics async) {
        this.async = async;
    }

    /** The topics that begin with this text and have messages, dead letters or a pause, in order; at most 1000. */
    public List<TopicView> list(String prefix) {
        return Await.result(async.list(prefix));
    }

    /** One topic, also if it has no messages. */
    public TopicView find(String topic) {
        return Await.result(async.find(topic));
    }

    /** From now on nothing of this topic is delivered or handed out, until it is resumed. */
    public void pause(String topic) {
        Void unused = Await.result(async.pause(topic));
    }

    /**
     * From now on nothing of this topic is delivered or handed out for this time, from 1 s to 365 d, or until it is resumed.
     *
     * @return the end of the pause
     */
    public Instant pause(String topic, Duration time) {
        return Await.result(async.pause(topic, time));
    }

    /** Ends the pause of a topic, if there is one. */
    public void resume(String topic) {
        Void unused = Await.result(async.resume(topic));
    }

    /** Cancels messages of a topic. It returns after the last one. */
    public ClearReport clear(ClearOrder order) {
        return Await.result(async.clear(order));
    }
}
