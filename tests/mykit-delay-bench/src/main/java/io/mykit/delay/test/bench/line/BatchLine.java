package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.RawRows;
import io.mykit.delay.test.bench.rig.Requests;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/** {@code POST /push/batch} of 100. */
public final class BatchLine implements BenchLine {
    static final int SIZE = 100;
    private static final int CONNECTIONS = 16;

    @Override
    public String name() {
        return "batch";
    }

    @Override
    public String about() {
        return "POST /push/batch of 100, beside JDBC at 512 a commit";
    }

    @Override
    public List<Figure> measure(Bout bout) {
        Samples samples = new Samples();
        Duration time = bout.scale().load();
        int port = bout.rig().server().port();
        ByteBuffer batch = Requests.batch(SIZE, i -> Requests.delayed("accept", AcceptLine.DELAY_MS));
        try (HttpLoad client = new HttpLoad(port, CONNECTIONS);
                RawRows rows =
                        new RawRows(bout.rig().databaseServer(), bout.rig().database())) {
            client.saturate(batch::duplicate, bout.scale().warmUp().dividedBy(2))
                    .clean();
            rows.insert(512, bout.scale().warmUp().dividedBy(4));
            for (int run = 1; run <= bout.scale().runs(); run++) {
                bout.say().accept("run " + run + " of " + bout.scale().runs());
                CpuClock cpu = bout.rig().storeClock();
                Load load = client.saturate(batch::duplicate, time).clean();
                cpu.lap().forEach((part, seconds) -> samples.add(part, seconds * 1e6 / (load.answers() * SIZE)));
                samples.add("rate", load.rate() * SIZE);
                samples.add("raw", rows.insert(512, time).rate());
            }
        }
        return List.of(
                Figure.of(name(), "rate", samples.median("rate"), "/s")
                        .beside("JDBC at 512 a commit", samples.median("raw"))
                        .must(Target.ratioAtLeast(0.5)),
                Figure.of(name(), "CPU of server", samples.median("server"), "us"),
                Figure.of(name(), "CPU of Redis", samples.median("Redis"), "us"),
                Figure.of(name(), "CPU of database", samples.median("database"), "us"));
    }
}
