package io.mykit.delay.queue.query;

import io.mykit.delay.config.ChannelNames;
import java.time.Duration;
import java.util.Optional;

/** Why messages of a topic wait although they are due, or would wait. The worst comes first. */
public enum TopicTrouble {
    /** Another node would deliver them by another channel. */
    DIFFERS("differs"),
    /** Its broker or receiver cannot take them. */
    BACKS_OFF("backsOff"),
    /** Consumers should pull them, and none does. */
    NO_CONSUMER("noConsumer"),
    /** They are late, and the reason is another one, or not known to this node. */
    LATE("late"),
    /** An operator has paused the topic. */
    PAUSED("paused");

    /** A message is delivered within a second after its due time; a restart or a change of the leader takes seconds. */
    static final Duration LATE_AFTER = Duration.ofMinutes(1);

    private final String word;

    TopicTrouble(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /**
     * @param held messages that consumers hold
     * @param overdueMs for how long its first message has been due
     */
    static Optional<TopicTrouble> of(
            String channel, long held, long overdueMs, boolean paused, boolean differs, boolean backsOff) {
        if (paused) {
            return Optional.of(PAUSED);
        }
        if (differs) {
            return Optional.of(DIFFERS);
        }
        if (backsOff) {
            return Optional.of(BACKS_OFF);
        }
        if (overdueMs < LATE_AFTER.toMillis()) {
            return Optional.empty();
        }
        return Optional.of(channel.equals(ChannelNames.PULL) && held == 0 ? NO_CONSUMER : LATE);
    }
}
