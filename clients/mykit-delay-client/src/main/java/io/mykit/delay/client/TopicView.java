package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * A topic and its messages. The numbers are read one after the other.
 *
 * @param channel the name of the topic's channel
 * @param waiting messages that wait for their due time, within the horizon of the server
 * @param ready due messages
 * @param taken messages that consumers hold
 * @param dead dead letters
 * @param oldestReady the due time of the first ready message; empty if there is none, and in a list
 * @param isPaused whether nothing of the topic is delivered or handed out
 * @param pausedUntil the end of the pause; empty if the topic is not paused, or until it is resumed
 */
public record TopicView(
        String topic,
        String channel,
        long waiting,
        long ready,
        long taken,
        long dead,
        Optional<Instant> oldestReady,
        boolean isPaused,
        Optional<Instant> pausedUntil) {
    static TopicView read(JsonObject topic) {
        return new TopicView(
                topic.text("topic"),
                topic.text("channel"),
                topic.integer("waiting"),
                topic.integer("ready"),
                topic.integer("taken"),
                topic.integer("dead"),
                topic.optionalInteger("oldestReady").map(Instant::ofEpochMilli),
                topic.flag("paused"),
                topic.optionalInteger("pausedUntil").map(Instant::ofEpochMilli));
    }
}
