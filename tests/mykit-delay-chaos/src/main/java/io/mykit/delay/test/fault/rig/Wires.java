package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The wires from one node to its parts. Thread-safe. */
public final class Wires implements AutoCloseable {
    private final Map<Part, List<TcpProxy>> proxies = new EnumMap<>(Part.class);

    /** @param ports of each part's servers; none: no wire leads there */
    Wires(Map<Part, List<Integer>> ports) {
        ports.forEach((part, targets) ->
                proxies.put(part, targets.stream().map(TcpProxy::new).toList()));
    }

    /** Where the node finds the part's only server. */
    int port(Part part) {
        return proxies.get(part).get(0).port();
    }

    /** Where the node finds all of a part's servers, {@code host:port,host:port}. */
    String addresses(Part part) {
        List<TcpProxy> all = proxies.get(part);
        return IntStream.range(0, all.size())
                .mapToObj(i -> "127.0.0.1:" + all.get(i).port())
                .collect(Collectors.joining(","));
    }

    /** For all wires to that part, from now on. */
    public void become(Part part, Weather weather) {
        proxies.get(part).forEach(proxy -> proxy.become(weather));
    }

    /** The part's only server has moved: connections that are made from now on lead to this port of 127.0.0.1. */
    public void lead(Part part, int port) {
        proxies.get(part).get(0).lead(port);
    }

    @Override
    public void close() {
        proxies.values().forEach(all -> all.forEach(TcpProxy::close));
    }
}
