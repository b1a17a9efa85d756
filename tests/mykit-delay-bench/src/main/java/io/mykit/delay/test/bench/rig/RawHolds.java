package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.test.server.RedisServer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/**
 * The raw ceiling of a pull and its ack: the moves of lmstfy, a queue in Redis alone, as one script and two commands. A pull takes an id
 * out of the ready list, reads its message and adds it to the timer of holds. An ack removes the message and its hold. Used by
 * one thread.
 */
public final class RawHolds implements AutoCloseable {
    private static final String READY = "raw:{0}:ready";
    private static final String HOLDS = "raw:{0}:holds";
    private static final String MESSAGE = "raw:{0}:message:";
    private static final int PIPELINED = 500;
    private static final String PULL = """
            local taken = {}
            for i = 1, tonumber(ARGV[1]) do
              local id = redis.call('RPOP', KEYS[1])
              if not id then break end
              redis.call('ZADD', KEYS[2], ARGV[2], id)
              taken[#taken + 1] = id
              taken[#taken + 1] = redis.call('GET', ARGV[3] .. id)
            end
            return taken
            """;

    private final List<Jedis> clients = new ArrayList<>();
    private final ExecutorService threads;
    private final MessageIds ids = new MessageIds(InstantSource.system());
    private final String script;

    /** @param consumers how many pull side by side, each on a connection of its own */
    public RawHolds(RedisServer redis, int consumers) {
        threads = Executors.newFixedThreadPool(consumers);
        for (int i = 0; i < consumers; i++) {
            clients.add(new Jedis("127.0.0.1", redis.port(), 60_000));
        }
        script = clients.get(0).scriptLoad(PULL);
    }

    /** Adds so many messages that can be pulled. */
    public void add(int count) {
        Pipeline pipeline = clients.get(0).pipelined();
        for (int i = 0; i < count; i++) {
            String id = ids.next();
            pipeline.set(MESSAGE + id, Requests.BODY);
            pipeline.lpush(READY, id);
            if (i % PIPELINED == 0) {
                pipeline.sync();
            }
        }
        pipeline.sync();
    }

    /** Pulls and acknowledges all messages, so many at a time. */
    public void drain(int together) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        clients.forEach(client -> running.add(threads.submit(() -> {
            boolean more = true;
            while (more) {
                more = pair(client, together);
            }
        })));
        for (Future<?> one : running) {
            one.get();
        }
    }

    private boolean pair(Jedis client, int together) {
        String until = Long.toString(System.currentTimeMillis() + 60_000);
        List<?> taken = (List<?>)
                client.evalsha(script, List.of(READY, HOLDS), List.of(Integer.toString(together), until, MESSAGE));
        if (taken.isEmpty()) {
            return false;
        }
        Pipeline pipeline = client.pipelined();
        for (int i = 0; i < taken.size(); i += 2) {
            String id = (String) taken.get(i);
            pipeline.del(MESSAGE + id);
            pipeline.zrem(HOLDS, id);
        }
        pipeline.sync();
        return true;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        clients.get(0).del(READY.getBytes(US_ASCII), HOLDS.getBytes(US_ASCII));
        clients.forEach(Jedis::close);
    }
}
