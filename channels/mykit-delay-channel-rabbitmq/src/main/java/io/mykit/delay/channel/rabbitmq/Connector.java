package io.mykit.delay.channel.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.mykit.delay.channel.bounded.NotSentException;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.common.value.Secret;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Connects to the first broker that answers. For one thread at a time. */
final class Connector {
    private static final String CONNECTION_NAME = "mykit-delay";
    private static final int HEARTBEAT_SECONDS = 10;

    private final ConnectionFactory factory;
    private final List<Address> addresses;
    private final ConnectFaults faults;
    /** The socket of the connection that is being made. */
    private Socket latest;

    Connector(ConnectionFactory factory, List<Address> addresses, ConnectFaults faults, boolean verifiesHost) {
        this.factory = factory;
        this.addresses = addresses;
        this.faults = faults;
        factory.setSocketConfigurator(socket -> configure(socket, verifiesHost));
    }

    /**
     * Does not connect.
     *
     * @throws IllegalArgumentException if a setting is missing or wrong; the message names the key
     */
    static Connector of(RabbitMqSettings own) {
        int timeoutMs = Math.toIntExact(own.sendTimeout().toMillis());
        ConnectionFactory factory = new ConnectionFactory();
        factory.setVirtualHost(own.virtualHost());
        own.username().ifPresent(factory::setUsername);
        own.password().map(Secret::reveal).ifPresent(factory::setPassword);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setConnectionTimeout(timeoutMs);
        factory.setHandshakeTimeout(timeoutMs);
        factory.setChannelRpcTimeout(timeoutMs);
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setThreadFactory(Threads.numbered("rabbitmq-client"));
        factory.setExceptionHandler(new QuietExceptions());
        if (own.tls()) {
            factory.useSslProtocol(context(own));
        }
        return new Connector(factory, addresses(own), new ConnectFaults(own), own.verifiesHost());
    }

    private static List<Address> addresses(RabbitMqSettings own) {
        String key = own.name(RabbitMqSettings.ADDRESSES);
        String text = own.addresses()
                .orElseThrow(() -> new IllegalArgumentException(
                        key + " is missing: the channel rabbitmq needs host:port,host:port"));
        if (!RabbitMqSettings.areAddresses(text)) {
            throw new IllegalArgumentException(
                    key + " = " + text + ": must be host:port, more than one separated by commas");
        }
        List<Address> addresses = new ArrayList<>();
        for (String address : text.split(",", -1)) {
            int colon = address.lastIndexOf(':');
            String host = address.substring(0, colon).strip().replaceAll("[\\[\\]]", "");
            addresses.add(new Address(
                    host, Integer.parseInt(address.substring(colon + 1).strip())));
        }
        return addresses;
    }

    private static SSLContext context(RabbitMqSettings own) {
        try {
            return own.certificates().context();
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(own.tlsSetting() + ": " + e.getMessage(), e);
        }
    }

    private void configure(Socket socket, boolean verifiesHost) throws IOException {
        socket.setTcpNoDelay(true);
        if (socket instanceof SSLSocket tls && verifiesHost) {
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            tls.setSSLParameters(parameters);
        }
        latest = socket;
    }

    /**
     * Tries the brokers in the order of the configuration.
     *
     * @throws NotSentException with the reason of each, if none can be used
     */
    BrokerLink connect() throws NotSentException {
        List<String> reasons = new ArrayList<>();
        Exception last = null;
        for (Address address : addresses) {
            try {
                Connection connection = factory.newConnection(List.of(address), CONNECTION_NAME);
                return new BrokerLink(connection, latest);
            } catch (IOException | TimeoutException | RuntimeException e) {
                reasons.add(address + ": " + faults.reason(e));
                last = e;
            }
        }
        throw new NotSentException(String.join("; ", reasons), last);
    }
}
