package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.READY;
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
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.QueueIdentity;
import io.mykit.delay.queue.store.SearchIndexes;
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
