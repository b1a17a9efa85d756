package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.server.GrpcReceiver;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A receiver of gRPC calls in the place of a broker: the channel grpc brings it the messages of all topics. */
final class GrpcPart extends OneServer<GrpcReceiver> implements Broker {
    GrpcPart(Path dir) {
        super(GrpcReceiver.start(dir));
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public Map<String, String> settings(int port) {
        return Map.of(
                "delivery.default-channel", "grpc",
                "grpc.host", "127.0.0.1:" + port,
                "grpc.service", "chaos.Sink",
                "grpc.method", "Take",
                // As that of callbacks.
                "grpc.timeout", "3s");
    }

    @Override
    public void create(List<String> topics) {
        // A receiver knows no topics.
    }

    @Override
    public Inbox inbox(String topic) {
        return new Inbox() {
            @Override
            public List<Arrival> arrivals() {
                return server.calls().stream()
                        .filter(call -> call.topic().equals(topic))
                        .map(GrpcReceiver.Call::arrival)
                        .toList();
            }

            @Override
            public void close() {
                // The receiver is closed with the rig.
            }
        };
    }

    @Override
    public String repetitionKey(Arrival arrival) {
        return "";
    }
}
