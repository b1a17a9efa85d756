package io.mykit.delay.test.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.console.ConsoleChannelFactory;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.HeaderNames;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ConsoleChannelIT extends DeliveryChannelContract {
    private static final ByteArrayOutputStream PRINTED = new ByteArrayOutputStream();
    private static PrintStream real;

    @BeforeAll
    static void catchOutput() {
        real = System.out;
        System.setOut(new PrintStream(PRINTED, true, UTF_8));
    }

    @AfterAll
    static void letOutputGo() {
        System.setOut(real);
    }

    @Override
    protected DeliveryChannel open() {
        return ChannelConfig.open(new ConsoleChannelFactory(), Map.of());
    }

    @Override
    protected Inbox inbox(String topic) {
        return new Inbox() {
            @Override
            public List<Arrival> arrivals() {
                return PRINTED.toString(UTF_8)
                        .lines()
                        .map(line -> line.split("\t", -1))
                        .filter(fields -> fields.length == 4 && fields[1].equals(topic))
                        .map(ConsoleChannelIT::arrival)
                        .toList();
            }

            @Override
            public void close() {
                // The test holds no resource open.
            }
        };
    }

    @Override
    protected HeaderNames headerNames() {
        return HeaderNames.NONE;
    }

    @Override
    protected Optional<DelayMessage> undeliverable(String topic) {
        return Optional.empty();
    }

    /** The line shows no subtopic and no business key. */
    @Override
    protected Arrival expected(DelayMessage message) {
        Arrival full = Messages.expected(message);
        return new Arrival(full.id(), "", "", full.dueTimeMs(), full.body(), 0, Map.of());
    }

    private static Arrival arrival(String[] fields) {
        String body = fields[3]
                .replace("\\n", "\n")
                .replace("\\r", "\r")
                .replace("\\t", "\t")
                .replace("\\u0000", "\u0000")
                .replace("\\u0001", "\u0001")
                .replace("\\u0002", "\u0002")
                .replace("\\\\", "\\");
        return new Arrival(fields[0], "", "", Instant.parse(fields[2]).toEpochMilli(), body, 0, Map.of());
    }
}
