package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The contents of the index, seen from outside: all buckets together. */
public record Buckets(RedisServer redis, int count) {
    /** Messages, wherever they are on their way. */
    public long pooled() {
        return sum("HLEN", "pool");
    }

    /** Messages of a topic that are not due yet, or wait for the next try. */
    public long waiting(String topic) {
        return sum("ZCARD", "waiting:" + topic);
    }

    /** Messages of a topic that are due, and that no consumer has pulled. */
    public long ready(String topic) {
        return sum("LLEN", "ready:" + topic);
    }

    /** Topics that have ready messages; a topic counts once for each bucket. */
    public long readyTopics() {
        return sum("SCARD", "topics");
    }

    /**
     * Waits until there are no more than so many; a message is forgotten last of all that happens to it.
     *
     * @throws IllegalStateException if that takes longer
     */
    public void awaitPooled(long most, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (long now = pooled(); now > most; now = pooled()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        now + " messages in the index after " + atMost + ", " + most + " should be");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /**
     * Waits until so many messages of a topic are not due yet, or wait for the next try.
     *
     * @throws IllegalStateException if that takes longer
     */
    public void awaitWaiting(String topic, long least, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (long now = waiting(topic); now < least; now = waiting(topic)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        now + " messages of " + topic + " wait after " + atMost + ", " + least + " should");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Whether one was found lost and is not whole again. */
    public boolean restoring() {
        return sum("EXISTS", "restoring") > 0;
    }

    private long sum(String command, String key) {
        long sum = 0;
        for (int bucket = 0; bucket < count; bucket++) {
            sum += (Long) redis.command(command, "io.mykit.delay:{mykit-delay:" + bucket + "/" + count + "}:" + key);
        }
        return sum;
    }
}
