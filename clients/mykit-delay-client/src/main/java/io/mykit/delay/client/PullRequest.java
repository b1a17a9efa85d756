package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The messages that a pull asks for. Immutable.
 *
 * <pre>{@code
 * PullRequest.topics("orders").count(10).waitFor(Duration.ofSeconds(20)).ttr(Duration.ofMinutes(1))
 * }</pre>
 *
 * @param topics in the order of their priority
 * @param count the maximum of messages
 * @param waitFor the time to wait for the first message
 * @param ttr the time for which the messages are held; empty = that of each message, or else that of the server
 * @param consumer the name by which operators see who holds the messages, 1 to 30 of the characters A-Z a-z 0-9 . _ : @ / -; empty = the
 *     address of this process
 */
public record PullRequest(
        List<String> topics, int count, Duration waitFor, Optional<Duration> ttr, Optional<String> consumer) {
    public PullRequest {
        topics = List.copyOf(topics);
    }

    /** One message, if there is one, without waiting. */
    public static PullRequest topics(String... topics) {
        return new PullRequest(List.of(topics), 1, Duration.ZERO, Optional.empty(), Optional.empty());
    }

    public PullRequest count(int newCount) {
        return new PullRequest(topics, newCount, waitFor, ttr, consumer);
    }

    public PullRequest waitFor(Duration newWaitFor) {
        return new PullRequest(topics, count, newWaitFor, ttr, consumer);
    }

    public PullRequest ttr(Duration newTtr) {
        return new PullRequest(topics, count, waitFor, Optional.of(newTtr), consumer);
    }

    /** Servers of older versions refuse a request with a name. */
    public PullRequest consumer(String newConsumer) {
        return new PullRequest(topics, count, waitFor, ttr, Optional.of(newConsumer));
    }

    String json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("topic", topics);
        fields.put("count", count);
        fields.put("wait", waitFor.toMillis());
        ttr.ifPresent(given -> fields.put("ttr", given.toMillis()));
        consumer.ifPresent(name -> fields.put("consumer", name));
        return JsonWriter.write(fields);
    }
}
