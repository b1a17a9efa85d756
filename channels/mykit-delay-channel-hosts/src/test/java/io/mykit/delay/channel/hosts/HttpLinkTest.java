package io.mykit.delay.channel.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.mykit.delay.channel.tls.Certificates;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpServer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections of HTTP/2 to servers of the test. */
class HttpLinkTest {
    private final Vertx vertx = Vertx.vertx();
    private final HttpLink link = new HttpLink(
            Duration.ofSeconds(2), 4, new Certificates(Optional.empty(), Optional.empty()), Protocol.HTTP2, 1);

    @AfterEach
    void close() throws Exception {
        link.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void aConnectionIsUsedAgainUntilItsPlaceIsNeeded() throws Exception {
        Server one = new Server();
        Server two = new Server();
        call(one);
        call(one);
        assertThat(one.opened).hasValue(1);
        assertThat(one.closed).hasValue(0);

        call(two);
        Awaitility.await().untilAsserted(() -> assertThat(one.closed).hasValue(1));
        assertThat(two.closed).hasValue(0);
        call(one);
        assertThat(one.opened).hasValue(2);
    }

    private void call(Server server) throws Exception {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        link.onLoop(() -> link.connectAny(
                        Destination.of(Schemes.GRPC, false, "127.0.0.1", server.http.actualPort()),
                        List.of(InetAddress.getLoopbackAddress()),
                        "POST",
                        Map.of())
                .onComplete(request -> send(request, status), status::completeExceptionally));
        assertThat(status.get(20, TimeUnit.SECONDS)).isEqualTo(200);
    }

    private void send(HttpClientRequest request, CompletableFuture<Integer> status) {
        link.uses(request);
        request.send()
                .onComplete(
                        answer -> {
                            link.leaves(request);
                            status.complete(answer.statusCode());
                        },
                        status::completeExceptionally);
    }

    private final class Server {
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private final HttpServer http;

        Server() throws Exception {
            http = vertx.createHttpServer()
                    .connectionHandler(connection -> {
                        opened.incrementAndGet();
                        connection.closeHandler(end -> closed.incrementAndGet());
                    })
                    .requestHandler(request -> request.response().end())
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
        }
    }
}
