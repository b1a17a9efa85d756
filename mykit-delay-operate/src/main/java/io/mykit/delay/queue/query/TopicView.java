package io.mykit.delay.queue.query;

import io.mykit.delay.queue.store.TopicPause;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The messages of one topic. The numbers are read one after the other.
 *
 * @param channel the name of the topic's channel
 * @param waiting messages that wait in the index for their due time: those beyond the horizon are not among them
 * @param ready due messages that no consumer holds and no leader has taken
 * @param held messages that consumers hold
 * @param dead dead letters
 * @param oldestReadyMs the due time of the first ready message, epoch milliseconds; empty if there is none, or if it was not
 *     asked for
 * @param pause the pause of the topic; empty = the topic is not paused
 */
public record TopicView(
        String topic,
        String channel,
        long waiting,
        long ready,
        long held,
        long dead,
        OptionalLong oldestReadyMs,
        Optional<TopicPause> pause) {}
