package io.mykit.delay.test.fault.injection;

import io.mykit.delay.test.fault.rig.Variant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All faults by name. */
public final class Faults {
    private static final Map<String, Fault> ALL = Stream.of(
                    NodeFaults.all(),
                    RedisFaults.all(),
                    PartFaults.all(),
                    ReceiverFaults.all(),
                    WireFaults.all(),
                    VariantFaults.all())
            .flatMap(List::stream)
            .collect(Collectors.toMap(Fault::name, fault -> fault, (one, two) -> one, LinkedHashMap::new));

    private Faults() {}

    /** The names of all faults. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** The faults that are possible with these servers. */
    public static List<String> names(Variant variant) {
        return ALL.values().stream()
                .filter(fault -> fault.possible().test(variant))
                .map(Fault::name)
                .toList();
    }

    /** @throws IllegalArgumentException in words for the user */
    static Fault named(String name) {
        Fault fault = ALL.get(name);
        if (fault == null) {
            throw new IllegalArgumentException(
                    "no fault is called " + name + "; there are " + String.join(", ", names()));
        }
        return fault;
    }
}
