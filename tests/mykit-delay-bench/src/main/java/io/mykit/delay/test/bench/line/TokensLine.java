package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.Administrator;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.server.DelayServer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Pushes with the token of the configuration, and with tokens of the table in turn. The two alternate, and pairs are compared. */
public final class TokensLine implements BenchLine {
    private static final String CONFIGURED = "bench-producer-token-0123456789";
    private static final String WHOLE_QUEUE = "*";
    private static final int TOKENS = 1_000;
    private static final int RATE = 1_500;
    private static final int PRODUCERS = 64;
    private static final int TURNS = 6;
    private static final double BOUND = 1.02;

    @Override
    public String name() {
        return "tokens";
    }

    @Override
    public String about() {
        return "CPU of a push with tokens of the table, of which there are 1,000, beside the token of the configuration";
    }

    @Override
    public List<Figure> measure(Bout bout) {
        DelayServer server = bout.rig()
                .freshServer(Map.of("http.admin-token", Administrator.TOKEN, "http.producer-token", CONFIGURED));
        String message = Requests.delayed("tokens", AcceptLine.DELAY_MS);
        List<ByteBuffer> ofTable = ofTable(new Administrator(server), message);
        AtomicInteger next = new AtomicInteger();
        ByteBuffer ofConfiguration = Requests.push(message, CONFIGURED);
        Samples samples = new Samples();
        bout.measure("", samples, into -> {
            for (int turn = 0; turn < TURNS; turn++) {
                double configured = turn(bout, into, "configured", ofConfiguration::duplicate);
                double table = turn(bout, into, "table", () -> ofTable.get(next.getAndIncrement() % TOKENS)
                        .duplicate());
                into.add("pair", table / configured);
            }
        });
        return List.of(
                Figure.of(name(), "CPU of the server for a push", samples.median("table"), "us")
                        .beside("token of the configuration", samples.median("configured")),
                Figure.of(name(), "the same, pair by pair", samples.median("pair"), "times")
                        .must(Target.valueAtMost(BOUND)),
                Figure.of(name(), "p99 of the pushes", samples.median("p99 table"), "ms")
                        .beside("token of the configuration", samples.median("p99 configured")));
    }

    private static List<ByteBuffer> ofTable(Administrator administrator, String message) {
        List<ByteBuffer> pushes = new ArrayList<>(TOKENS);
        for (int i = 0; i < TOKENS; i++) {
            pushes.add(Requests.push(message, administrator.producer(WHOLE_QUEUE)));
        }
        return pushes;
    }

    /** Microseconds of the server for each push. */
    private static double turn(Bout bout, Samples into, String name, Supplier<ByteBuffer> push) {
        CpuClock cpu = bout.rig().storeClock();
        try (HttpLoad client = new HttpLoad(bout.rig().server().port(), PRODUCERS)) {
            Load load = client.pace(push, RATE, bout.scale().load()).clean();
            double us = cpu.lap().get("server") * 1e6 / load.answers();
            into.add(name, us);
            into.add("p99 " + name, load.millisAt(99));
            return us;
        }
    }
}
