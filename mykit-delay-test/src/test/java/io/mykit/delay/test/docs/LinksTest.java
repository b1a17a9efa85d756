package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinksTest {
    @Test
    void eachLinkLeadsToAFileAndAHeading() {
        assertThat(new Links(Page.root()).broken()).isEmpty();
    }
}
