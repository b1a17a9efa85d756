package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.KafkaPushes;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.server.DelayServer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Pushes by Kafka beside {@code POST /push/batch}, to the same server in the same run. Kafka runs for this line only. */
public final class IngestLine implements BenchLine {
    private static final int CONNECTIONS = 16;
    private static final String STORED = "mykit_delay_ingest_records_total";
    private static final Duration LONGEST = Duration.ofMinutes(5);
    /** A look at the metrics costs the server some milliseconds. */
    private static final Duration LOOK = Duration.ofMillis(250);

    @Override
    public String name() {
        return "ingest";
    }

    @Override
    public String about() {
        return "pushes by Kafka from a backlog on 8 partitions, beside POST /push/batch of 100 in the same run";
    }

    @Override
    public List<Figure> measure(Bout bout) throws InterruptedException {
        Samples samples = new Samples();
        try (KafkaPushes kafka = bout.rig().startKafka().pushes()) {
            DelayServer server = bout.rig().freshServer(kafka.settings());
            ByteBuffer batch = Requests.batch(BatchLine.SIZE, i -> Requests.delayed("accept", AcceptLine.DELAY_MS));
            String message = Requests.delayed("accept", AcceptLine.DELAY_MS);
            try (HttpLoad client = new HttpLoad(server.port(), CONNECTIONS)) {
                bout.say().accept("warming up");
                double rate =
                        client.saturate(batch::duplicate, bout.scale().warmUp().dividedBy(2))
                                        .clean()
                                        .rate()
                                * BatchLine.SIZE;
                read(kafka, server, message, count(rate, bout.scale().warmUp().dividedBy(2)));
                for (int run = 1; run <= bout.scale().runs(); run++) {
                    bout.say().accept("run " + run + " of " + bout.scale().runs());
                    CpuClock cpu = bout.rig().storeClock();
                    Load load = client.saturate(batch::duplicate, bout.scale().load())
                            .clean();
                    samples.add("rate batch", load.rate() * BatchLine.SIZE);
                    note(samples, "batch", cpu, load.answers() * BatchLine.SIZE);
                    long records =
                            count(load.rate() * BatchLine.SIZE, bout.scale().load());
                    CpuClock own = bout.rig().storeClock();
                    samples.add("rate", read(kafka, server, message, records));
                    note(samples, "records", own, records);
                }
            }
        } finally {
            bout.rig().stopGuest();
            bout.rig().freshServer();
        }
        return List.of(
                Figure.of(name(), "rate", samples.median("rate"), "/s")
                        .beside("POST /push/batch", samples.median("rate batch"))
                        .must(Target.ratioAtLeast(1)),
                figure("CPU of server", samples, "server"),
                figure("CPU of all", samples, "all"));
    }

    private static void note(Samples samples, String way, CpuClock cpu, long messages) {
        Map<String, Double> seconds = cpu.lap();
        samples.add("server " + way, seconds.get("server") * 1e6 / messages);
        samples.add(
                "all " + way,
                seconds.values().stream().mapToDouble(each -> each).sum() * 1e6 / messages);
    }

    private Figure figure(String what, Samples samples, String part) {
        return Figure.of(name(), what, samples.median(part + " records"), "us")
                .beside("POST /push/batch", samples.median(part + " batch"));
    }

    private static long count(double rate, Duration time) {
        return Math.max(1000, Math.round(rate * time.toMillis() / 1000));
    }

    /** Writes records, and waits until all of them are messages; returns the messages a second from the first one on. */
    private static double read(KafkaPushes kafka, DelayServer server, String message, long records)
            throws InterruptedException {
        double before = server.client().metric(STORED);
        kafka.write(records, message);
        long began = 0;
        double base = before;
        long end = System.nanoTime() + LONGEST.toNanos();
        while (System.nanoTime() < end) {
            double stored = server.client().metric(STORED);
            if (began == 0 && stored > before) {
                began = System.nanoTime();
                base = stored;
            }
            if (stored >= before + records) {
                return (before + records - base) / ((System.nanoTime() - began) / 1e9);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
        throw new IllegalStateException("after " + LONGEST + " not all of " + records + " records are messages");
    }
}
