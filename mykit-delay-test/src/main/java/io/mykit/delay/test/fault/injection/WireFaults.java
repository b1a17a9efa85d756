package io.mykit.delay.test.fault.injection;

import io.mykit.delay.test.fault.injection.Fault.Trait;
import io.mykit.delay.test.fault.injection.Fault.What;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The wire between the leader and one of its parts is cut, silent, or slow; the other node's is well. */
final class WireFaults {
    /** Longer than a session lives, so that the silence is noticed. */
    private static final Duration HOLD = Duration.ofSeconds(6);

    private WireFaults() {}

    static List<Fault> all() {
        List<Fault> all = new ArrayList<>();
        for (Part part : Part.values()) {
            all.add(wire("cut-", part, Weather.CUT));
            all.add(wire("silent-", part, Weather.SILENT));
            all.add(wire("slow-", part, Weather.SLOW));
        }
        return all;
    }

    private static Fault wire(String prefix, Part part, Weather weather) {
        return new Fault(
                prefix + part.label(), What.WIRE, Trait.NONE, HOLD, with -> with.hasWire(part), (rig, random) -> {
                    Node node = NodeFaults.leader(rig, random);
                    node.wires().become(part, weather);
                    return () -> node.wires().become(part, Weather.FAIR);
                });
    }
}
