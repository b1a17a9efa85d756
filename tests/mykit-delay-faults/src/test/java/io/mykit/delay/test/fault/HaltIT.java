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
class HaltIT {
    private static final Logger LOG = LoggerFactory.getLogger(HaltIT.class);

    /** On the way of a message to its end, and of its way back. */
    private static final List<String> MAIN = List.of(
            "inserted",
            "scanned-and-taken",
            "taken",
            "committed",
            "recorded",
            "given-back",
            "released",
            "cancelled",
            "replaced",
            "handed-out",
            "acked",
            "restored-one",
            "audited",
            "lost-retaken");

    private static final List<String> OTHERS = List.of(
            "noted-for-loader",
            "admitted",
            "record",
            "parked",
            "learnt-parked",
            "cancel-removed",
            "acked-and-forgotten",
            "nacked",
            "hold-ended",
            "scheduled-all",
            "clear-purged",
            "lost-claimed-all",
            "lost-scheduled",
            "cleaned-up",
            "claimed-to-load");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    @Tag("long")
    void everyDeathOnTheWayIsMadeGood() throws Exception {
        assertMadeGood(MAIN);
    }

    @Test
    @Tag("nightly")
    void everyOtherDeathIsMadeGood() throws Exception {
        assertMadeGood(OTHERS);
    }

    private void assertMadeGood(List<String> steps) throws Exception {
        assertThat(Halts.names()).containsAll(steps);
        assertThat(new Halts(LOG::info).play(dir, steps, 2))
                .as("logs in %s", dir)
                .isEmpty();
    }
}
