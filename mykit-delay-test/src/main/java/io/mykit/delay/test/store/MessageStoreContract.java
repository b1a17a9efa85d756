package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.InsertResult.Kind;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every database has to do for the message store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class MessageStoreContract {
    private static final long NOW = T0 + 123_456;

    protected TestDatasource datasource;
    protected MessageStore store;

    /** An empty database. */
    protected abstract TestDatasource emptyDatabase();

    /** The same database, over a session with this time zone, such as {@code +09:00}. */
    protected abstract TestDatasource inTimeZone(TestDatasource database, String zone);

    @BeforeAll
    void openStore() {
        datasource = emptyDatabase();
        store = open(datasource);
    }

    @AfterAll
    void closeStore() {
        store.close();
    }

    @BeforeEach
    void emptyTables() {
        sql("DELETE FROM mykit_delay_queue_job");
        sql("DELETE FROM mykit_delay_queue_job_log");
        sql("DELETE FROM mykit_delay_queue_epoch");
    }

    protected static MessageStore open(TestDatasource datasource) {
        return MyBatisMessageStore.open(
                datasource, datasource.url(), "node-1", InstantSource.fixed(Instant.ofEpochMilli(NOW)));
    }

    @Test
    void keepsEveryFieldOfAMessage() {
        DelayMessage message =
                new DelayMessage("20", "ces", "sub", "biz-7", "{hello world}", 10_000, T0, T0 + 10_000, 9, 12);

        assertThat(store.insert(List.of(new NewMessage(message, WAIT_PUT)))).containsExactly(InsertResult.INSERTED);

        assertThat(store.find("20")).contains(new StoredMessage(message, WAIT_PUT, 0, NOW));
        assertThat(store.states(List.of("20"))).containsExactly(new RowState("20", WAIT_PUT, T0 + 10_000, T0, 0));
        String thread = Thread.currentThread().getName();
        assertThat(store.flow("20"))
                .containsExactly(new StatusFlow("20", null, WAIT_PUT, NOW, thread, "node-1", 0, ""));
        assertThat(store.find("21")).isEmpty();
        assertThat(store.flow("21")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\uD83D\uDE80 \u4F60\u597D \u00FC",
                "nul\0inside\0",
                "\\ ' \" % _ ` \r\n\t ? ;",
                "\0",
                "  "
            })
    void keepsEveryCharacter(String text) {
        String id = "i" + text + "i";
        DelayMessage message = new DelayMessage(id, "t" + text, text + "s", text + "b", text, 1, T0, T0 + 1, 0, 0);
        store.insert(List.of(fresh(message)));

        assertThat(store.find(id).orElseThrow().message()).isEqualTo(message);
        assertThat(store.move(List.of(move(id, DELAY, READY)))).isEmpty();
        assertThat(store.flow(id)).hasSize(2);
    }

    @Test
    void keepsLongBodies() {
        String body = "\uD83D\uDE80\0'x".repeat(1 << 18);
        List<NewMessage> batch = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            batch.add(fresh(message("long-" + i, body + i)));
        }
        assertThat(store.insert(batch)).allMatch(r -> r.kind() == Kind.INSERTED);
        assertThat(store.find("long-19").orElseThrow().message().body()).isEqualTo(body + 19);
    }

    @Test
    void idsThatDifferInCaseOrAccentAreDifferent() {
        List<String> ids = List.of("id", "ID", "Id", "\u00EDd", "i\u0301d");
        assertThat(store.insert(ids.stream().map(Messages::fresh).toList())).allMatch(r -> r.kind() == Kind.INSERTED);
        assertThat(store.find(ids)).hasSize(5);
        assertThat(store.find("iD")).isEmpty();
    }

    @Test
    void sameContentIsARetryAndOtherContentAConflict() {
        store.insert(List.of(fresh("a"), fresh("b")));

        List<InsertResult> results =
                store.insert(List.of(fresh("new"), fresh("a"), fresh(message("b", "other")), fresh("newer")));

        assertThat(results)
                .extracting(InsertResult::kind)
                .containsExactly(Kind.INSERTED, Kind.SAME, Kind.CONFLICT, Kind.INSERTED);
        assertThat(results.get(1).existing().message()).isEqualTo(fresh("a").message());
        assertThat(results.get(2).existing().status()).isEqualTo(DELAY);
        assertThat(store.find("b").orElseThrow().message()).isEqualTo(fresh("b").message());
        assertThat(store.flow("a")).hasSize(1);
        assertThat(count("mykit_delay_queue_job_log")).isEqualTo(4);
    }

    @Test
    void sameIdTwiceInABatch() {
        List<InsertResult> results =
                store.insert(List.of(fresh("a"), fresh("a"), fresh(message("a", "other")), fresh("b")));

        assertThat(results)
                .extracting(InsertResult::kind)
                .containsExactly(Kind.INSERTED, Kind.SAME, Kind.CONFLICT, Kind.INSERTED);
        assertThat(store.flow("a")).hasSize(1);
        // The very same object twice is a repetition as well.
        NewMessage once = fresh("c");
        assertThat(store.insert(List.of(once, once)))
                .extracting(InsertResult::kind)
                .containsExactly(Kind.INSERTED, Kind.SAME);
    }

    @Test
    void insertsNothingOfNothing() {
        assertThat(store.insert(List.of())).isEmpty();
        assertThat(store.find(List.of())).isEmpty();
        assertThat(store.states(List.of())).isEmpty();
        assertThat(store.move(List.of())).isEmpty();
    }

    @Test
    void aBatchThatFailsLeavesNothing() {
        List<NewMessage> batch = new ArrayList<>(fresh("x", 1500));
        batch.add(fresh(new DelayMessage("t".repeat(129), "orders", "", "", "", 1, T0, T0 + 1, 0, 0)));

        assertThatThrownBy(() -> store.insert(batch))
                .isInstanceOf(DelayException.class)
                .isNotInstanceOf(StoreUnavailableException.class)
                .satisfies(e -> assertThat(((DelayException) e).code()).isEqualTo(ErrorCode.INTERNAL));
        assertThat(count("mykit_delay_queue_job")).isZero();
        assertThat(count("mykit_delay_queue_job_log")).isZero();
    }

    @Test
    void movesABigBatchAlongItsWay() {
        List<NewMessage> batch = fresh("m", 1000);
        assertThat(store.insert(batch)).hasSize(1000).allMatch(r -> r.kind() == Kind.INSERTED);

        List<Transition> moves = batch.stream()
                .map(m -> move(m.message().id(), DELAY, READY, FINISH))
                .toList();
        assertThat(store.move(moves)).isEmpty();

        List<String> ids = batch.stream().map(m -> m.message().id()).toList();
        assertThat(store.states(ids)).hasSize(1000).allMatch(s -> s.status() == FINISH);
        assertThat(store.flow("m0999"))
                .extracting(StatusFlow::from, StatusFlow::to)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(null, DELAY),
                        org.assertj.core.groups.Tuple.tuple(DELAY, READY),
                        org.assertj.core.groups.Tuple.tuple(READY, FINISH));
        assertThat(count("mykit_delay_queue_job_log")).isEqualTo(3000);
    }

    @Test
    void aMoveIsLoggedWithWhoWhenAndWhy() {
        store.insert(List.of(fresh("a")));
        List<Transition.Step> steps = List.of(
                new Transition.Step(READY, T0 + 7), new Transition.Step(DELAY, T0 + 8, "\uD83D\uDE80".repeat(126)));

        store.move(List.of(new Transition("a", DELAY, steps, "bucket-".repeat(10), 2)));

        assertThat(store.flow("a"))
                .element(1)
                .isEqualTo(new StatusFlow(
                        "a", DELAY, READY, T0 + 7, "bucket-".repeat(10).substring(0, 60), "node-1", 2, ""));
        assertThat(store.flow("a"))
                .element(2)
                .isEqualTo(new StatusFlow(
                        "a",
                        READY,
                        DELAY,
                        T0 + 8,
                        "bucket-".repeat(10).substring(0, 60),
                        "node-1",
                        2,
                        "\uD83D\uDE80".repeat(125)));
        assertThat(store.find("a").orElseThrow().attempts()).isEqualTo(2);
    }

    @Test
    void whatLostItsRaceIsLeftOutAndTheRestMoves() {
        store.insert(List.of(fresh("a"), fresh("b"), fresh("c"), fresh("d")));
        store.move(List.of(move("b", DELAY, DELETE)));

        Set<String> lost = store.move(List.of(
                move("d", DELAY, READY),
                move("c", DELAY, DELETE),
                move("b", DELAY, READY),
                move("unknown", DELAY, READY),
                move("a", DELAY, READY)));

        assertThat(lost).containsExactlyInAnyOrder("b", "unknown");
        assertThat(store.states(List.of("a", "b", "c", "d")))
                .extracting(RowState::id, RowState::status)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("a", READY),
                        org.assertj.core.groups.Tuple.tuple("b", DELETE),
                        org.assertj.core.groups.Tuple.tuple("c", DELETE),
                        org.assertj.core.groups.Tuple.tuple("d", READY));
        assertThat(store.flow("b")).hasSize(2);
        assertThat(store.flow("unknown")).isEmpty();
        assertThat(count("mykit_delay_queue_job_log")).isEqualTo(8);
    }

    @Test
    void oneMessageMayMoveTwiceInACall() {
        store.insert(List.of(fresh("a")));
        assertThat(store.move(List.of(move("a", DELAY, READY), move("a", READY, FINISH))))
                .isEmpty();
        assertThat(store.find("a").orElseThrow().status()).isEqualTo(FINISH);
        assertThat(store.flow("a")).extracting(StatusFlow::to).containsExactly(DELAY, READY, FINISH);
    }

    @Test
    void aMoveThatChangesNothingInTheRowCountsAsMade() {
        store.insert(List.of(fresh("a")));
        assertThat(store.move(List.of(move("a", DELAY, DELAY)))).isEmpty();
        assertThat(store.flow("a")).hasSize(2);
    }

    @Test
    void rewritesAllButTheId() {
        store.insert(List.of(fresh("a")));
        DelayMessage other = new DelayMessage("a", "other", "s", "k", "new body", 5, T0 + 1, T0 + 6, 1, 2);

        assertThat(store.rewrite(other, move("a", DELAY, WAIT_PUT))).isTrue();
        assertThat(store.find("a")).contains(new StoredMessage(other, WAIT_PUT, 0, NOW));
        assertThat(store.flow("a")).extracting(StatusFlow::to).containsExactly(DELAY, WAIT_PUT);

        assertThat(store.rewrite(message("a", "third"), move("a", DELAY, DELAY)))
                .isFalse();
        assertThat(store.rewrite(message("none", "x"), move("none", DELAY, DELAY)))
                .isFalse();
        assertThat(store.find("a").orElseThrow().message()).isEqualTo(other);
        assertThat(store.flow("a")).hasSize(2);
    }

    @Test
    void epochsOnlyGrow() {
        assertThat(store.nextEpoch("q", 5)).isEqualTo(5);
        assertThat(store.nextEpoch("q", 1)).isEqualTo(6);
        assertThat(store.nextEpoch("q", 6)).isEqualTo(7);
        assertThat(store.nextEpoch("q", 100)).isEqualTo(100);
        assertThat(store.nextEpoch("other", 1)).isEqualTo(1);
    }

    @Test
    void timesDoNotDependOnTimeZones() throws SQLException {
        TimeZone before = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
            try (MessageStore west = open(inTimeZone(datasource, "-05:00"))) {
                west.insert(List.of(fresh("a")));
                west.move(List.of(move("a", DELAY, READY)));
            }
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
            try (MessageStore east = open(inTimeZone(datasource, "+09:00"))) {
                assertThat(east.find("a").orElseThrow().updateTimeMs()).isEqualTo(NOW);
                assertThat(east.flow("a")).extracting(StatusFlow::atMs).containsExactly(NOW, T0 + 5);
            }
        } finally {
            TimeZone.setDefault(before);
        }
        assertThat(text("SELECT update_time FROM mykit_delay_queue_job")).startsWith("2023-11-14 22:15:23.456");
    }

    @Test
    void isHealthy() {
        assertThat(store.name()).isEqualTo("store");
        assertThat(store.check().up()).isTrue();
    }

    private long count(String table) {
        return Long.parseLong(text("SELECT count(*) FROM " + table));
    }

    private String text(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private void sql(String update) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(update);
        } catch (SQLException e) {
            throw new IllegalStateException(update, e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                datasource.url(), datasource.username().orElse(""), "");
    }
}
