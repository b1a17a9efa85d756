package org.example.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Appends messages to a file. A message is delivered when the disk has its line; a message that is too long is refused, and the
 * others of its batch go without it. The file is opened for each batch, so it may be moved away at any time. Thread-safe.
 */
final class LineFile implements DeliveryChannel {
    private final Path file;
    private final int maxLine;
    /** Guarded by this. */
    private boolean closed;

    LineFile(Path file, int maxLine) {
        this.file = file;
        this.maxLine = maxLine;
    }

    @Override
    public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
        List<Delivery> fates = new ArrayList<>(Collections.nCopies(batch.size(), null));
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int i = 0; i < batch.size(); i++) {
            Optional<String> objection = objection(batch.get(i));
            if (objection.isPresent()) {
                fates.set(i, Delivery.refused(objection.get()));
            } else {
                lines.writeBytes(line(batch.get(i)));
            }
        }
        Delivery together = append(ByteBuffer.wrap(lines.toByteArray()));
        fates.replaceAll(fate -> fate == null ? together : fate);
        return fates;
    }

    @Override
    public Optional<String> objection(DelayMessage message) {
        int bytes = line(message).length;
        return bytes <= maxLine ? Optional.empty() : Optional.of("a line of " + bytes + " bytes is above " + maxLine);
    }

    @Override
    public Health health() {
        Path place = Files.exists(file) ? file : file.toAbsolutePath().getParent();
        return Files.isWritable(place) && !Files.isDirectory(file)
                ? Health.up(Map.of("file", file.toString()))
                : Health.down(file + " cannot be written to");
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    /** The fate of all lines: a disk that does not take them is no message's fault, so no attempt is counted. */
    private synchronized Delivery append(ByteBuffer lines) {
        if (closed) {
            return Delivery.unavailable("the channel is closed");
        }
        try (FileChannel out = FileChannel.open(file, CREATE, WRITE)) {
            long end = out.size();
            try {
                out.position(end);
                while (lines.hasRemaining()) {
                    out.write(lines);
                }
                out.force(false);
                return Delivery.DELIVERED;
            } catch (IOException e) {
                // Half a batch would come a second time. If even this fails, it does: the promise is at least
                // once.
                out.truncate(end);
                throw e;
            }
        } catch (IOException e) {
            return Delivery.unavailable(Reasons.of(e));
        }
    }

    private static byte[] line(DelayMessage message) {
        return String.join(
                        "\t",
                        oneLine(message.id()),
                        oneLine(message.topic()),
                        oneLine(message.subtopic()),
                        oneLine(message.bizKey()),
                        Long.toString(message.dueTimeMs()),
                        oneLine(message.body()))
                .concat("\n")
                .getBytes(UTF_8);
    }

    private static String oneLine(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }
}
