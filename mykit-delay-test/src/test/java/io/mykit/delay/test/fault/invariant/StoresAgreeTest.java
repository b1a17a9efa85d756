package io.mykit.delay.test.fault.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
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
    void astray() {
        history.orphans.add("m: in no place");
        violated(history, "m: in no place");
    }

    private static void violated(History history, String violation) {
        assertThat(new StoresAgree().check(history.run())).containsExactly(violation);
    }
}
