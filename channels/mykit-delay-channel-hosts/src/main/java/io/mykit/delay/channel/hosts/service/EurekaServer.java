package io.mykit.delay.channel.hosts.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.hosts.destination.Destination;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One server of Eureka. Immutable. Its text hides the account.
 *
 * @param base the URL without the account
 * @param headers of each request
 */
record EurekaServer(Destination base, Map<String, String> headers) {
    /**
     * @param urls with commas between; each may have an account, {@code http://user:password@host:8761/eureka}
     * @throws IllegalArgumentException if one is no URL; the message continues a sentence and shows no account
     */
    static List<EurekaServer> of(String urls) {
        return Arrays.stream(urls.split("[,\\s]+", -1))
                .filter(url -> !url.isEmpty())
                .map(EurekaServer::ofUrl)
                .toList();
    }

    /** The place of an application. Eureka knows applications by names in upper case. */
    Destination application(String service) {
        return base.withPath(base.path().replaceAll("/+$", "") + "/apps/" + service.toUpperCase(Locale.ROOT));
    }

    private static EurekaServer ofUrl(String url) {
        Map<String, String> headers = new TreeMap<>(Map.of("accept", "application/json"));
        int begin = url.indexOf("://") + "://".length();
        int slash = url.indexOf('/', begin);
        int at = url.substring(0, slash < 0 ? url.length() : slash).lastIndexOf('@');
        if (at < begin) {
            return new EurekaServer(server(url), headers);
        }
        byte[] account = decoded(url.substring(begin, at)).getBytes(UTF_8);
        headers.put("authorization", "Basic " + Base64.getEncoder().encodeToString(account));
        return new EurekaServer(server(url.substring(0, begin) + url.substring(at + 1)), headers);
    }

    private static String decoded(String account) {
        try {
            return URLDecoder.decode(account.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("has an account with a % that begins no escape", e);
        }
    }

    private static Destination server(String url) {
        Destination server = Destination.of(url);
        if (server.isService()) {
            throw new IllegalArgumentException("must begin with http:// or https://");
        }
        return server;
    }

    @Override
    public String toString() {
        return base.receiver();
    }
}
