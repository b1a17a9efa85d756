package io.mykit.delay.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The servers. Calls begin with the one that answered last. Thread-safe. */
final class Endpoints {
    private final List<String> urls;
    /** Clients begin with different servers. */
    private volatile int preferred;

    /** @throws IllegalArgumentException if there is none, or one is not {@code http://} or {@code https://} and a host */
    Endpoints(List<String> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("an endpoint is required, such as http://127.0.0.1:6355");
        }
        this.urls = urls.stream().map(Endpoints::checked).toList();
        this.preferred = ThreadLocalRandom.current().nextInt(urls.size());
    }

    private static String checked(String url) {
        if (!isEndpoint(url)) {
            throw new IllegalArgumentException("not an endpoint such as http://127.0.0.1:6355: " + url);
        }
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static boolean isEndpoint(String url) {
        try {
            URI uri = new URI(url);
            return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getQuery() == null
                    && uri.getFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    List<String> urls() {
        return urls;
    }

    int size() {
        return urls.size();
    }

    int preferred() {
        return preferred;
    }

    /** @param position grows with the tries of a call */
    URI resolve(int position, String path) {
        return URI.create(urls.get(position % urls.size()) + path);
    }

    void answered(int position) {
        preferred = position % urls.size();
    }

    /** Lets calls begin with the next server. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Any server will do.
    void turn() {
        preferred = (preferred + 1) % urls.size();
    }
}
