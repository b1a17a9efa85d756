package io.mykit.delay.grape.tube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TubeTest {
    private final Tube plain = new Tube("orders", "grape/orders", "");
    private final Tube shop = new Tube("orders", "shop/orders", "shop/");

    @Test
    void anIdHasItsTubeInFront() {
        assertThat(plain.stored("4711")).isEqualTo("orders:4711");
        assertThat(shop.stored("a:b/c")).isEqualTo("shop/orders:a:b/c");
        assertThat(shop.jid("shop/orders:a:b/c")).isEqualTo("a:b/c");
        assertThat(plain.jid("06H0NATIVE")).isEqualTo("06H0NATIVE");
        assertThat(plain.place()).isEqualTo("grape/orders");
        assertThat(shop.place()).isEqualTo("orders");
    }

    @Test
    void anIdHasBounds() {
        assertThat(plain.checked("j".repeat(121))).hasSize(128);
        assertThatThrownBy(() -> plain.checked("j".repeat(122))).hasMessage("id is longer than 128 characters");
        assertThatThrownBy(() -> plain.checked("a\u0000")).hasMessage("id contains a control character");
        assertThatThrownBy(() -> plain.checked("a ")).hasMessage("id begins or ends with white space");
        assertThatThrownBy(() -> plain.checked("\ud800")).hasMessage("id contains an unpaired surrogate");
    }
}
