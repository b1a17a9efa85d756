package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.CpuClock;
import io.mykit.delay.test.bench.rig.GrpcLoad;
import io.mykit.delay.test.bench.rig.HttpLoad;
import io.mykit.delay.test.bench.rig.Load;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.v1.Message;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** Pushes by gRPC beside pushes by HTTP, 64 in flight, to the same server in the same run. */
public final class GrpcPushLine implements BenchLine {
    private static final int IN_FLIGHT = 64;

    @Override
    public String name() {
        return "grpc-push";
    }

    @Override
    public String about() {
        return "pushes by gRPC, 64 in flight, beside POST /push on 64 connections in the same run";
    }

    @Override
    public List<Figure> measure(Bout bout) {
        Samples samples = new Samples();
        int port = FreePorts.next();
        int http = bout.rig()
                .freshServer(Map.of("grpc-api.port", Integer.toString(port)))
                .port();
        ByteBuffer push = Requests.push(Requests.delayed("accept", AcceptLine.DELAY_MS));
        byte[] message = Message.newBuilder()
                .setTopic("accept")
                .setDelay(AcceptLine.DELAY_MS)
                .setText(Requests.BODY)
                .build()
                .toByteArray();
        try (GrpcLoad calls = new GrpcLoad(port, IN_FLIGHT, message);
                HttpLoad requests = new HttpLoad(http, IN_FLIGHT)) {
            bout.say().accept("warming up");
            calls.saturate(bout.scale().warmUp()).clean();
            requests.saturate(push::duplicate, bout.scale().warmUp()).clean();
            for (int run = 1; run <= bout.scale().runs(); run++) {
                bout.say().accept("run " + run + " of " + bout.scale().runs());
                CpuClock cpu = bout.rig().storeClock();
                CpuClock client = bout.rig().rawClock();
                note(samples, "gRPC", calls.saturate(bout.scale().load()).clean(), cpu, client);
                note(
                        samples,
                        "HTTP",
                        requests.saturate(push::duplicate, bout.scale().load()).clean(),
                        cpu,
                        client);
            }
        }
        return List.of(
                figure("rate", samples.median("rate gRPC"), "/s")
                        .beside("HTTP", samples.median("rate HTTP"))
                        .must(Target.ratioAtLeast(1)),
                figure("p50", samples.median("p50 gRPC"), "ms").beside("HTTP", samples.median("p50 HTTP")),
                figure("p99", samples.median("p99 gRPC"), "ms").beside("HTTP", samples.median("p99 HTTP")),
                figure("CPU of server", samples.median("server gRPC"), "us")
                        .beside("HTTP", samples.median("server HTTP"))
                        .must(Target.ratioAtMost(1.3)),
                figure("CPU of the client", samples.median("client gRPC"), "us")
                        .beside("HTTP", samples.median("client HTTP")));
    }

    private static void note(Samples samples, String way, Load load, CpuClock cpu, CpuClock client) {
        samples.add("rate " + way, load.rate());
        samples.add("p50 " + way, load.millisAt(50));
        samples.add("p99 " + way, load.millisAt(99));
        samples.add("server " + way, cpu.lap().get("server") * 1e6 / load.answers());
        samples.add("client " + way, client.lapTotal() * 1e6 / load.answers());
    }

    private Figure figure(String what, double value, String unit) {
        return Figure.of(name(), what, value, unit);
    }
}
