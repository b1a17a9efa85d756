package io.mykit.delay.queue.consumer;

import io.mykit.delay.config.PullConfig;
import java.time.Duration;

/**
 * The limits of pulling on this node.
 *
 * @param ttr how long a consumer may hold a message if neither the consumer nor the message says it
 * @param maxWaiting the maximum of consumers that wait; further ones get BUSY
 * @param maxWait the longest wait; a longer one is cut
 * @param warnReady {@code /health} warns of a topic with so many ready messages; 0 = never
 */
public record PullSettings(Duration ttr, int maxWaiting, Duration maxWait, int warnReady) {
    public static PullSettings of(PullConfig config) {
        return new PullSettings(config.ttr(), config.maxWaiting(), config.maxWait(), config.warnReady());
    }
}
