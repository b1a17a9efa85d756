package io.mykit.delay.channel.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.Fates;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Prints one line per message: id, topic, due time, body. A message is delivered when the operating system has taken its
 * line. Thread-safe.
 */
final class ConsoleChannel implements DeliveryChannel {
    /** Guarded by itself, so that batches do not mix. Never closed, because stdout belongs to the process. */
    private final PrintStream out;

    ConsoleChannel(PrintStream out) {
        this.out = out;
    }

    @Override
    public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
        byte[] lines =
                batch.stream().map(ConsoleChannel::line).collect(joining()).getBytes(UTF_8);
        return Fates.all(batch, print(lines));
    }

    @Override
    public Health health() {
        return Health.up(Map.of());
    }

    @Override
    public void close() {
        // The channel holds nothing open.
    }

    private Delivery print(byte[] lines) {
        synchronized (out) {
            out.write(lines, 0, lines.length);
            // This call flushes. After one failed write the stream reports the error for ever.
            return out.checkError() ? Delivery.unavailable("stdout refuses writes") : Delivery.DELIVERED;
        }
    }

    private static String line(DelayMessage message) {
        return oneLine(message.id()) + "\t" + oneLine(message.topic()) + "\t"
                + Instant.ofEpochMilli(message.firstDueMs()) + "\t" + oneLine(message.body()) + "\n";
    }

    /** Escapes control characters, so that a message cannot start a new line or send commands to the terminal. */
    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            switch (c) {
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (Character.isISOControl(c)) {
                        line.append(String.format("\\u%04x", c));
                    } else {
                        line.append((char) c);
                    }
                }
            }
        });
        return line.toString();
    }
}
