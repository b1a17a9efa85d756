package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.queue.bucket.BusyTopics;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** The traffic of the topics that are not idle, for one term. Thread-safe. */
final class Topics implements BusyTopics, DispatchMeters.TopicStates {
    private final LeaderTerm term;
    private final Function<String, TopicTraffic> newTraffic;
    private final BiConsumer<String, Claim> start;
    private final RestingTopics resting;
    private final Later later;
    private final ConcurrentMap<String, TopicTraffic> topics = new ConcurrentHashMap<>();

    /**
     * @param resting begin no batch
     * @param start starts a batch; must not throw
     * @param later looks again at topics that wait for tokens
     */
    Topics(
            LeaderTerm term,
            RestingTopics resting,
            Function<String, TopicTraffic> newTraffic,
            BiConsumer<String, Claim> start,
            Later later) {
        this.term = term;
        this.resting = resting;
        this.newTraffic = newTraffic;
        this.start = start;
        this.later = later;
    }

    /**
     * Changes the traffic of a topic, and starts the batches that may begin after the change. Batches begin at no other
     * place. A topic that waits for tokens is looked at again when they are there; one that rests, when it rests no more.
     */
    void change(String topic, Consumer<TopicTraffic> change) {
        List<Claim> begun = new ArrayList<>();
        topics.compute(topic, (name, existing) -> {
            TopicTraffic traffic = existing == null ? newTraffic.apply(name) : existing;
            change.accept(traffic);
            if (term.isActive() && !resting.contains(name)) {
                for (Claim next; (next = traffic.next()) != null; ) {
                    begun.add(next);
                }
                lookAgain(name, traffic);
            }
            return traffic.isIdle() ? null : traffic;
        });
        begun.forEach(batch -> start.accept(topic, batch));
    }

    /** Hands messages over that a scanner took. Returns those that must be given back. */
    List<Leased> hand(String topic, List<Leased> taken) {
        List<Leased> refused = new ArrayList<>();
        change(
                topic,
                traffic -> refused.addAll(!term.isActive() || resting.contains(topic) ? taken : traffic.hand(taken)));
        return refused;
    }

    /**
     * A topic was paused or resumed: the next batch begins, unless the topic rests. Returns the messages that were handed over and
     * must be given back, because it rests.
     */
    List<Leased> pauseChanged(String topic) {
        List<Leased> recalled = new ArrayList<>();
        change(topic, traffic -> recalled.addAll(resting.contains(topic) ? traffic.recall() : List.of()));
        return recalled;
    }

    /** The topics that are not idle. */
    List<String> active() {
        return List.copyOf(topics.keySet());
    }

    /** The channel of one batch; of a limited topic, one that counts its messages. */
    DeliveryChannel counted(DeliveryChannel channel, String topic, Claim batch) {
        return batch.isLimited()
                ? LimitedChannel.of(
                        channel,
                        messages -> change(topic, traffic -> traffic.sent(batch, messages)),
                        messages -> change(topic, traffic -> traffic.answered(messages)))
                : channel;
    }

    /** Returns all messages that were handed over and are in no batch. After the end of the term no other message is handed over. */
    List<Leased> recallAll() {
        List<Leased> recalled = new ArrayList<>();
        topics.keySet().forEach(topic -> change(topic, traffic -> recalled.addAll(traffic.recall())));
        return recalled;
    }

    private void lookAgain(String topic, TopicTraffic traffic) {
        NextLook.At look = traffic.nextLook();
        if (look != null) {
            later.run(look.afterNanos(), () -> change(topic, waiting -> waiting.look(look)));
        }
    }

    /** Whether the scanners may take no message of this topic. */
    @Override
    public boolean contains(String topic) {
        if (resting.contains(topic)) {
            return true;
        }
        TopicTraffic traffic = topics.get(topic);
        return traffic != null && !traffic.takesMore();
    }

    /** Looks at no more topics than it needs to find that there are too many. */
    @Override
    public Optional<Collection<String>> names(int most) {
        if (resting.most() > most) {
            return Optional.empty();
        }
        Set<String> busy = new LinkedHashSet<>(resting.names());
        for (Map.Entry<String, TopicTraffic> topic : topics.entrySet()) {
            if (!topic.getValue().takesMore()) {
                busy.add(topic.getKey());
            }
            if (busy.size() > most) {
                return Optional.empty();
            }
        }
        return Optional.of(busy);
    }

    @Override
    public double limited() {
        return count(TopicTraffic::isHeld);
    }

    @Override
    public double backingOff() {
        return count(TopicTraffic::isBackingOff);
    }

    private double count(Predicate<TopicTraffic> state) {
        return term.isActive() ? topics.values().stream().filter(state).count() : Double.NaN;
    }
}
