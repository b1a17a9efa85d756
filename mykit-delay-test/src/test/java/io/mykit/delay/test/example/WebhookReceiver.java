package io.mykit.delay.test.example;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class WebhookReceiver {
    public static void main(String[] args) throws Exception {
        byte[] secret = Base64.getDecoder().decode(args[0].substring("whsec_".length()));
        InetAddress here = InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(here, Integer.parseInt(args[1])), 0);
        server.createContext("/hook", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean genuine = isGenuine(secret, exchange.getRequestHeaders(), body);
            if (genuine) {
                // The work. A duplicate has the same webhook-id.
                System.out.println(new String(body, StandardCharsets.UTF_8));
            }
            exchange.sendResponseHeaders(genuine ? 204 : 401, -1);
            exchange.close();
        });
        server.start();
    }

    static boolean isGenuine(byte[] secret, Headers headers, byte[] body) {
        try {
            String id = headers.getFirst("webhook-id");
            String timestamp = headers.getFirst("webhook-timestamp");
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            byte[] expected =
                    ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
            long ageSeconds = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
            return Math.abs(ageSeconds) < 300
                    && Arrays.stream(headers.getFirst("webhook-signature").split(" "))
                            .anyMatch(given -> MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }
}
