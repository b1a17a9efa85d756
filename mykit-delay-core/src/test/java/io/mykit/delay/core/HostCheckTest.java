package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostCheckTest {
    @Test
    void addressesNeedNoNameServer() {
        assertThat(new HostCheck("key", "127.0.0.1:2181,localhost:2182/root").unknown())
                .isEmpty();
        assertThat(new HostCheck("key", "").unknown()).isEmpty();
    }

    /** No name server knows a name with an empty label. */
    @Test
    void aNameThatNobodyKnowsIsNamed() {
        assertThat(new HostCheck("key", "127.0.0.1:9876;no..such:9876").unknown())
                .containsExactly("no..such");
    }
}
