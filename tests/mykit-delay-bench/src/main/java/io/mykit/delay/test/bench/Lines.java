package io.mykit.delay.test.bench;

import io.mykit.delay.test.bench.line.AcceptLine;
import io.mykit.delay.test.bench.line.AuditLine;
import io.mykit.delay.test.bench.line.BatchLine;
import io.mykit.delay.test.bench.line.BenchLine;
import io.mykit.delay.test.bench.line.BucketsLine;
import io.mykit.delay.test.bench.line.BurstLine;
import io.mykit.delay.test.bench.line.CallbacksLine;
import io.mykit.delay.test.bench.line.CapacityLine;
import io.mykit.delay.test.bench.line.ColdLine;
import io.mykit.delay.test.bench.line.ConsoleLine;
import io.mykit.delay.test.bench.line.DrainLine;
import io.mykit.delay.test.bench.line.GrowthLine;
import io.mykit.delay.test.bench.line.GrpcLine;
import io.mykit.delay.test.bench.line.GrpcPushLine;
import io.mykit.delay.test.bench.line.GuestLine;
import io.mykit.delay.test.bench.line.HousekeepingLine;
import io.mykit.delay.test.bench.line.IdleLine;
import io.mykit.delay.test.bench.line.IngestLine;
import io.mykit.delay.test.bench.line.LatenessLine;
import io.mykit.delay.test.bench.line.LmstfyLine;
import io.mykit.delay.test.bench.line.MemoryLine;
import io.mykit.delay.test.bench.line.NeighboursLine;
import io.mykit.delay.test.bench.line.OutboxLine;
import io.mykit.delay.test.bench.line.PeersLine;
import io.mykit.delay.test.bench.line.PullLine;
import io.mykit.delay.test.bench.line.RespawnLine;
import io.mykit.delay.test.bench.line.RestoreLine;
import io.mykit.delay.test.bench.line.RetriesLine;
import io.mykit.delay.test.bench.line.SlowReceiverLine;
import io.mykit.delay.test.bench.line.TokensLine;
import io.mykit.delay.test.bench.line.TopicsLine;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All lines there are, in the order in which they run. */
final class Lines {
    private static final List<BenchLine> USUAL = List.of(
            new AcceptLine(),
            new BatchLine(),
            new DrainLine(),
            new LatenessLine(),
            new CallbacksLine(),
            new SlowReceiverLine(),
            new PullLine(),
            new PeersLine(),
            new MemoryLine(),
            new IdleLine());
    private static final List<BenchLine> FULL = List.of(
            new ColdLine(),
            new ConsoleLine(),
            new GrpcLine(),
            new GrpcPushLine(),
            new LmstfyLine(),
            GuestLine.kafka(),
            GuestLine.rabbitMq(),
            new IngestLine(),
            new RetriesLine(),
            new RespawnLine(),
            new NeighboursLine(),
            new TokensLine(),
            new BurstLine(),
            new TopicsLine(),
            new GrowthLine(),
            new RestoreLine(),
            new HousekeepingLine(),
            new AuditLine(),
            new CapacityLine(),
            new OutboxLine(),
            new BucketsLine());

    private Lines() {}

    static List<BenchLine> usual() {
        return USUAL;
    }

    static List<BenchLine> full() {
        return FULL;
    }

    /** @throws IllegalArgumentException if a name is unknown, in words for the user */
    static List<BenchLine> chosen(Options options) {
        List<BenchLine> all = Stream.concat(USUAL.stream(), FULL.stream()).toList();
        for (String name : options.only()) {
            if (all.stream().noneMatch(line -> line.name().equals(name))) {
                String known = all.stream().map(BenchLine::name).collect(Collectors.joining(", "));
                throw new IllegalArgumentException("no line " + name + "; there are " + known);
            }
        }
        if (!options.only().isEmpty()) {
            return all.stream()
                    .filter(line -> options.only().contains(line.name()))
                    .toList();
        }
        return options.extent() == Options.Extent.FULL ? all : USUAL;
    }
}
