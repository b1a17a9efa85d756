package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.MoveResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies dead letters to the dead-letter topics of their topics. A copy is a new message that is due at once. It is inserted
 * in the transaction in which the message becomes a dead letter, and is scheduled after that like the message of a push. A
 * crash in between leaves a row that the auditor schedules. Thread-safe.
 *
 * <p>A dead letter that is a copy itself is not copied again.
 */
public final class DeadCopies {
    private static final Logger LOG = LoggerFactory.getLogger(DeadCopies.class);
    /** Copies nothing. */
    public static final DeadCopies NONE = new DeadCopies(topic -> Optional.empty(), copies -> {}, Namespaces.NONE);

    /** Only the server gives headers with these names. */
    private static final String HEADER = "mykit-delay-dead-";

    private static final int HASH = 16;

    private final Function<String, Optional<String>> topics;
    private final Consumer<List<NewMessage>> scheduling;
    private final Namespaces namespaces;

    /**
     * @param topics returns the dead-letter topic of a topic, if it has one
     * @param scheduling puts the copies into the index
     * @param namespaces a copy is in one with its topic and its id, or with neither
     */
    public DeadCopies(
            Function<String, Optional<String>> topics, Consumer<List<NewMessage>> scheduling, Namespaces namespaces) {
        this.topics = topics;
        this.scheduling = scheduling;
        this.namespaces = namespaces;
    }

    /** The copies for the dead-letter topics of a configuration. */
    public static DeadCopies of(TopicPolicies policies, Consumer<List<NewMessage>> scheduling, Namespaces namespaces) {
        return policies.haveDeadLetterTopics()
                ? new DeadCopies(policies::deadLetterTopic, scheduling, namespaces)
                : NONE;
    }

    /** False if no topic has a dead-letter topic. Then no caller needs the messages that die. */
    boolean isUsed() {
        return this != NONE;
    }

    /**
     * Applies the status changes, together with the copies of the messages that become dead letters.
     *
     * @param dead the messages that become dead letters, by their ids
     * @return the ids of the changes that were left out
     */
    public Set<String> move(MessageStore store, List<Transition> transitions, Map<String, DelayMessage> dead) {
        if (dead.isEmpty()) {
            return store.move(transitions);
        }
        Map<String, NewMessage> copies = new HashMap<>();
        for (Transition change : transitions) {
            DelayMessage message = dead.get(change.id());
            if (message != null && change.to() == MessageStatus.FAILED && !isCopy(message)) {
                topics.apply(message.topic()).ifPresent(topic -> copies.put(change.id(), copy(message, topic, change)));
            }
        }
        MoveResult result = store.move(transitions, copies);
        if (!result.inserted().isEmpty()) {
            scheduling.accept(result.inserted());
        }
        copies.keySet().removeAll(result.leftOut());
        copies.values().removeAll(result.inserted());
        if (!copies.isEmpty()) {
            insertOtherwise(store, copies);
        }
        return result.leftOut();
    }

    /**
     * Inserts the copies whose ids are taken under other ids, unless the messages with these ids are the copies: a commit in doubt was
     * carried out. A crash before this leaves a dead letter without a copy.
     *
     * @param taken by the ids of the dead letters
     */
    private void insertOtherwise(MessageStore store, Map<String, NewMessage> taken) {
        List<NewMessage> others = new ArrayList<>();
        taken.forEach((dead, copy) -> {
            String id = copy.message().id();
            boolean isCopy = store.find(id)
                    .map(row -> dead.equals(row.message().extras().headers().get(HEADER + "id")))
                    .orElse(false);
            if (!isCopy) {
                others.add(new NewMessage(withId(copy.message(), withHash(id)), copy.status()));
                LOG.warn(
                        "A producer has pushed a message with the id {}. The copy of dead letter {} gets the id {}",
                        id,
                        dead,
                        withHash(id));
            }
        });
        if (!others.isEmpty()) {
            List<InsertResult> results = store.insert(others);
            scheduling.accept(IntStream.range(0, others.size())
                    .filter(i -> results.get(i).kind() == InsertResult.Kind.INSERTED)
                    .mapToObj(others::get)
                    .toList());
        }
    }

    private static DelayMessage withId(DelayMessage copy, String id) {
        return new DelayMessage(
                id,
                copy.topic(),
                copy.subtopic(),
                copy.bizKey(),
                copy.body(),
                copy.delayMs(),
                copy.createTimeMs(),
                copy.dueTimeMs(),
                copy.priority(),
                copy.ttlSeconds(),
                copy.version(),
                copy.extras());
    }

    private static boolean isCopy(DelayMessage message) {
        return message.extras().headers().containsKey(HEADER + "topic");
    }

    private NewMessage copy(DelayMessage dead, String topic, Transition change) {
        Transition.Step last = change.last();
        Map<String, String> headers = new TreeMap<>(dead.extras().headers());
        headers.put(HEADER + "id", dead.id());
        headers.put(HEADER + "topic", dead.topic());
        headers.put(HEADER + "reason", last.reason().name());
        headers.put(HEADER + "detail", last.detail().replaceAll("\\p{Cntrl}", " "));
        headers.put(HEADER + "attempts", Integer.toString(change.attempts()));
        MessageExtras extras = new MessageExtras(dead.extras().binary(), headers, RetryOptions.NONE, 0, Map.of(), 0);
        DelayMessage copy = new DelayMessage(
                id(dead, topic),
                topic,
                dead.subtopic(),
                dead.bizKey(),
                dead.body(),
                0,
                last.atMs(),
                last.atMs(),
                dead.priority(),
                0,
                0,
                extras);
        return new NewMessage(copy, MessageStatus.DELAY);
    }

    /**
     * One version of a message dies once, so the id of its copy has the version. It begins with the prefix of the namespace of the copy's
     * topic, which then is left out behind {@code dead:}. The end of a long id is a hash.
     *
     * @param topic that of the copy
     */
    String id(DelayMessage dead, String topic) {
        String prefix = namespaces.prefix(topic);
        String name = dead.id().startsWith(prefix) ? dead.id().substring(prefix.length()) : dead.id();
        String id = "dead:" + name + (dead.version() == 0 ? "" : "." + dead.version());
        return prefix + (id.length() <= MessageLimits.MAX_ID ? id : withHash(id));
    }

    /** The begin of the id, with a hash behind it. */
    private static String withHash(String id) {
        int kept = Math.min(id.length(), MessageLimits.MAX_ID - HASH - 1);
        // Half of a surrogate pair could not be encoded.
        int cut = Character.isHighSurrogate(id.charAt(kept - 1)) ? kept - 1 : kept;
        return id.substring(0, cut) + "~" + hash(id).substring(0, HASH);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
