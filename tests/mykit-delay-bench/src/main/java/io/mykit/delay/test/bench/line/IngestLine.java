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
                long all = count(rate, bout.scale().warmUp().dividedBy(2));
                kafka.write(all, message);
                double unused = awaitStored(server, 0, all);
                for (int run = 1; run <= bout.scale().runs(); run++) {
                    bout.say().accept("run " + run + " of " + bout.scale().runs());
                    CpuClock cpu = bout.rig().storeClock();
                    Load load = client.saturate(batch::duplicate, bout.scale().load())
                            .clean();
                    samples.add("rate batch", load.rate() * BatchLine.SIZE);
                    note(samples, "batch", cpu, load.answers() * BatchLine.SIZE);
                    long records =
                            count(load.rate() * BatchLine.SIZE, bout.scale().load());
                    kafka.write(records, message);
                    CpuClock own = bout.rig().storeClock();
                    samples.add("rate", awaitStored(server, all, all + records));
                    all += records;
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
        samples.add("all " + way, CpuClock.total(seconds) * 1e6 / messages);
    }

    private Figure figure(String what, Samples samples, String part) {
        return Figure.of(name(), what, samples.median(part + " records"), "us")
                .beside("POST /push/batch", samples.median(part + " batch"));
    }

    private static long count(double rate, Duration time) {
        return Math.max(1000, Math.round(rate * time.toMillis() / 1000));
    }

    /**
     * Waits until this number of records are messages.
     *
     * @param before the number of records that were messages before these were written
     * @return the messages a second between the first look that finds some of them and the last one that does not find all
     */
    private static double awaitStored(DelayServer server, long before, long all) throws InterruptedException {
        long firstNanos = 0;
        double first = 0;
        double rate = 0;
        long end = System.nanoTime() + LONGEST.toNanos();
        while (System.nanoTime() < end) {
            double stored = server.client().metric(STORED);
            long now = System.nanoTime();
            if (stored >= all) {
                return rate;
            }
            if (firstNanos == 0 && stored > before) {
                firstNanos = now;
                first = stored;
            } else if (stored > first) {
                rate = (stored - first) * 1e9 / (now - firstNanos);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
        throw new IllegalStateException("after " + LONGEST + " not all of " + all + " records are messages");
    }
}
