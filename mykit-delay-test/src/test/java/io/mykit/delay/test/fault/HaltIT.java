package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.halt.Halts;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server is halted at each step between taking a request and its end, and makes everything good by itself. */
class HaltIT {
    private static final Logger LOG = LoggerFactory.getLogger(HaltIT.class);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void everyDeathIsMadeGood() throws Exception {
        assertThat(new Halts(LOG::info).play(dir, 2)).as("logs in %s", dir).isEmpty();
    }
}
