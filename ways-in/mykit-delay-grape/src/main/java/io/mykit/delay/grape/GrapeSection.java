package io.mykit.delay.grape;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.SettingsSection;
import java.util.List;
import java.util.Map;

/** Declares {@code mykit.delay.grape.*}. It loads no class of Vert.x. */
public final class GrapeSection implements SettingsSection {
    /** The name of the section. */
    public static final String NAME = "grape";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return GrapeSettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new GrapeSettings(settings).check(problems);
    }

    /** Whether the server has a port for clients of Grape. */
    public static boolean isOn(ChannelSettings settings) {
        return new GrapeSettings(settings).port().isPresent();
    }

    /** The rule that makes the topics of tubes pulled ones, by full key. */
    public static Map<String, String> rules(ChannelSettings settings) {
        GrapeSettings own = new GrapeSettings(settings);
        return own.port().isEmpty()
                ? Map.of()
                : Map.of("mykit.delay.delivery.topics.\"" + own.prefix() + "*\".channel", "pull");
    }
}
