package io.mykit.delay.queue.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ScrapeWatchTest {
    @Test
    void tellsOfTheFirstScrapeAndNotOfTheNext() {
        ScrapeWatch scrapes = new ScrapeWatch();
        AtomicInteger begun = new AtomicInteger();
        scrapes.onFirst(begun::incrementAndGet);
        assertThat(scrapes.areGoingOn()).isFalse();
        scrapes.scraped();
        scrapes.scraped();
        assertThat(scrapes.areGoingOn()).isTrue();
        assertThat(begun).hasValue(1);
    }
}
