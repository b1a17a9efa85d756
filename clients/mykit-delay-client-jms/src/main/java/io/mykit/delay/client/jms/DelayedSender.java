package io.mykit.delay.client.jms;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.PushResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Takes the delayed messages of a {@link DelayConnectionFactory}: a server, or a table of the application. Thread-safe.
 *
 * <p>With an outbox, a message is safe as soon as the row is:
 *
 * <pre>{@code
 * DelayedSender sender = messages -> {
 *     for (Message message : messages) {
 *         outbox.push(connectionOfTheTransaction(), message);
 *     }
 *     return CompletableFuture.completedFuture(messages.stream().map(message -> new PushResult(message.id(), Optional.empty())).toList());
 * };
 * }</pre>
 */
@FunctionalInterface
public interface DelayedSender {
    /**
     * @param messages those of one send, or of one transaction
     * @return a stage that has the result of each message, in their order. If it fails, or if this method throws, each of them counts
     *     as not sent
     */
    CompletionStage<List<PushResult>> push(List<Message> messages);

    /** Pushes to the servers of a client. */
    static DelayedSender to(DelayClient client) {
        return messages -> messages.size() == 1
                ? client.async().push(messages.get(0)).thenApply(id -> List.of(new PushResult(id, Optional.empty())))
                : client.async().pushAll(messages);
    }
}
