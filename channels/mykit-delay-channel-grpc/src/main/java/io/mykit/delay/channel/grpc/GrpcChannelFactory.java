package io.mykit.delay.channel.grpc;

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
import java.util.List;
import java.util.Optional;

/** Makes the channel {@code grpc} from {@code mykit.delay.grpc.*}. */
public final class GrpcChannelFactory implements DeliveryChannelFactory {
    @Override
    public String name() {
        return GrpcSettings.CHANNEL;
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return GrpcSettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new GrpcSettings(settings).check(problems);
    }

    @Override
    public Optional<String> address(ChannelSettings settings) {
        return HostSettings.address(new GrpcSettings(settings).destinations());
    }

    @Override
    public Duration longestSend(ChannelSettings settings) {
        return new GrpcSettings(settings).hosts().timeout();
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
        return open(settings, HostResolver.OF_JVM);
    }

    static DeliveryChannel open(ChannelSettings settings, HostResolver resolver) {
        GrpcSettings own = new GrpcSettings(settings);
        Hosts hosts = own.hosts().open(resolver, Protocol.HTTP2);
        return new HostChannel(
                hosts, own.requests(), (outgoing, request) -> new GrpcExchange(hosts, outgoing, request));
    }
}
