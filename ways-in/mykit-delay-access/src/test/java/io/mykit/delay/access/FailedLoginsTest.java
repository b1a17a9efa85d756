package io.mykit.delay.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final FailedLogins logins = new FailedLogins(nanos::get);

    @Test
    void tenInAMinuteMayFail() {
        for (int i = 0; i < 10; i++) {
            assertThat(logins.count("a")).isZero();
        }
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));
        assertThat(logins.count("a")).isBetween(40L, 41L);
        assertThat(logins.count("b")).as("another address").isZero();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(40));
        assertThat(logins.count("a")).as("the next minute").isZero();
    }

    @Test
    void theNumberOfAddressesIsBounded() {
        for (int i = 0; i < 3 * FailedLogins.MAX_ADDRESSES; i++) {
            logins.count("address " + i);
        }
        assertThat(logins.addresses()).isEqualTo(FailedLogins.MAX_ADDRESSES);
    }
}
