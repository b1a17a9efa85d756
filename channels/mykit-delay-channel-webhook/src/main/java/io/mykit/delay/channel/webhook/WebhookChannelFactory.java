package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.channel.hosts.HostChannel;
import io.mykit.delay.channel.hosts.HostResolver;
import io.mykit.delay.channel.hosts.HostSettings;
import io.mykit.delay.channel.hosts.Hosts;
import io.mykit.delay.channel.hosts.Protocol;
import io.mykit.delay.common.message.RetryOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Makes the channel {@code webhook} from {@code mykit.delay.webhook.*}. */
public final class WebhookChannelFactory implements DeliveryChannelFactory {
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
        return HostSettings.address(new WebhookSettings(settings).urls());
    }

    @Override
    public Duration longestSend(ChannelSettings settings) {
        return new WebhookSettings(settings).hosts().timeout();
    }

    @Override
    public RetryOptions retry() {
        return HostSettings.retry();
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
        Hosts hosts = own.hosts().open(resolver, Protocol.HTTP);
        Sender sender = new Sender(
                new RequestHead(own.signatures(), own.contentType()),
                new Answers(own.success(), own.deadOn()),
                clock,
                own.keepResult());
        return new HostChannel(
                hosts,
                new WebhookRequests(own.urls(), own.method()),
                (outgoing, request) -> new Exchange(hosts, sender, outgoing, request));
    }
}
