package io.mykit.delay.lmstfy;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.SettingsSection;
import java.util.List;
import java.util.Map;

/** Declares {@code mykit.delay.lmstfy.*}. It loads no class of Vert.x. */
public final class LmstfySection implements SettingsSection {
    /** The name of the section. */
    public static final String NAME = "lmstfy";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return LmstfySettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new LmstfySettings(settings).check(problems);
    }

    /** Whether the server has a port for clients of lmstfy. */
    public static boolean isOn(ChannelSettings settings) {
        return new LmstfySettings(settings).port().isPresent();
    }

    /** The rule that makes the topics of lmstfy's queues pulled ones, by full key; empty = the operator writes rules. */
    public static Map<String, String> rules(ChannelSettings settings) {
        LmstfySettings own = new LmstfySettings(settings);
        return own.port().isEmpty() || own.prefix().isEmpty()
                ? Map.of()
                : Map.of("mykit.delay.delivery.topics.\"" + own.prefix() + "*\".channel", "pull");
    }
}
