package org.example.channel;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.HeaderNames;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/** The suite that every channel passes, on this one. */
class FileChannelContractTest extends DeliveryChannelContract {
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    @TempDir
    Path dir;

    @Override
    protected DeliveryChannel open() {
        FileChannelFactory factory = new FileChannelFactory();
        Map<String, String> settings = Map.of("path", file().toString());
        return factory.open(ChannelSettings.of(factory.name(), factory.keys(), settings, Duration.ofSeconds(10)));
    }

    @Override
    protected Inbox inbox(String topic) {
        return new Inbox() {
            @Override
            public List<Arrival> arrivals() {
                return read().stream()
                        .filter(fields -> fields.get(1).equals(topic))
                        .map(FileChannelContractTest::arrival)
                        .toList();
            }

            @Override
            public void close() {
                // The file is opened for each look.
            }
        };
    }

    @Override
    protected HeaderNames headerNames() {
        return HeaderNames.NONE;
    }

    @Override
    protected Optional<DelayMessage> undeliverable(String topic) {
        return Optional.of(Messages.batch(topic, 1, 3 * 1024 * 1024).get(0));
    }

    private Path file() {
        return dir.resolve("messages.tsv");
    }

    private List<List<String>> read() {
        try {
            String all = Files.exists(file()) ? Files.readString(file()) : "";
            // Behind the last line end there may be half a line.
            return Arrays.stream(all.substring(0, all.lastIndexOf('\n') + 1).split("\n"))
                    .map(line -> List.of(line.split("\t", -1)))
                    .filter(fields -> fields.size() == 6)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Arrival arrival(List<String> fields) {
        List<String> texts =
                fields.stream().map(FileChannelContractTest::unescaped).toList();
        long dueTimeMs = Long.parseLong(texts.get(4));
        return new Arrival(texts.get(0), texts.get(2), texts.get(3), dueTimeMs, texts.get(5), 0, Map.of());
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text).replaceAll(FileChannelContractTest::character);
    }

    private static String character(MatchResult escape) {
        return switch (escape.group(1)) {
            case "t" -> "\t";
            case "n" -> "\n";
            case "r" -> "\r";
            default -> "\\\\";
        };
    }
}
