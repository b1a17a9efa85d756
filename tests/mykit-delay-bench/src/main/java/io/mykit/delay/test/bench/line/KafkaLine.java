package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Samples;
import io.mykit.delay.test.bench.rig.KafkaBroker;
import java.util.ArrayList;
import java.util.List;

/** Drain and lateness to a Kafka broker, which runs for this line only. The figures are those of the lines drain and lateness. */
public final class KafkaLine implements BenchLine {
    private static final int PER_SECOND = 2_000;

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String about() {
        return "drain and lateness to Kafka, beside records sent raw";
    }

    @Override
    public List<Figure> measure(Bout bout) throws Exception {
        KafkaBroker kafka = bout.rig().startKafka();
        try {
            bout.rig().freshServer(kafka.settings());
            Samples stores = new Samples();
            DrainLine.rawStores(bout, stores);
            List<Figure> figures = new ArrayList<>(new DrainLine().to(kafka, bout, stores));
            figures.addAll(new LatenessLine().to(kafka, bout, PER_SECOND));
            return figures;
        } finally {
            bout.rig().stopKafka();
            bout.rig().freshServer();
        }
    }
}
