package io.mykit.delay.test.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.client.WebhookVerifier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

public final class VerifiedReceiver {
    public static void main(String[] args) throws IOException {
        WebhookVerifier verifier = WebhookVerifier.of(args[0]);
        InetAddress here = InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(here, Integer.parseInt(args[1])), 0);
        server.createContext("/hook", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean genuine = verifier.isGenuine(exchange.getRequestHeaders()::getFirst, body);
            if (genuine) {
                System.out.println(new String(body, UTF_8));
            }
            exchange.sendResponseHeaders(genuine ? 204 : 401, -1);
            exchange.close();
        });
        server.start();
    }
}
