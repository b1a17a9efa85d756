package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.tls.Certificates;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The HTTP client, with one event loop of its own. It connects to addresses and looks no name up; it follows no
 * redirect and knows no proxy. Thread-safe.
 */
public final class HttpLink {
    /** Below the idle timeout of usual servers, so that a request seldom meets a connection that its server closes. */
    private static final int KEEP_ALIVE_SECONDS = 4;
    /** A server of HTTP/2 says that it closes a connection, before it does. */
    private static final int HTTP2_KEEP_ALIVE_SECONDS = 600;

    private static final int MAX_OPEN = 256;
    private static final int PING_BYTES = 8;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    /** A timer that is later shows that the event loop was held up. */
    private static final Duration LATE = Duration.ofMillis(100);

    private final Vertx vertx;
    private final Context loop;
    private final Clients receivers;
    /** They speak HTTP/1.1. */
    private final Clients registries;
    /** Of HTTP/2 to receivers. */
    private final IdleConnections connections;

    private final Duration connectTimeout;

    public HttpLink(Duration connectTimeout, int perHost, Certificates certificates, Protocol protocol) {
        this(connectTimeout, perHost, certificates, protocol, MAX_OPEN);
    }

    /** @param maxOpen the connections of HTTP/2 above which one without requests is closed */
    HttpLink(Duration connectTimeout, int perHost, Certificates certificates, Protocol protocol, int maxOpen) {
        this.connectTimeout = connectTimeout;
        this.connections = new IdleConnections(maxOpen);
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setUseDaemonThread(true)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        loop = vertx.getOrCreateContext();
        // A host that is the operator's url and a target as well has places for each; a slow target must not take them
        // all.
        PoolOptions pool = new PoolOptions().setHttp1MaxSize(2 * perHost);
        registries = clients(pool, certificates, Protocol.HTTP);
        receivers = protocol == Protocol.HTTP ? registries : clients(pool, certificates, protocol);
    }

    private Clients clients(PoolOptions pool, Certificates certificates, Protocol protocol) {
        HttpClientOptions plain = options(protocol);
        HttpClientOptions tls = options(protocol)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setVerifyHost(true)
                .setSslHandshakeTimeout(connectTimeout.toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
        if (protocol == Protocol.HTTP2) {
            plain.setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false);
            tls.setAlpnVersions(List.of(HttpVersion.HTTP_2));
        }
        certificates.trusted().map(TrustOptions::wrap).ifPresent(tls::setTrustOptions);
        certificates.own().map(KeyCertOptions::wrap).ifPresent(tls::setKeyCertOptions);
        return new Clients(client(plain, pool, protocol), client(tls, pool, protocol));
    }

    private HttpClient client(HttpClientOptions options, PoolOptions pool, Protocol protocol) {
        return protocol == Protocol.HTTP
                ? vertx.createHttpClient(options, pool)
                : vertx.httpClientBuilder()
                        .with(options)
                        .with(pool)
                        .withConnectHandler(connections::opened)
                        .build();
    }

    private HttpClientOptions options(Protocol protocol) {
        return new HttpClientOptions()
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setHttp2KeepAliveTimeout(protocol == Protocol.HTTP ? KEEP_ALIVE_SECONDS : HTTP2_KEEP_ALIVE_SECONDS)
                .setConnectTimeout(Math.toIntExact(connectTimeout.toMillis()));
    }

    /**
     * Connects to the first of these addresses that takes a connection. Host, SNI and certificate are those of the
     * destination's name.
     */
    Future<HttpClientRequest> connectAny(
            Destination destination, List<InetAddress> addresses, String method, Map<String, String> headers) {
        return connectAny(receivers, destination, addresses, method, headers);
    }

    /** The same to a registry. */
    Future<HttpClientRequest> connectRegistry(
            Destination destination, List<InetAddress> addresses, Map<String, String> headers) {
        return connectAny(registries, destination, addresses, "GET", headers);
    }

    private static Future<HttpClientRequest> connectAny(
            Clients clients,
            Destination destination,
            List<InetAddress> addresses,
            String method,
            Map<String, String> headers) {
        Future<HttpClientRequest> first = connect(clients, destination, addresses.get(0), method, headers);
        return addresses.size() == 1
                ? first
                : first.recover(refused ->
                        connectAny(clients, destination, addresses.subList(1, addresses.size()), method, headers));
    }

    private static Future<HttpClientRequest> connect(
            Clients clients, Destination destination, InetAddress address, String method, Map<String, String> headers) {
        RequestOptions options = new RequestOptions()
                .setServer(SocketAddress.inetSocketAddress(destination.port(), text(address)))
                .setHost(destination.host())
                .setPort(destination.port())
                .setSsl(destination.tls())
                .setMethod(HttpMethod.valueOf(method))
                .setURI(destination.path());
        headers.forEach(options::putHeader);
        return (destination.tls() ? clients.encrypted : clients.plain).request(options);
    }

    /** Vert.x reads the address of a server as that of a URL. */
    private static String text(InetAddress address) {
        return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
    }

    /** A request has this connection. On the event loop. */
    void uses(HttpClientRequest request) {
        connections.taken(request.connection());
    }

    /** A request does not need its connection any more. On the event loop. */
    void leaves(HttpClientRequest request) {
        connections.left(request.connection());
    }

    /**
     * A request got no answer in time. A connection of HTTP/2 carries all requests to its host, and TCP may take many minutes to find out that
     * the host is gone: so a connection that does not answer a ping either is closed.
     */
    void doubt(HttpClientRequest request) {
        HttpConnection connection = request.connection();
        if (request.version() == HttpVersion.HTTP_2) {
            long closing = vertx.setTimer(connectTimeout.toMillis(), late -> connection.close());
            connection.ping(Buffer.buffer(new byte[PING_BYTES])).onComplete(answer -> vertx.cancelTimer(closing));
        }
    }

    /** Runs a step of an exchange on the event loop. */
    void onLoop(Runnable step) {
        loop.runOnContext(nothing -> step.run());
    }

    /**
     * Runs a step on the event loop after a delay. An event loop that was held up runs timers before it reads the answers that came
     * meanwhile; then the step waits for them, for {@link #LATE}.
     */
    long timer(Duration delay, Runnable step) {
        long endNanos = System.nanoTime() + delay.toNanos();
        return vertx.setTimer(delay.toMillis(), id -> {
            if (System.nanoTime() - endNanos > LATE.toNanos()) {
                vertx.setTimer(LATE.toMillis(), later -> step.run());
            } else {
                step.run();
            }
        });
    }

    /** Cancels a timer. A step that waits because the event loop was held up runs all the same. */
    void cancel(long timer) {
        vertx.cancelTimer(timer);
    }

    /** Closes all connections. Idempotent, bounded in time. */
    public void close() {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The threads are daemons, and the connections end with the process.
        }
    }

    private record Clients(HttpClient plain, HttpClient encrypted) {}
}
