package io.mykit.delay.ingest.kafka;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.SettingsSection;
import java.util.List;
import java.util.Optional;

/** Declares {@code mykit.delay.ingest.kafka.*}. It loads no class of the client library. */
public final class KafkaIngestSection implements SettingsSection {
    /** The name of the section. */
    public static final String NAME = "ingest.kafka";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return IngestSettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new IngestSettings(settings).check(problems);
    }

    /** The brokers and the topic, for a person; empty = no message comes by Kafka. */
    public static Optional<String> address(ChannelSettings settings) {
        IngestSettings own = new IngestSettings(settings);
        return own.connection().bootstrapServers().map(servers -> servers + ", topic " + own.topic());
    }
}
