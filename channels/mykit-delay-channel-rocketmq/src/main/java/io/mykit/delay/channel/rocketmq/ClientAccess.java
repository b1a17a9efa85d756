package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.common.value.Secret;
import java.util.Optional;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.NamespaceUtil;

/**
 * The addresses of the name servers and the account. Immutable.
 *
 * @param nameServers {@code host:port;host:port}
 * @param group the group of the producer, without the namespace
 * @param namespace empty = none
 * @param accessKey empty = requests are not signed
 */
record ClientAccess(
        String nameServers,
        String group,
        String namespace,
        Optional<String> accessKey,
        Optional<Secret> secretKey,
        Optional<ClientTls> tls) {

    /**
     * @throws IllegalArgumentException if a certificate cannot be read; the message names the key
     */
    static ClientAccess of(String nameServers, RocketMqSettings config) {
        return new ClientAccess(
                nameServers,
                config.producerGroup(),
                config.namespace().orElse(""),
                config.accessKey(),
                config.secretKey(),
                ClientTls.of(config));
    }

    /**
     * The name that brokers use for a topic or group. The client library uses the same prefix, so consumers with the same
     * namespace see the plain name. Brokers ignore the library's newer form, a namespace in each request.
     */
    String inNamespace(String name) {
        return NamespaceUtil.wrapNamespace(namespace, name);
    }

    /** The hook that signs each request; null = requests are not signed. */
    RPCHook signing() {
        return accessKey.isEmpty()
                ? null
                : new AclClientRPCHook(new SessionCredentials(
                        accessKey.get(), secretKey.map(Secret::reveal).orElse("")));
    }

    /** The failure, with the reason of TLS: the client library says only that there is no connection. */
    String explained(String reason) {
        return tls.flatMap(ClientTls::failure)
                .map(failure -> failure + "; " + reason)
                .orElse(reason);
    }
}
