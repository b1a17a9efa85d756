package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.common.lifecycle.Threads;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Asks DNS: for the SRV records, such as {@code _http._tcp.<name>.<domain>}, which have names and ports, or for the addresses of
 * {@code <name>.<domain>}. One event loop of its own carries the questions. Thread-safe.
 */
public final class DnsEndpoints implements EndpointResolver {
    /** The cache of Netty keeps addresses by their TTL, so the question is cheap. */
    private static final Duration ADDRESSES_FRESH_FOR = Duration.ofSeconds(1);

    private static final int MAX_TTL_SECONDS = 30;
    private static final int NEGATIVE_TTL_SECONDS = 5;
    private static final int CLOSE_SECONDS = 2;

    private final DnsPlace place;
    private final EventLoopGroup loop;
    private final DnsNameResolver resolver;

    /**
     * @param timeout of one question to one server
     */
    public DnsEndpoints(DnsPlace place, Duration timeout) {
        this.place = place;
        loop = new MultiThreadIoEventLoopGroup(1, Threads.named("host-dns"), NioIoHandler.newFactory());
        DnsNameResolverBuilder builder = new DnsNameResolverBuilder(loop.next())
                .datagramChannelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .ttl(1, MAX_TTL_SECONDS)
                .negativeTtl(NEGATIVE_TTL_SECONDS)
                .queryTimeoutMillis(timeout.toMillis());
        place.server().map(SingletonDnsServerAddressStreamProvider::new).ifPresent(builder::nameServerProvider);
        resolver = builder.build();
    }

    @Override
    public CompletionStage<Endpoints> find(String service) {
        return place.port().isPresent()
                ? addresses(place.host(service))
                        .thenApply(
                                addresses -> ofAddresses(service, place.port().get(), addresses))
                : records(place.question(service)).thenCompose(this::ofRecords);
    }

    private Endpoints ofAddresses(String service, int port, List<InetAddress> addresses) {
        String host = place.host(service).replaceAll("\\.$", "");
        return new Endpoints(
                addresses.stream()
                        .map(address -> place.instance(host, port, address))
                        .toList(),
                ADDRESSES_FRESH_FOR);
    }

    /** Each record is an instance, at the first address of its name. */
    private CompletionStage<Endpoints> ofRecords(List<SrvRecord> records) {
        List<SrvRecord> first = SrvRecord.first(records);
        CompletionStage<List<Destination>> instances = CompletableFuture.completedStage(List.of());
        for (SrvRecord record : first) {
            instances = instances.thenCombine(
                    addresses(record.target() + "."), (found, addresses) -> with(found, record, addresses));
        }
        Duration ttl = Duration.ofSeconds(
                first.stream().mapToLong(SrvRecord::ttlSeconds).min().orElse(0));
        return instances.thenApply(found -> new Endpoints(found, ttl));
    }

    private List<Destination> with(List<Destination> found, SrvRecord record, List<InetAddress> addresses) {
        List<Destination> all = new ArrayList<>(found);
        if (!addresses.isEmpty()) {
            all.add(place.instance(record.target(), record.port(), addresses.get(0)));
        }
        return all;
    }

    private CompletionStage<List<SrvRecord>> records(String name) {
        Future<List<DnsRecord>> asked = resolver.resolveAll(new DefaultDnsQuestion(name, DnsRecordType.SRV));
        return stage(asked).thenApply(SrvRecord::read);
    }

    private CompletionStage<List<InetAddress>> addresses(String host) {
        return stage(resolver.resolveAll(host));
    }

    /** A name that DNS does not have, or not with such records, has none. Another failure fails the stage. */
    private static <T> CompletionStage<List<T>> stage(Future<List<T>> asked) {
        CompletableFuture<List<T>> answer = new CompletableFuture<>();
        var unused = asked.addListener((Future<List<T>> done) -> {
            if (done.isSuccess()) {
                answer.complete(done.getNow());
            } else if (isUnknown(done.cause())) {
                answer.complete(List.of());
            } else {
                answer.completeExceptionally(
                        new IllegalStateException("DNS: " + Reasons.of(done.cause()), done.cause()));
            }
        });
        return answer;
    }

    /** Netty gives no cause if a server that has the domain says so, and the status as the cause if another server does. */
    private static boolean isUnknown(Throwable thrown) {
        if (thrown instanceof UnknownHostException && thrown.getCause() == null) {
            return true;
        }
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof DnsErrorCauseException error) {
                return error.getCode().equals(DnsResponseCode.NXDOMAIN)
                        || error.getCode().equals(DnsResponseCode.NXRRSET);
            }
        }
        return false;
    }

    @Override
    public void close() {
        resolver.close();
        var unused = loop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
