package io.mykit.delay.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageIdsTest {
    @Test
    void idsAreUniqueAndGrow() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            ids.add(MessageIds.generate());
        }
        assertThat(ids).isSorted().allMatch(id -> id.matches("[0-9A-HJKMNP-TV-Z]{20}"));
        assertThat(new HashSet<>(ids)).hasSameSizeAs(ids);
    }

    @Test
    void idsGrowWhileTheClockStandsStill() {
        MessageIds ids = new MessageIds(InstantSource.fixed(Instant.ofEpochMilli(1_800_000_000_000L)), 0x1234567890L);
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            made.add(ids.next());
        }
        assertThat(made).isSorted().doesNotHaveDuplicates();
        assertThat(made.get(0)).isEqualTo("06HHGQ2G000028T5CY4G");
    }
}
