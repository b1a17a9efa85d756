package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.common.value.Secret;
import java.util.Optional;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.NamespaceUtil;

/**
 * How to get to the brokers, and as whom. Immutable.
 *
 * @param nameServers {@code host:port;host:port}
 * @param group of the producer, without the namespace
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

    /** @throws IllegalArgumentException naming the key, if a certificate cannot be read */
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
     * The name that the brokers know a topic or group by. The prefix is the client library's own, so consumers with the same
     * namespace see the plain name. Its newer way, a namespace beside each request, is ignored by brokers.
     */
    String inNamespace(String name) {
        return NamespaceUtil.wrapNamespace(namespace, name);
    }

    /** Signs each request; null = nothing does. */
    RPCHook signing() {
        return accessKey.isEmpty()
                ? null
                : new AclClientRPCHook(new SessionCredentials(
                        accessKey.get(), secretKey.map(Secret::reveal).orElse("")));
    }

    /** What failed, and of TLS why: the client library says only that there is no connection. */
    String explained(String reason) {
        return tls.flatMap(ClientTls::failure)
                .map(failure -> failure + "; " + reason)
                .orElse(reason);
    }
}
