package io.mykit.delay.access.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SampleTest {
    private long nowNanos = TimeUnit.HOURS.toNanos(5);
    private final Sample sample = new Sample(() -> nowNanos);

    @Test
    void takesOneASecondOfEachAddress() {
        assertThat(sample.takes("a")).isTrue();
        assertThat(sample.takes("a")).isFalse();
        assertThat(sample.takes("b")).isTrue();
        nowNanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(sample.takes("a")).isTrue();
    }

    @Test
    void takesNoMoreThanAThousandAnHour() {
        int taken = 0;
        for (int i = 0; i < 3000; i++) {
            taken += sample.takes("address-" + i) ? 1 : 0;
            nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
        }
        assertThat(taken).isEqualTo(Sample.PER_HOUR);
        nowNanos += TimeUnit.HOURS.toNanos(1);
        assertThat(sample.takes("a")).isTrue();
    }
}
