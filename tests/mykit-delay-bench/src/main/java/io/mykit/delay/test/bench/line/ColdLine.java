package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CompilerClock;
import io.mykit.delay.test.bench.rig.RawHttpServer;
import java.time.Duration;
import java.util.List;

/** What a server accepts in its first seconds, beside the same server when its compilers are done. */
public final class ColdLine implements BenchLine {
    private static final int CONNECTIONS = 64;
    private static final Duration FIRST = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "cold";
    }

    @Override
    public String about() {
        return "POST /push over 64 connections in the first ten seconds after a start, beside ten seconds of the warm server";
    }

    @Override
    public List<Figure> measure(Bout bout) {
        Samples samples = new Samples();
        for (int run = 1; run <= bout.scale().runs(); run++) {
            bout.say().accept("run " + run + " of " + bout.scale().runs());
            int port = bout.rig().freshServer().port();
            CompilerClock compilers = bout.rig().compilerClock();
            samples.add("cold", AcceptLine.saturate(port, CONNECTIONS, FIRST).rate());
            samples.add("compilers", compilers.lap() / FIRST.toSeconds());
            AcceptLine.saturate(port, CONNECTIONS, bout.scale().warmUp());
            samples.add("warm", AcceptLine.saturate(port, CONNECTIONS, FIRST).rate());
            raw(bout, samples);
        }
        return List.of(
                Figure.of(name(), "rate in the first ten seconds", samples.median("cold"), "/s")
                        .beside("warm", samples.median("warm"))
                        .must(Target.ratioAtLeast(0.85)),
                Figure.of(name(), "raw: the same of HTTP without a store", samples.median("raw cold"), "/s")
                        .beside("warm", samples.median("raw warm")),
                Figure.of(
                        name(),
                        "CPU of the server's compilers in these seconds",
                        samples.median("compilers"),
                        "cores"));
    }

    /** A JVM of one small handler: what any server of Java has of its first seconds. */
    private static void raw(Bout bout, Samples samples) {
        try (RawHttpServer http = bout.rig().startRawHttp()) {
            samples.add(
                    "raw cold",
                    AcceptLine.saturate(http.port(), CONNECTIONS, FIRST).rate());
            AcceptLine.saturate(http.port(), CONNECTIONS, FIRST);
            samples.add(
                    "raw warm",
                    AcceptLine.saturate(http.port(), CONNECTIONS, FIRST).rate());
        }
    }
}
