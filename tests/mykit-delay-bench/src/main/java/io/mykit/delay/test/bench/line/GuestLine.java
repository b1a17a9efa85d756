package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.rig.Guest;
import io.mykit.delay.test.bench.rig.Rig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Drain and lateness to a broker that runs for this line only. The figures are those of the lines drain and lateness.
 *
 * @param about after "drain and lateness to"
 * @param start starts the broker
 */
public record GuestLine(String name, String about, Function<Rig, Guest> start) implements BenchLine {
    public static GuestLine kafka() {
        return new GuestLine("kafka", "Kafka, beside records sent raw", Rig::startKafka);
    }

    public static GuestLine rabbitMq() {
        return new GuestLine(
                "rabbitmq",
                "RabbitMQ (Qpid Broker-J where that is not installed), beside messages published raw with confirms",
                Rig::startRabbitMq);
    }

    @Override
    public String about() {
        return "drain and lateness to " + about;
    }

    @Override
    public List<Figure> measure(Bout given) throws Exception {
        Guest broker = start.apply(given.rig());
        Bout bout = broker.isStandIn() ? given.quick() : given;
        try {
            bout.rig().freshServer(broker.settings());
            Samples stores = new Samples();
            DrainLine.rawStores(bout, stores);
            List<Figure> figures = new ArrayList<>(new DrainLine().to(broker, bout, stores));
            LatenessLine lateness = new LatenessLine();
            figures.addAll(lateness.to(broker, bout, LatenessLine.HIGH));
            if (bout.scale().thorough()) {
                figures.addAll(lateness.to(broker, bout, LatenessLine.LOW));
            }
            return figures;
        } finally {
            bout.rig().stopGuest();
            bout.rig().freshServer();
        }
    }
}
