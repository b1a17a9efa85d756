package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Copy;
import org.junit.jupiter.api.Test;

class StoresAgreeTest {
    private final History history = new History();

    @Test
    void unfinishedIsInRedisOrWaitsToBePutThere() {
        history.row("waits", MessageStatus.WAIT_PUT).row("over", MessageStatus.FINISH);
        history.row("sleeps", MessageStatus.DELAY).inRedis("sleeps");
        assertThat(new StoresAgree().check(history.run())).isEmpty();
    }

    @Test
    void forgottenByRedis() {
        violated(history.row("m", MessageStatus.DELAY), "m: DELAY in MySQL, unknown to Redis");
    }

    @Test
    void leftInRedis() {
        violated(history.row("m", MessageStatus.FINISH).inRedis("m"), "m: in Redis, FINISH in MySQL");
        violated(new History().inRedis("x"), "x: in Redis, unknown to MySQL");
    }

    @Test
    void anotherVersionDueTimeOrBody() {
        history.row("m", MessageStatus.DELAY, 1, DUE_MS);
        violated(history.inRedis("m", new Copy(0, DUE_MS, "body 1")), "m: version 0 in Redis, version 1 in MySQL");
        violated(
                history.inRedis("m", new Copy(1, DUE_MS + 5, "body 1")),
                "m: due at " + (DUE_MS + 5) + " in Redis, at " + DUE_MS + " in MySQL");
        violated(history.inRedis("m", new Copy(1, DUE_MS, "body 0")), "m: one body in Redis, another in MySQL");
    }

    @Test
    void astray() {
        history.orphans.add("m: in no place");
        violated(history, "m: in no place");
    }

    @Test
    void anEntryWithoutAMessageIsLeftOverOnlyOfAMessageThatEndedAfterTheLossOfContents() {
        history.empty.put("m", "waiting:t");
        violated(history.row("m", MessageStatus.DELETE), "m: in waiting:t without a message");
        history.fault("delete-pool", DUE_MS, DUE_MS, 0);
        assertThat(new StoresAgree().check(history.run())).isEmpty();
        history.inRedis("m").row("m", MessageStatus.DELAY);
        history.pool.clear();
        assertThat(new StoresAgree().check(history.run()))
                .containsExactlyInAnyOrder("m: DELAY in MySQL, unknown to Redis", "m: in waiting:t without a message");
    }

    private static void violated(History history, String violation) {
        assertThat(new StoresAgree().check(history.run())).containsExactly(violation);
    }
}
