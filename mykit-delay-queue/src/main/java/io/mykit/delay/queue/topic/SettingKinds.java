package io.mykit.delay.queue.topic;

import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.metric.TopicMeters;
import java.util.List;

/** The kinds of settings that this version knows. */
public final class SettingKinds {
    private SettingKinds() {}

    /**
     * Makes all kinds.
     *
     * @param policies get the policies that operators set
     * @param channels get the channels
     * @param namespaces those of teams
     * @param meters get the topics with metrics of their own
     */
    public static List<SettingKind> all(
            TopicPolicies policies, Channels channels, Namespaces namespaces, TopicMeters meters) {
        return List.of(
                new PolicySettings(policies), new RouteSettings(channels, namespaces), new MetricSettings(meters));
    }
}
