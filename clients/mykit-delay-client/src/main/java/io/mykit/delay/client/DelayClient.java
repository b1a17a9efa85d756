package io.mykit.delay.client;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Talks to the servers of mykit-delay. An application needs one. Its threads are daemons, and it needs no close. Thread-safe.
 *
 * <pre>{@code
 * DelayClient client = DelayClient.builder().endpoints("http://delay-1:6355", "http://delay-2:6355").build();
 * String id = client.push(Message.builder("orders").body("order 4711").delay(Duration.ofMinutes(30)).build());
 * CancelResult result = client.cancel(id);
 * }</pre>
 *
 * <p>A call goes to one endpoint. It goes to the next one if that cannot be reached, does not answer in time, is busy (429), or
 * cannot serve (502, 503, 504), and after each round it pauses. The first answer that is none of these is final. All calls
 * throw {@link DelayRequestException} if the server refuses them, and {@link DelayUnavailableException} if there was no final
 * answer for {@code retryFor}. {@link AsyncDelayClient} says for each call why another try is safe.
 */
public final class DelayClient {
    private final AsyncDelayClient async;

    private DelayClient(AsyncDelayClient async) {
        this.async = async;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The same calls, answered by futures. */
    public AsyncDelayClient async() {
        return async;
    }

    /**
     * The same client with another patience.
     *
     * @param retryFor see {@link Builder#retryFor}
     */
    public DelayClient retryingFor(Duration retryFor) {
        return new DelayClient(async.retryingFor(retryFor));
    }

    /** The URLs of the servers, without a slash at the end. */
    public List<String> endpoints() {
        return async.endpoints();
    }

    /** Pushes a message, and returns its id once the server has stored it. The same message again is a retry. */
    public String push(Message message) {
        return Await.result(async.push(message));
    }

    /**
     * Pushes a message, and waits until it has ended: finished, perhaps with a result, cancelled, expired, or a dead letter.
     *
     * @param wait at most a minute; afterwards the result has the message as it is then. Zero = it does not wait; the result still
     *     tells whether the same push was accepted before
     */
    public PushResult push(Message message, Duration wait) {
        return Await.result(async.push(message, wait));
    }

    /**
     * Pushes many messages, as few requests as possible. Each is accepted or refused on its own, so look at every result. If
     * a whole request fails, this call throws; then all the messages may be pushed again.
     *
     * @return the results in the order of the messages
     */
    public List<PushResult> pushAll(List<Message> messages) {
        return Await.result(async.pushAll(messages));
    }

    /** Cancels a message, also a due one, as long as no delivery of it is under way. */
    public CancelResult cancel(String id) {
        return Await.result(async.cancel(id));
    }

    /**
     * Moves the due time of an unfinished message, also of a due one, as long as no delivery of it is under way. Its content stays; its
     * attempts and its ttl begin anew.
     *
     * @param delay from now; zero = deliver it now. It counts again if the call is tried again after a lost answer
     */
    public RescheduleResult reschedule(String id, Duration delay) {
        return Await.result(async.reschedule(id, delay));
    }

    /** The same, to this time. A time in the past means now. */
    public RescheduleResult reschedule(String id, Instant dueTime) {
        return Await.result(async.reschedule(id, dueTime));
    }

    /** The message, its status and the way so far; empty if no message has this id. */
    public Optional<MessageView> find(String id) {
        return Await.result(async.find(id));
    }

    /**
     * The same, at the end of the message.
     *
     * @param wait at most a minute; afterwards the message is returned as it is then
     */
    public Optional<MessageView> find(String id, Duration wait) {
        return Await.result(async.find(id, wait));
    }

    /** The unfinished messages of a topic with this business key: list, cancel and move all of them. */
    public KeyedMessages ofKey(String topic, String bizKey) {
        return new KeyedMessages(async.ofKey(topic, bizKey));
    }

    /** Takes messages under a lease; none if there was none for as long as the request waits. */
    public List<PulledMessage> pull(PullRequest request) {
        return Await.result(async.pull(request));
    }

    /** The work is done: finishes a pulled message. */
    public SettleResult ack(PulledMessage message) {
        return Await.result(async.ack(message));
    }

    /**
     * The work is done, with a result for the producer ({@link MessageView#result}).
     *
     * @param result at most 64 KiB. If the message is finished already, its first result stays
     */
    public SettleResult ack(PulledMessage message, Body result) {
        return Await.result(async.ack(message, result));
    }

    /**
     * The work failed: the attempt counts, and the message comes again after the gap of its policy.
     *
     * @param detail for the flow log
     */
    public SettleResult nack(PulledMessage message, String detail) {
        return Await.result(async.nack(message, detail));
    }

    /** The same, but the message comes again after this delay. */
    public SettleResult nack(PulledMessage message, String detail, Duration delay) {
        return Await.result(async.nack(message, detail, delay));
    }

    /** Gives a message back at once; the attempt does not count. */
    public SettleResult release(PulledMessage message) {
        return Await.result(async.release(message));
    }

    /** Gives a message back; the attempt does not count, and the message comes again after this delay. */
    public SettleResult release(PulledMessage message, Duration delay) {
        return Await.result(async.release(message, delay));
    }

    /** Gives a message up: it is a dead letter at once. */
    public SettleResult bury(PulledMessage message, String detail) {
        return Await.result(async.bury(message, detail));
    }

    /** Holds a message for this time from now on. */
    public SettleResult extend(PulledMessage message, Duration ttr) {
        return Await.result(async.extend(message, ttr));
    }

    /** Who this client is to the server: its namespace and its roles. A token that is not accepted is a refusal (401). */
    public Caller whoami() {
        return Await.result(async.whoami());
    }

    /** The dead letters. */
    public DeadLetters dead() {
        return new DeadLetters(async.dead());
    }

    /** The topics: what waits in them, and whether they are paused. */
    public Topics topics() {
        return new Topics(async.topics());
    }

    /** A consumer that pulls, calls a handler for each message, and settles. */
    public DelayConsumer.Builder consumer() {
        return new DelayConsumer.Builder(async);
    }

    /** The settings of a client. Not thread-safe. */
    public static final class Builder {
        private final List<String> endpoints = new ArrayList<>();
        private Optional<String> authorization = Optional.empty();
        private String tokenSetting = "DelayClient.Builder.token";
        private Duration timeout = Duration.ofSeconds(10);
        private Duration retryFor = Duration.ofSeconds(30);
        private Optional<Path> trusted = Optional.empty();
        private HttpClient http;

        private Builder() {}

        /** Adds a server, such as {@code http://127.0.0.1:6355}. */
        public Builder endpoint(String url) {
            endpoints.add(url);
            return this;
        }

        /** Adds servers of one queue. */
        public Builder endpoints(String... urls) {
            endpoints.addAll(List.of(urls));
            return this;
        }

        /**
         * The token of producers or, for operators' calls, the admin token; or a token of the table. With a token of a namespace all topics
         * and ids of this client are those of the namespace, without its prefix.
         */
        public Builder token(String token) {
            authorization = Optional.of("Bearer " + token);
            return this;
        }

        /** The name of the application's own setting of the token. The message of a refused call (401) names it. */
        public Builder tokenSetting(String name) {
            tokenSetting = name;
            return this;
        }

        /** The time for one try, to the last byte of its answer; 10 s by default. Calls that wait may take longer by that. */
        public Builder timeout(Duration newTimeout) {
            timeout = newTimeout;
            return this;
        }

        /** No try begins later than that after the first one; 30 s by default; zero = one try. */
        public Builder retryFor(Duration newRetryFor) {
            retryFor = newRetryFor;
            return this;
        }

        /**
         * For servers with {@code https} and an authority of your own: trusts the certificates in this file alone.
         *
         * @param certificates PEM; read by {@link #build}
         */
        public Builder trust(Path certificates) {
            trusted = Optional.of(certificates);
            return this;
        }

        /** For certificates of the client, proxies and executors of your own, in place of {@link #trust}; its timeout for a connection should be short. */
        public Builder httpClient(HttpClient newHttpClient) {
            http = newHttpClient;
            return this;
        }

        /**
         * @throws IllegalArgumentException if an endpoint is missing, or is no URL, or if the file of {@link #trust} cannot be read
         */
        public DelayClient build() {
            Endpoints servers = new Endpoints(endpoints);
            if (http != null && trusted.isPresent()) {
                throw new IllegalArgumentException(
                        "trust has no effect on an HttpClient of your own: leave one of them out");
            }
            Transport transport =
                    new Transport(http != null ? http : open(), servers, authorization, tokenSetting, timeout);
            return new DelayClient(new AsyncDelayClient(new Calls(transport, retryFor)));
        }

        private HttpClient open() {
            HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2));
            trusted.map(TrustedCertificates::context).ifPresent(client::sslContext);
            return client.build();
        }
    }
}
