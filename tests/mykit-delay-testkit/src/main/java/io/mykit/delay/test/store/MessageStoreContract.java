package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.move;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.QueueIdentity;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.Transition;
import java.sql.SQLException;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** The contract of the message store on every database. */
public abstract class MessageStoreContract extends StoreFixture implements StoreContract {
    @Test
    void belongsToTheQueueThatCameFirst() {
        QueueIdentity first = new QueueIdentity("first");
        store.claim(first);
        store.claim(first);
        assertThat(store.nextEpoch("first", 1)).isEqualTo(1);
        store.claim(first);
        assertThat(queues()).isEqualTo(1);
        assertThatThrownBy(() -> store.claim(new QueueIdentity("o'ther")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "belongs to the queue 'first', and this node's is 'o''ther'",
                        datasource.url().split("[?;]", 2)[0],
                        "mykit.delay.queue.name",
                        "mykit.delay.datasource.url")
                .hasMessageEndingWith("UPDATE mykit_delay_queue_epoch SET name = 'o''ther' WHERE name = 'first'");

        sql("UPDATE mykit_delay_queue_epoch SET name = 'o''ther' WHERE name = 'first'");
        store.claim(new QueueIdentity("o'ther"));
        assertThatThrownBy(() -> store.claim(first)).isInstanceOf(ConfigException.class);
    }

    @Test
    void thatTwoQueuesHaveWorkedOnItIsSaidToBoth() {
        store.nextEpoch("a", 1);
        store.nextEpoch("b", 1);
        for (String own : List.of("a", "b")) {
            String other = own.equals("a") ? "b" : "a";
            assertThatThrownBy(() -> store.claim(new QueueIdentity(own)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("belongs to the queue '" + other + "' too")
                    .hasMessageEndingWith("DELETE FROM mykit_delay_queue_epoch WHERE name IN ('" + other + "')");
        }
        sql("DELETE FROM mykit_delay_queue_epoch WHERE name IN ('b')");
        store.claim(new QueueIdentity("a"));
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
    void anOrdinaryMessageHasNoRowsInTheLog() {
        store().insert(Messages.fresh("m", 100));
        List<Transition> ends = Messages.fresh("m", 100).stream()
                .map(item -> move(item.message().id(), DELAY, READY, FINISH))
                .toList();
        assertThat(store().move(ends)).isEmpty();
        assertThat(logRows()).isZero();
        assertThat(store().flow("m0099")).hasSize(3);
        // Both stores are one node.
        try (MessageStore again = open(FlowLog.FULL)) {
            again.insert(List.of(fresh("n")));
        }
        assertThat(text("SELECT COUNT(*) FROM mykit_delay_queue_author WHERE thread = '"
                        + Thread.currentThread().getName() + "'"))
                .isEqualTo("1");
    }

    /** The rows of the version before, with all moves in the log. */
    @Test
    void aMessageOfANodeOfAnOlderVersionKeepsItsMoves() {
        ofOlderNode("old", 1);
        log("old", null, DELAY);
        assertThat(store().states(List.of("old")).get(0).insertedMs()).isZero();
        store().move(List.of(move("old", DELAY, READY, FINISH)));
        assertThat(store().flow("old")).extracting(StatusFlow::to).containsExactly(DELAY, READY, FINISH);

        ofOlderNode("ended", 3);
        log("ended", null, DELAY);
        log("ended", DELAY, READY);
        log("ended", READY, FINISH);
        assertThat(store().flow("ended")).extracting(StatusFlow::to).containsExactly(DELAY, READY, FINISH);
        store().move(List.of(move("ended", FINISH, RESTORE, DELAY)));
        assertThat(store().flow("ended")).hasSize(5);
    }

    /** Such a node does not know that the row tells of its end. */
    @Test
    void aRestoreByANodeOfAnOlderVersionKeepsTheOrderOfTheMoves() {
        store().insert(List.of(fresh("a")));
        store().move(List.of(move("a", DELAY, READY, FINISH)));
        sql("UPDATE mykit_delay_queue_job SET status = 1 WHERE id = 'a'");
        log("a", FINISH, RESTORE);
        log("a", RESTORE, DELAY);
        assertThat(store().flow("a")).extracting(StatusFlow::to).containsExactly(DELAY, READY, FINISH, RESTORE, DELAY);
        log("a", DELAY, READY);
        log("a", READY, FINISH);
        sql("UPDATE mykit_delay_queue_job SET status = 3 WHERE id = 'a'");
        assertThat(store().flow("a"))
                .extracting(StatusFlow::to)
                .containsExactly(DELAY, READY, FINISH, RESTORE, DELAY, READY, FINISH);
    }

    private void ofOlderNode(String id, int status) {
        sql("INSERT INTO mykit_delay_queue_job (id, topic, delay, create_time, due_time, body, status, update_time)"
                + " VALUES ('" + id + "', 't', 1, 1, 2, '', " + status + ", '2026-01-01 00:00:00.000')");
    }

    private void log(String id, MessageStatus from, MessageStatus to) {
        sql("INSERT INTO mykit_delay_queue_job_log (id, from_status, status, thread, host, update_time) VALUES ('" + id
                + "', " + (from == null ? "NULL" : from.code()) + ", " + to.code()
                + ", 'bucket-1', 'older', '2026-01-01 00:00:00.000')");
    }

    @Test
    void aResultThatANodeOfAnOlderVersionLeftIsReplaced() {
        sql("INSERT INTO mykit_delay_queue_result (id, encoding, result, update_time)"
                + " VALUES ('m', 0, 'old', '2026-01-01 00:00:00.000')");
        store().insert(List.of(Messages.fresh("m")));
        MessageResult result = new MessageResult("new", false);
        store().move(List.of(Messages.move("m", MessageStatus.DELAY, MessageStatus.READY, MessageStatus.FINISH)
                .withResult(result)));
        assertThat(store().result("m")).contains(result);
    }

    /** Each database takes the script of the optional indexes, and the store finds them. */
    @Test
    void findsTheOptionalIndexes() {
        assertThat(store.search().indexes()).isEqualTo(SearchIndexes.NONE);
        List<String> made = SearchScript.statements();
        sql(made.get(0));
        assertThat(store.search().indexes()).isEqualTo(new SearchIndexes(true, false));
        sql(made.get(1));
        assertThat(store.search().indexes()).isEqualTo(new SearchIndexes(true, true));
        topicsAndBusinessKeysAreExact();
        for (String index : List.of("idx_mykit_delay_job_topic_due", "idx_mykit_delay_job_bizkey")) {
            sql("DROP INDEX " + index
                    + (datasource.url().startsWith("jdbc:sqlite:") ? "" : " ON mykit_delay_queue_job"));
        }
        assertThat(store.search().indexes()).isEqualTo(SearchIndexes.NONE);
    }
}
