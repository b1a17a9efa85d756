package io.mykit.delay.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** A server refuses a push whose topic is in a namespace and whose id is not. */
    @ParameterizedTest
    @CsvSource({
        "shop/orders, shop/",
        "shop/eu/orders, shop/",
        "my-shop_2/orders, my-shop_2/",
        "orders, ''",
        "/orders, ''",
        "shop.eu/orders, ''",
        "商店/orders, ''"
    })
    void anIdIsInTheNamespaceOfItsTopic(String topic, String prefix) {
        assertThat(MessageIds.generate(topic)).matches(prefix + "[0-9A-HJKMNP-TV-Z]{20}");
        String longest = "n".repeat(64);
        assertThat(MessageIds.generate(longest + "/t")).startsWith(longest + "/");
        assertThat(MessageIds.generate(longest + "n/t")).hasSize(20);
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
