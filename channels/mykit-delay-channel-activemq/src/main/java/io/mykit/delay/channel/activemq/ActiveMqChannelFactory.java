package io.mykit.delay.channel.activemq;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.channel.tls.Certificates;
import io.mykit.delay.common.value.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.activemq.ActiveMQSslConnectionFactory;

/** Makes the channel {@code activemq} from {@code mykit.delay.activemq.*}. */
public final class ActiveMqChannelFactory implements DeliveryChannelFactory {
    @Override
    public String name() {
        return ActiveMqSettings.CHANNEL;
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return ActiveMqSettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new ActiveMqSettings(settings).check(problems);
    }

    @Override
    public Optional<String> address(ChannelSettings settings) {
        return Optional.of(new ActiveMqSettings(settings).address());
    }

    @Override
    public boolean takesTargets() {
        return true;
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        ActiveMqSettings own = new ActiveMqSettings(settings);
        ActiveMQSslConnectionFactory connections = connections(own);
        useCertificates(connections, own.certificates());
        own.username().ifPresent(connections::setUserName);
        own.password().map(Secret::reveal).ifPresent(connections::setPassword);
        connections.setConnectResponseTimeout(
                Math.toIntExact(settings.sendTimeout().toMillis()));
        connections.setCloseTimeout(1000);
        connections.setWatchTopicAdvisories(false);
        MessageMapping mapping = new MessageMapping(own.destination(), own.format());
        return new ActiveMqChannel(new LinkPool(connections), mapping, settings.sendTimeout());
    }

    private static String brokerUrl(ActiveMqSettings own) {
        if (!own.isEmbedded()) {
            return own.brokerUrl();
        }
        int port = own.embeddedPort().orElse(ActiveMqSettings.EMBEDDED_PORT);
        if (port == 0) {
            throw new IllegalArgumentException(own.name(ActiveMqSettings.BROKER_URL) + " = embedded with "
                    + own.name(ActiveMqSettings.PORT) + " = 0: the address of the broker is not known; give the port or"
                    + " the broker's tcp:// address");
        }
        return "tcp://127.0.0.1:" + port;
    }

    /**
     * The certificates for {@code ssl://}, also inside {@code failover:()}. Without them the client uses those of the JVM.
     */
    private static void useCertificates(ActiveMQSslConnectionFactory connections, Certificates certificates) {
        if (certificates.trusted().isPresent() || certificates.own().isPresent()) {
            connections.setKeyAndTrustManagers(
                    certificates.own().map(KeyManagerFactory::getKeyManagers).orElse(null),
                    certificates
                            .trusted()
                            .map(TrustManagerFactory::getTrustManagers)
                            .orElse(null),
                    new SecureRandom());
        }
    }

    /** Makes the connection factory and does not connect. */
    private static ActiveMQSslConnectionFactory connections(ActiveMqSettings own) {
        String url = brokerUrl(own);
        String given = own.name(ActiveMqSettings.BROKER_URL) + " = " + url + ": ";
        try {
            if (new URI(url).getScheme() == null) {
                throw new IllegalArgumentException(
                        given + "must look like tcp://host:61616 or failover:(tcp://a:61616,...)");
            }
            return new ActiveMQSslConnectionFactory(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(given + e.getReason(), e);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(given + e.getMessage(), e);
        }
    }
}
