package io.mykit.delay.test.fault.injection;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One or two faults at a time.
 *
 * @param calm before it begins
 * @param seed of the choices that the faults make
 */
record Step(List<Fault> faults, Duration calm, long seed) {

    String name() {
        return faults.stream().map(Fault::name).collect(Collectors.joining("+"));
    }
}
