package io.mykit.delay.test.fault.injection;

import static io.mykit.delay.test.fault.injection.Fault.Trait.NONE;
import static io.mykit.delay.test.fault.injection.Fault.What.RECEIVER;

import io.mykit.delay.test.fault.rig.Receiver;
import io.mykit.delay.test.fault.rig.Receiver.State;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** A receiver of callbacks dies, sleeps or refuses; the others are well. */
final class ReceiverFaults {
    private static final Duration HOLD = Duration.ofSeconds(4);

    private ReceiverFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault("kill-receiver", RECEIVER, NONE, HOLD, (rig, random) -> {
                    Receiver receiver = one(rig.receivers().breakable(), random);
                    receiver.kill();
                    return receiver::restart;
                }),
                becoming("freeze-receiver", State.FROZEN),
                becoming("error-receiver", State.FAILING),
                becoming("busy-receiver", State.BUSY));
    }

    private static Fault becoming(String name, State state) {
        return new Fault(name, RECEIVER, NONE, HOLD, (rig, random) -> {
            Receiver receiver = one(rig.receivers().breakable(), random);
            receiver.become(state);
            return () -> receiver.become(State.WELL);
        });
    }

    private static Receiver one(List<Receiver> receivers, SplittableRandom random) {
        return receivers.get(random.nextInt(receivers.size()));
    }
}
