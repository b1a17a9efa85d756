package io.mykit.delay.test.bench.rig;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.function.Supplier;

/** The raw ceiling of HTTP: takes a request's body in and answers as a push is answered, without a store. */
public final class RawHttpMain {

    private RawHttpMain() {}

    /** Argument: the port. */
    public static void main(String[] args) {
        int port = Integer.parseInt(args[0]);
        int loops = Math.max(2, Runtime.getRuntime().availableProcessors());
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops));
        Supplier<Deployable> verticles = () -> new Answering(port);
        vertx.deployVerticle(verticles, new DeploymentOptions().setInstances(loops));
    }

    private static final class Answering extends AbstractVerticle {
        private static final Buffer ANSWER =
                Buffer.buffer("{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"06A1B2C3D4E5F6G7H8J9\"}");

        private final int port;

        Answering(int port) {
            this.port = port;
        }

        @Override
        public void start() {
            vertx.createHttpServer()
                    .requestHandler(request -> request.body().onSuccess(body -> request.response()
                            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                            .end(ANSWER)))
                    .listen(port, "127.0.0.1");
        }
    }
}
