package io.mykit.delay.spring;

import java.time.Instant;
import java.util.Map;

/** A message as a listener gets it, by pull or by callback. Any thread. */
public interface DelayedMessage {
    /** The same in all attempts, and in duplicates. */
    String id();

    String topic();

    /** Empty = none. */
    String subtopic();

    /** Empty = none. */
    String bizKey();

    /** The body as a text; bytes are read as UTF-8. */
    String text();

    /** The body as bytes; a text as UTF-8. */
    byte[] bytes();

    /** Those of the message. A callback has those of its request as well, and ignores case. */
    Map<String, String> headers();

    /** The due time that the producer asked for. */
    Instant dueTime();

    /** The number of this attempt; a duplicate after a fault has the same number. */
    int attempt();

    /** The attempts that the policy allows; 0 = no limit. */
    int maxAttempts();

    /** Whether the message may be in other hands. A long handler looks at it between its steps. Never so for a callback. */
    boolean isLeaseLost();
}
