package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is locked by another program, and one that cannot grow. */
@Tag("long")
class SqliteFaultIT {
    @TempDir
    Path dir;

    @Test
    void aLockOfAnotherProgramIsWaitedForAndThenReported() throws SQLException {
        TestDatasource impatient = datasource("").with(Duration.ofSeconds(3));
        try (MessageStore store = StoreFixture.open(impatient)) {
            store.insert(List.of(fresh("before")));
            try (Connection other = DriverManager.getConnection(impatient.url());
                    Statement statement = other.createStatement()) {
                statement.execute("BEGIN IMMEDIATE");
                assertThat(store.find("before")).as("reading goes on").isPresent();
                assertThatThrownBy(() -> store.insert(List.of(fresh("locked out"))))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("locked by others");
                statement.execute("ROLLBACK");
            }
            assertThat(store.insert(List.of(fresh("after")))).containsExactly(InsertResult.INSERTED);
        }
    }

    /** As with a full disk: the message is refused, nothing of it stays, and a smaller message is accepted. */
    @Test
    void whatFindsNoSpaceIsRefusedAndTheNextGoesIn() {
        try (MessageStore store = StoreFixture.open(datasource("?max_page_count=60"))) {
            store.insert(List.of(fresh("before")));
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> store.insert(List.of(fresh("a"), fresh(message("z", "x".repeat(1 << 20))))))
                        .isInstanceOf(StoreUnavailableException.class);
            }
            assertThat(store.states(List.of("a", "z"))).isEmpty();
            assertThat(store.insert(List.of(fresh("after")))).containsExactly(InsertResult.INSERTED);
            assertThat(store.move(List.of(move("before", DELAY, READY)))).isEmpty();
            assertThat(store.check().up()).isTrue();
        }
    }

    private TestDatasource datasource(String parameters) {
        return TestDatasource.of("jdbc:sqlite:" + dir.resolve("store.db").toUri() + parameters, "");
    }
}
