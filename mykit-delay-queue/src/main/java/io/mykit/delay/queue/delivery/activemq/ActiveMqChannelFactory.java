package io.mykit.delay.queue.delivery.activemq;

import io.mykit.delay.config.ActiveMqConfig;
import io.mykit.delay.config.Secret;
import io.mykit.delay.queue.delivery.Certificates;
import io.mykit.delay.queue.delivery.ChannelSettings;
import io.mykit.delay.queue.delivery.DeliveryChannel;
import io.mykit.delay.queue.delivery.DeliveryChannelFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.activemq.ActiveMQSslConnectionFactory;

/** {@code activemq}: reads {@code mykit.delay.activemq.*}. */
public final class ActiveMqChannelFactory implements DeliveryChannelFactory {
    private static final String URL_KEY = "mykit.delay.activemq.broker-url";

    @Override
    public String name() {
        return "activemq";
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        ActiveMqConfig config = settings.config().activemq();
        Duration timeout = settings.config().delivery().sendTimeout();
        ActiveMQSslConnectionFactory connections = connections(brokerUrl(config));
        useCertificates(connections, Certificates.read("mykit.delay.activemq", config));
        config.username().ifPresent(connections::setUserName);
        config.password().map(Secret::reveal).ifPresent(connections::setPassword);
        connections.setConnectResponseTimeout(Math.toIntExact(timeout.toMillis()));
        connections.setCloseTimeout(1000);
        connections.setWatchTopicAdvisories(false);
        MessageMapping mapping = new MessageMapping(config.destination(), config.format());
        return new ActiveMqChannel(new LinkPool(connections), mapping, timeout);
    }

    private static String brokerUrl(ActiveMqConfig config) {
        if (!config.brokerUrl().equals(ActiveMqConfig.EMBEDDED)) {
            return config.brokerUrl();
        }
        if (config.embeddedPort() == 0) {
            throw new IllegalArgumentException(URL_KEY + " = embedded with mykit.delay.activemq.embedded-port = 0:"
                    + " nobody knows where the broker listens; give the port or the broker's tcp:// address");
        }
        return "tcp://127.0.0.1:" + config.embeddedPort();
    }

    /** For {@code ssl://}, inside {@code failover:()} too; without any, the client takes what the JVM has. */
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

    /** Does not connect. */
    private static ActiveMQSslConnectionFactory connections(String url) {
        try {
            if (new URI(url).getScheme() == null) {
                throw new IllegalArgumentException(
                        URL_KEY + " = " + url + ": must look like tcp://host:61616 or failover:(tcp://a:61616,...)");
            }
            return new ActiveMQSslConnectionFactory(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(URL_KEY + " = " + url + ": " + e.getReason(), e);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(URL_KEY + " = " + url + ": " + e.getMessage(), e);
        }
    }
}
