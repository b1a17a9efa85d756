package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.HostResolver;
import io.mykit.delay.channel.hosts.HttpLink;
import io.mykit.delay.channel.hosts.Lookups;
import io.mykit.delay.channel.hosts.Places;
import io.mykit.delay.channel.hosts.RegistryCalls;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.service.Services;
import io.mykit.delay.common.message.RetryOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the channel {@code webhook} from {@code mykit.delay.webhook.*}. */
public final class WebhookChannelFactory implements DeliveryChannelFactory {
    /** The gaps of Svix: a receiver that is away for a day still gets its messages. */
    private static final List<Long> GAPS_MS = Stream.of("PT5S", "PT5M", "PT30M", "PT2H", "PT5H", "PT10H", "PT10H")
            .map(gap -> Duration.parse(gap).toMillis())
            .toList();

    @Override
    public String name() {
        return WebhookSettings.CHANNEL;
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return WebhookSettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new WebhookSettings(settings).check(problems);
    }

    @Override
    public Optional<String> address(ChannelSettings settings) {
        TopicValues<Destination> urls = new WebhookSettings(settings).urls();
        String receivers = Stream.concat(urls.ofSection().stream(), urls.own().values().stream())
                .map(Destination::receiver)
                .distinct()
                .collect(Collectors.joining(", "));
        return Optional.of(receivers).filter(text -> !text.isEmpty());
    }

    @Override
    public Duration longestSend(ChannelSettings settings) {
        return new WebhookSettings(settings).timeout();
    }

    @Override
    public RetryOptions retry() {
        long longestMs = GAPS_MS.get(GAPS_MS.size() - 1);
        return new RetryOptions(GAPS_MS.size() + 1, null, null, longestMs, GAPS_MS, null);
    }

    @Override
    public boolean takesTargets() {
        return true;
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        return open(settings, InstantSource.system(), HostResolver.OF_JVM);
    }

    /** A channel sees no cluster clock: the clock of this machine signs the requests. */
    static DeliveryChannel open(ChannelSettings settings, InstantSource clock, HostResolver resolver) {
        WebhookSettings own = new WebhookSettings(settings);
        AtomicReference<String> lastFailure = new AtomicReference<>("");
        HttpLink link = new HttpLink(own.connectTimeout(), own.perHost(), own.certificates());
        Lookups lookups = new Lookups(resolver, own.connectTimeout());
        Services services = new ServiceSettings(settings).open(new RegistryCalls(link, lookups), own.connectTimeout());
        Sender sender = new Sender(
                link,
                lookups,
                own.targets(),
                new RequestHead(own.signatures(), own.contentType()),
                new Answers(own.success(), own.deadOn()),
                own.timeout(),
                clock,
                own.keepResult(),
                lastFailure::set);
        return new WebhookChannel(
                new Requests(own.urls(), own.method(), own.targets(), services),
                new Places(
                        own.perHost(),
                        own.maxInFlight(),
                        own::newCircuit,
                        System::nanoTime,
                        () -> ThreadLocalRandom.current().nextDouble()),
                sender,
                services,
                lastFailure::get);
    }
}
