package io.mykit.delay.channel;

import io.mykit.delay.common.value.ValueParser;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The section of one channel in the configuration, {@code mykit.delay.<channel>.*}, and the settings that all channels
 * share. A channel sees no other section. Immutable.
 */
public final class ChannelSettings {
    private static final String ROOT = "mykit.delay.";
    private static final String TOPICS = "topics.";

    private final String section;
    /** The values by the key's name. A key without value and default is not in it. */
    private final Map<String, Object> values = new HashMap<>();
    /** The values of topics: by the key's name, and by the topic's name. */
    private final Map<String, Map<String, Object>> ofTopics = new HashMap<>();
    /** The members of families: by the key's name, and by the name inside the family. */
    private final Map<String, Map<String, Object>> families = new HashMap<>();

    private final Duration sendTimeout;
    private final boolean inUse;

    private ChannelSettings(String section, Duration sendTimeout, boolean inUse) {
        this.section = section;
        this.sendTimeout = sendTimeout;
        this.inUse = inUse;
    }

    /** Settings for the test of a channel: the channel is in use, with its defaults and the given values. */
    public static ChannelSettings of(
            String channel, List<ChannelKey<?>> keys, Map<String, String> given, Duration sendTimeout) {
        return of(channel, keys, given, sendTimeout, true);
    }

    /**
     * Settings of the defaults and the given values.
     *
     * @param channel its name
     * @param keys the keys that the channel declares
     * @param given values by the key's name inside the section; an empty one counts as missing. The value of a topic is
     *     {@code topics.<topic>.<key>}, a member of a family {@code <key>.<member>}
     * @throws IllegalArgumentException if a key does not exist or its value cannot be read; the message names the key
     */
    public static ChannelSettings of(
            String channel, List<ChannelKey<?>> keys, Map<String, String> given, Duration sendTimeout, boolean inUse) {
        ChannelSettings settings = new ChannelSettings(ROOT + channel, sendTimeout, inUse);
        Set<String> unknown = new TreeSet<>(given.keySet());
        for (ChannelKey<?> key : keys) {
            unknown.remove(key.name());
            if (key.byTopic()) {
                unknown.removeIf(name -> settings.readOfTopic(key, name, given.get(name)));
            }
            if (key.family()) {
                unknown.removeIf(name -> settings.readOfFamily(key, name, given.get(name)));
            }
            Optional.ofNullable(given.get(key.name()))
                    .filter(text -> !text.isEmpty())
                    .or(key::defaultValue)
                    .ifPresent(text -> settings.values.put(key.name(), parsed(key, settings.name(key), text)));
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(settings.section + " has no such keys: " + String.join(", ", unknown));
        }
        return settings;
    }

    /**
     * The value of a key that has a default, or that the channel requires.
     *
     * @throws IllegalArgumentException if there is no value; the message names the key
     */
    public <T> T get(ChannelKey<T> key) {
        return find(key).orElseThrow(() -> new IllegalArgumentException(name(key) + " is missing"));
    }

    /** The value of a key; empty if there is neither a value nor a default. */
    public <T> Optional<T> find(ChannelKey<T> key) {
        return Optional.ofNullable(values.get(key.name())).map(key.type()::cast);
    }

    /**
     * The values of a key that is {@link ChannelKey#perTopic}. For a topic that has none, the value or the default of the
     * section counts.
     */
    public <T> TopicValues<T> byTopic(ChannelKey<T> key) {
        Map<String, T> own = new TreeMap<>();
        ofTopics.getOrDefault(key.name(), Map.of())
                .forEach((topic, value) -> own.put(topic, key.type().cast(value)));
        return new TopicValues<>(own, find(key));
    }

    /** The members of a key that is a family ({@link ChannelKey#secrets}), by their names inside it, in their order. */
    public <T> Map<String, T> family(ChannelKey<T> key) {
        Map<String, T> members = new TreeMap<>();
        families.getOrDefault(key.name(), Map.of())
                .forEach((name, value) -> members.put(name, key.type().cast(value)));
        return members;
    }

    /** The full name of a key, for messages to a person. */
    public String name(ChannelKey<?> key) {
        return section + "." + key.name();
    }

    /**
     * The full name of the key of a topic, which is in quotes, because it may have dots; or of a member of a family.
     *
     * @param part the topic, or the name inside the family
     */
    public String name(ChannelKey<?> key, String part) {
        return key.family() ? name(key) + "." + part : section + "." + TOPICS + '"' + part + "\"." + key.name();
    }

    /** {@code mykit.delay.<channel>} */
    public String section() {
        return section;
    }

    /** {@code delivery.send-timeout}: the time that one call of {@link DeliveryChannel#deliver} may take. */
    public Duration sendTimeout() {
        return sendTimeout;
    }

    /** Whether {@code delivery.default-channel} or one of {@code delivery.topics} names this channel. */
    public boolean inUse() {
        return inUse;
    }

    /** Leaves the values out, because some are secrets. */
    @Override
    public String toString() {
        return "ChannelSettings[" + section + ", keys=" + new TreeSet<>(values.keySet()) + "]";
    }

    /** Whether {@code name} is this key of a topic. */
    private boolean readOfTopic(ChannelKey<?> key, String name, String text) {
        int end = name.length() - key.name().length() - 1;
        if (!name.startsWith(TOPICS) || end <= TOPICS.length() || !name.endsWith("." + key.name())) {
            return false;
        }
        String topic = name.substring(TOPICS.length(), end).replace("\"", "");
        if (!text.isEmpty()) {
            ofTopics.computeIfAbsent(key.name(), any -> new TreeMap<>())
                    .put(topic, parsed(key, name(key, topic), text));
        }
        return true;
    }

    /** Whether {@code name} is a member of this family. */
    private boolean readOfFamily(ChannelKey<?> key, String name, String text) {
        String prefix = key.name() + ".";
        if (!name.startsWith(prefix) || name.length() == prefix.length()) {
            return false;
        }
        String member = name.substring(prefix.length()).replace("\"", "");
        if (!text.isEmpty()) {
            families.computeIfAbsent(key.name(), any -> new TreeMap<>())
                    .put(member, parsed(key, name(key, member), text));
        }
        return true;
    }

    private static Object parsed(ChannelKey<?> key, String name, String text) {
        try {
            return ValueParser.parse(key.type(), text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " " + e.getMessage(), e);
        }
    }
}
