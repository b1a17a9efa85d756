package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpTest {
    @Test
    void listsKeysWithDefaultAndExplanation() {
        assertThat(Help.text())
                .contains("--config FILE")
                .contains("mykit.delay.http.port = 6355\n      The port to listen on")
                .contains("mykit.delay.delivery.topics.<name>\n")
                .contains("mykit.delay.delivery.topics.<name>.channel\n      The channel of this topic")
                .contains("mykit.delay.datasource.password\n");
    }
}
