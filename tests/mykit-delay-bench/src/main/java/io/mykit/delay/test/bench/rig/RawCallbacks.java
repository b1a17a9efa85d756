package io.mykit.delay.test.bench.rig;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;

/** The same posts by a client of Vert.x alone, with one event loop and keep-alive connections. */
public final class RawCallbacks implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client;
    private final RequestOptions options;
    private final int connections;
    private final Buffer body = Buffer.buffer(Requests.BODY);

    /** @param connections how many posts are under way at a time */
    public RawCallbacks(int port, int connections) {
        this.connections = connections;
        client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(connections));
        options = new RequestOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/")
                .setMethod(HttpMethod.POST)
                .putHeader("content-type", "text/plain");
    }

    /** Begins so many posts, as fast as they go. */
    public void send(int count) {
        int[] left = {count};
        vertx.runOnContext(begin -> {
            for (int i = 0; i < connections; i++) {
                next(left);
            }
        });
    }

    private void next(int[] left) {
        if (left[0]-- <= 0) {
            return;
        }
        RequestOptions timed = new RequestOptions(options).putHeader("due-micros", Long.toString(Tally.nowMicros()));
        client.request(timed)
                .compose(request -> request.send(body))
                .compose(answer -> answer.end())
                .onSuccess(ended -> next(left));
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
