package io.mykit.delay.test.server;

import java.util.List;
import java.util.Map;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.remoting.RPCHook;

/**
 * The accounts and the TLS of a RocketMQ.
 *
 * @param user of the operator, which may do everything; empty = every client may
 * @param certificate of the servers; null = no TLS
 */
public record RocketMqAccess(String user, String password, TestCertificate certificate) {
    /** Every client may do everything, without TLS. */
    public static final RocketMqAccess OPEN = new RocketMqAccess("", "", null);

    /** Whether there is TLS. */
    public boolean tls() {
        return certificate != null;
    }

    /** Signs requests as the operator; null = nothing to sign. */
    public RPCHook signing() {
        return user.isEmpty() ? null : new AclClientRPCHook(new SessionCredentials(user, password));
    }

    Map<String, String> brokerSettings() {
        return user.isEmpty()
                ? Map.of()
                : Map.of(
                        "authenticationEnabled", "true",
                        "authorizationEnabled", "true",
                        "authenticationProvider",
                                "org.apache.rocketmq.auth.authentication.provider.DefaultAuthenticationProvider",
                        "authorizationProvider",
                                "org.apache.rocketmq.auth.authorization.provider.DefaultAuthorizationProvider",
                        "authenticationMetadataProvider",
                                "org.apache.rocketmq.auth.authentication.provider.LocalAuthenticationMetadataProvider",
                        "authorizationMetadataProvider",
                                "org.apache.rocketmq.auth.authorization.provider.LocalAuthorizationMetadataProvider",
                        "initAuthenticationUser", "{\"username\":\"" + user + "\",\"password\":\"" + password + "\"}",
                        "innerClientAuthenticationCredentials",
                                "{\"accessKey\":\"" + user + "\",\"secretKey\":\"" + password + "\"}");
    }

    /** The servers refuse connections without TLS; among themselves they check no certificate. */
    List<String> jvmOptions() {
        return certificate == null
                ? List.of()
                : List.of(
                        "-Dtls.enable=true",
                        "-Dtls.test.mode.enable=false",
                        "-Dtls.server.mode=enforcing",
                        "-Dtls.server.certPath=" + certificate.chain(),
                        "-Dtls.server.keyPath=" + certificate.key(),
                        "-Dtls.client.authServer=false");
    }
}
