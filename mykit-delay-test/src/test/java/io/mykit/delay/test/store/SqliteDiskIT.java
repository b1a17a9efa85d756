package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.core.embedded.EmbeddedStore;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk space of messages in the embedded store, with the small commits of a steady stream. */
@Tag("nightly")
class SqliteDiskIT {
    private static final int MESSAGES = 8000;
    private static final int COMMIT = 10;
    private static final long MAX_BYTES_A_MESSAGE = 2000;

    @TempDir
    Path dir;

    /** Counts the flow log and all indexes, in all files. */
    @Test
    void aMessageTakesLittleAndItsSpaceIsUsedAgain() {
        EmbeddedStore embedded = new EmbeddedStore(dir);
        embedded.start();
        try (MessageStore store =
                StoreFixture.open(TestDatasource.of(embedded.settings().get("mykit.delay.datasource.url"), ""))) {
            CompletableFuture<Void> readers = new CompletableFuture<>();
            CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> readUntil(readers, store));

            List<String> ids = deliverAll(store);
            long full = bytes();
            assertThat(full / MESSAGES).as("bytes a message").isLessThan(MAX_BYTES_A_MESSAGE);

            for (List<String> some : parts(ids, 100)) {
                assertThat(store.remove(FINISH, StoreFixture.NOW + 1, some)).isEqualTo(some.size());
            }
            deliverAll(store);
            assertThat(bytes()).as("bytes after as many were removed as came").isLessThan(full + full / 4);
            readers.complete(null);
            reading.join();
        }
        embedded.close();
    }

    /** As the gate does, all the time: the log must not grow for that. */
    private static void readUntil(CompletableFuture<Void> end, MessageStore store) {
        while (!end.isDone()) {
            store.states(List.of("none"));
            LockSupport.parkNanos(100_000);
        }
    }

    /** Each commit is a small one: ten messages come, and the messages that came a while ago are delivered. */
    private static List<String> deliverAll(MessageStore store) {
        List<String> ids = new ArrayList<>();
        int delivered = 0;
        while (delivered < MESSAGES) {
            if (ids.size() < MESSAGES) {
                List<NewMessage> batch =
                        Stream.generate(SqliteDiskIT::message).limit(COMMIT).toList();
                store.insert(batch);
                batch.forEach(item -> ids.add(item.message().id()));
            }
            if (ids.size() == MESSAGES || ids.size() - delivered > 1000) {
                List<String> due = ids.subList(delivered, delivered + COMMIT);
                assertThat(store.move(due.stream()
                                .map(id -> move(id, DELAY, READY, FINISH))
                                .toList()))
                        .isEmpty();
                delivered += COMMIT;
            }
        }
        return ids;
    }

    private static NewMessage message() {
        String id = UUID.randomUUID().toString();
        return fresh(MessageBuilder.withId(id)
                .topic("orders")
                .body("x".repeat(100))
                .created(T0)
                .delay(10_000)
                .build());
    }

    private static List<List<String>> parts(List<String> ids, int size) {
        return Stream.iterate(0, from -> from < ids.size(), from -> from + size)
                .map(from -> ids.subList(from, Math.min(ids.size(), from + size)))
                .toList();
    }

    private long bytes() {
        try (Stream<Path> files = Files.list(dir.resolve("store"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
