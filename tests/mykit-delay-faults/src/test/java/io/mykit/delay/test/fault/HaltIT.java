package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.halt.Halts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server is halted at steps between a request and its end, and repairs the state by itself. These steps leave different
 * states behind; {@code bin/chaos --points} goes through all steps.
 */
@Tag("long")
class HaltIT {
    private static final Logger LOG = LoggerFactory.getLogger(HaltIT.class);

    private static final List<String> STEPS = List.of(
            "inserted",
            "noted-for-loader",
            "scanned-and-taken",
            "taken",
            "admitted",
            "committed",
            "record",
            "recorded",
            "given-back",
            "parked",
            "released",
            "learnt-parked",
            "cancel-removed",
            "cancelled",
            "replaced",
            "handed-out",
            "acked",
            "acked-and-forgotten",
            "nacked",
            "hold-ended",
            "restored-one",
            "scheduled-all",
            "clear-purged",
            "audited",
            "lost-claimed-all",
            "lost-retaken",
            "lost-scheduled",
            "cleaned-up",
            "claimed-to-load");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void everyDeathIsMadeGood() throws Exception {
        assertThat(Halts.names()).containsAll(STEPS);
        assertThat(new Halts(LOG::info).play(dir, STEPS, 2))
                .as("logs in %s", dir)
                .isEmpty();
    }
}
