package io.mykit.delay.queue.topic;

import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.queue.delivery.Channels;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The channels that operators give to topics. */
final class RouteSettings implements SettingKind {

    private final Channels channels;
    private final Namespaces namespaces;

    /**
     * @param channels get what operators set
     * @param namespaces those of teams
     */
    RouteSettings(Channels channels, Namespaces namespaces) {
        this.channels = channels;
        this.namespaces = namespaces;
    }

    @Override
    public boolean has(String name) {
        return name.equals(CHANNEL);
    }

    @Override
    public void check(String topic, Map<String, String> before, Map<String, Optional<String>> changes) {
        changes.get(CHANNEL)
                .flatMap(channel -> channels.refusal(topic, channel, namespaces)
                        .map(reason -> CHANNEL + " = " + channel + ": " + reason))
                .ifPresent(problem -> {
                    throw new IllegalArgumentException(problem);
                });
    }

    /** A channel that this node does not have counts, too: the messages must not go elsewhere, so they wait. */
    @Override
    public void use(Map<String, Map<String, String>> byTopic, Set<String> changed) {
        Map<String, String> own = new HashMap<>();
        byTopic.forEach((topic, values) -> own.put(topic, values.get(CHANNEL)));
        channels.set(own);
    }
}
