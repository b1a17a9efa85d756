package io.mykit.delay.test.bench.rig;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Consumes a queue that is there, without acknowledgements. */
final class RabbitMqSink implements Sink {
    private final Channel channel;
    private volatile Tally tally = new Tally();

    RabbitMqSink(Channel channel, String queue) throws IOException {
        this.channel = channel;
        channel.basicConsume(queue, true, (tag, message) -> take(message), tag -> {});
    }

    @Override
    public void restart(Tally next) {
        tally = next;
    }

    private void take(Delivery message) {
        Map<String, Object> headers = message.getProperties().getHeaders();
        Object micros = headers.get(DUE_MICROS);
        Object id = headers.get(ID);
        tally.arrived(
                micros == null ? (long) headers.get(DUE_TIME) * 1000 : (long) micros,
                id == null ? null : id.toString());
    }

    @Override
    public void close() {
        end(channel);
    }

    static void end(Channel channel) {
        try {
            channel.abort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
