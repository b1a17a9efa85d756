package io.mykit.delay.spring.boot;

import java.net.http.HttpClient;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;

/** HTTP clients with the certificates of the configuration. */
final class HttpClients {
    private HttpClients() {}

    static HttpClient open(DelayClientProperties properties, ObjectProvider<SslBundles> bundles) {
        HttpClient.Builder http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2));
        if (!properties.sslBundle().isEmpty()) {
            http.sslContext(
                    bundles.getObject().getBundle(properties.sslBundle()).createSslContext());
        }
        return http.build();
    }
}
