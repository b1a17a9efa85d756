package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefixTest {
    private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

    @Test
    void endsBeforeTheNextCharacter() {
        assertThat(Prefix.end("shop/")).isEqualTo("shop0");
        assertThat(Prefix.end("a%")).isEqualTo("a&");
        assertThat(Prefix.end("\uD83D\uDE00")).isEqualTo("\uD83D\uDE01");
        assertThat(Prefix.end("a\uFFFF")).isEqualTo("a" + Character.toString(0x10000));
    }

    @Test
    void passesOverSurrogates() {
        assertThat(Prefix.end("a\uD7FF")).isEqualTo("a\uE000");
    }

    @Test
    void nothingIsBehindTheLastCharacter() {
        assertThat(Prefix.end("a" + LAST)).isEqualTo("b");
        assertThat(Prefix.end("a" + LAST + LAST)).isEqualTo("b");
        assertThat(Prefix.end(LAST)).isNull();
    }
}
