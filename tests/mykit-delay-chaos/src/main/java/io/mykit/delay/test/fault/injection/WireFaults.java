package io.mykit.delay.test.fault.injection;

import io.mykit.delay.test.fault.injection.Fault.Trait;
import io.mykit.delay.test.fault.injection.Fault.What;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Part;
import io.mykit.delay.test.fault.rig.Rig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The wire between one node and one of its parts is cut, silent, slow, or loses answers; the other node's is well. */
final class WireFaults {
    /** Longer than a session lives, so that the silence is noticed. */
    private static final Duration HOLD = Duration.ofSeconds(6);
    /** Longer than an estimate of the common clock is trusted without a fair sample. */
    private static final Duration LONG_HOLD = Duration.ofSeconds(20);

    private WireFaults() {}

    static List<Fault> all() {
        List<Fault> all = new ArrayList<>();
        for (Part part : Part.values()) {
            all.add(wire("cut-" + part.label(), part, Weather.CUT, HOLD, NodeFaults::leader));
            all.add(wire("silent-" + part.label(), part, Weather.SILENT, HOLD, NodeFaults::leader));
            all.add(wire("slow-" + part.label(), part, Weather.SLOW, HOLD, NodeFaults::leader));
        }
        all.add(wire("cut-standby-redis", Part.REDIS, Weather.CUT, HOLD, NodeFaults::standby));
        all.add(wire("cut-standby-mysql", Part.MYSQL, Weather.CUT, HOLD, NodeFaults::standby));
        all.add(wire("slow-standby-redis", Part.REDIS, Weather.SLOW, LONG_HOLD, NodeFaults::standby));
        all.add(wire("doubt-mysql", Part.MYSQL, Weather.DOUBTFUL, HOLD, NodeFaults::any));
        return all;
    }

    private static Fault wire(String name, Part part, Weather weather, Duration hold, Choice choice) {
        return new Fault(name, What.WIRE, Trait.NONE, hold, with -> with.hasWire(part), (rig, random) -> {
            Node node = choice.of(rig, random);
            node.wires().become(part, weather);
            return () -> node.wires().become(part, Weather.FAIR);
        });
    }

    /** Whose wire it is. */
    private interface Choice {
        Node of(Rig rig, SplittableRandom random);
    }
}
