package io.mykit.delay.config;

import java.util.Optional;

/**
 * {@code mykit.delay.delivery.topics.<topic>.*}. In the file each key below {@code topics} is one topic, whose value is a
 * channel or a section with these keys:
 *
 * <pre>{@code
 * topics:
 *   orders: console
 *   stock.changes:
 *     channel: console
 * }</pre>
 *
 * <p>In one line, as on the command line, a topic may have dots and slashes as well. The last part of such a name is a key
 * of the section if it is one of these methods; otherwise it belongs to the topic: {@code topics.stock.changes=console} and
 * {@code topics.stock.changes.channel=console} mean the same. So a topic that is called {@code a.channel} is written {@code
 * topics.a.channel.channel}, or in quotes, {@code topics."a.channel"}. A last part that is nearly a key is refused, and so is
 * a key of the file such as {@code a.channel} with a value, which could mean both.
 */
public interface TopicConfig {
    /** The channel of the topic; the default channel if it is not set. */
    @PlainValue
    Optional<String> channel();
}
