package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The packaged server brings the documents that its README links to. */
class DistributionIT {
    @Test
    void eachLinkOfTheDistributionLeadsToAFileInIt() {
        Path home =
                Path.of(System.getProperty("mykit.delay.home")).toAbsolutePath().normalize();
        assertThat(Page.below(home)).hasSizeGreaterThan(10);
        assertThat(new Links(home).broken()).isEmpty();
    }
}
