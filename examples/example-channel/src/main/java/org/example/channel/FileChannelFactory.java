package org.example.channel;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The channel {@code file}; the service file in {@code META-INF/services} names this class. */
public final class FileChannelFactory implements DeliveryChannelFactory {
    private static final ChannelKey<Path> PATH =
            ChannelKey.path("path", "The file that messages are appended to. Needed as soon as a topic goes to file.");
    private static final ChannelKey<Integer> MAX_LINE = ChannelKey.number(
                    "max-line", "The longest line, in bytes. A longer message is refused.")
            .withDefault("2097152");

    @Override
    public String name() {
        return "file";
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return List.of(PATH, MAX_LINE);
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        if (settings.inUse() && settings.find(PATH).isEmpty()) {
            problems.add(PATH, "is needed because delivery.* names file");
        }
        if (settings.get(MAX_LINE) < 1024) {
            problems.add(MAX_LINE, "must be at least 1024");
        }
    }

    @Override
    public Optional<String> address(ChannelSettings settings) {
        return settings.find(PATH).map(Path::toString);
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        return new LineFile(settings.get(PATH), settings.get(MAX_LINE));
    }
}
