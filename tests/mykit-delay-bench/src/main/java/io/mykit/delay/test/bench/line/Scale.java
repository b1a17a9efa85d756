package io.mykit.delay.test.bench.line;

import java.time.Duration;

/**
 * How much of everything.
 *
 * @param runs of lines that are repeated; the table has medians
 * @param warmUp how long a new server is loaded before the first measurement
 * @param load how long each saturating load lasts
 * @param drain messages due at once
 * @param lateness how long each paced load lasts
 * @param waiting messages of the lines idle and memory
 * @param watch how long an idle system is watched
 * @param stored messages of the largest line; the lines restore and audit have a tenth, housekeeping a twentieth
 * @param thorough whether every rate and every broker takes its turn
 */
public record Scale(
        int runs,
        Duration warmUp,
        Duration load,
        int drain,
        Duration lateness,
        int waiting,
        Duration watch,
        int stored,
        boolean thorough) {

    /** As much as there is time for in little more than a minute. */
    public static final Scale QUICK = new Scale(
            1,
            Duration.ofSeconds(3),
            Duration.ofMillis(1_500),
            10_000,
            Duration.ofSeconds(4),
            50_000,
            Duration.ofSeconds(3),
            1_000_000,
            false);

    /** About ten minutes. */
    public static final Scale USUAL = new Scale(
            3,
            Duration.ofSeconds(25),
            Duration.ofSeconds(4),
            100_000,
            Duration.ofSeconds(30),
            1_000_000,
            Duration.ofSeconds(20),
            10_000_000,
            true);

    public Scale withRuns(int wanted) {
        return new Scale(wanted, warmUp, load, drain, lateness, waiting, watch, stored, thorough);
    }
}
