package io.mykit.delay.controller.guard;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.Browsers;
import io.mykit.delay.access.HostNames;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.controller.route.Route;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses calls of foreign web pages. A page can make a browser send requests to this machine or its network, which the
 * page's author could not reach. But the browser names the page's origin and the called host in headers. Other clients send
 * none of the headers about the origin. Thread-safe.
 *
 * <p>If a page's own host name points to this server for the moment (DNS rebinding), the browser does not see a foreign
 * page. So a call without a token must use a known host name. Probes may use any name: they show the state of the server
 * and no messages. Scrapes may use any name too, while no token is configured or with a token.
 *
 * <p>Over plain http a browser sends an image's {@code GET} without any header about the page. So a browser without a token may
 * not change data by {@code GET} there.
 */
public final class PageGuard {
    private static final CharSequence FETCH_SITE = HttpHeaders.createOptimized("Sec-Fetch-Site");
    private static final CharSequence FETCH_MODE = HttpHeaders.createOptimized("Sec-Fetch-Mode");
    /** The values for a page of this server, and for an address that a user typed. */
    private static final Set<String> OWN = Set.of("same-origin", "none");

    private final Tokens tokens;
    private final HostNames names;
    private final GuardMeters meters;

    public PageGuard(HttpConfig config, Tokens tokens, GuardMeters meters) {
        this.tokens = tokens;
        this.meters = meters;
        this.names = new HostNames(config);
    }

    /**
     * Returns if the call is allowed.
     *
     * @throws DelayException FORBIDDEN
     */
    public void check(Route route, HttpMethod method, MultiMap headers) {
        String host = headers.get(HttpHeaders.HOST);
        String site = headers.get(FETCH_SITE);
        if (site != null && !OWN.contains(site.toLowerCase(Locale.ROOT)) && !isLink(route, method, headers)) {
            meters.page(GuardMeters.Sign.FETCH_SITE);
            throw foreign("Sec-Fetch-Site", site);
        }
        String origin = headers.get(HttpHeaders.ORIGIN);
        if (origin != null && !isOwn(origin, host)) {
            meters.page(GuardMeters.Sign.ORIGIN);
            throw foreign("Origin", origin);
        }
        if (site == null && origin == null && isCommandByGet(route, method) && isBrowserWithoutToken(headers)) {
            throw new DelayException(
                    ErrorCode.FORBIDDEN,
                    "use POST: this call changes data, and a browser that asks by GET over plain http does not tell"
                            + " which page makes the call");
        }
        if (!isAnyNameFine(route.access()) && !names.include(host)) {
            meters.page(GuardMeters.Sign.HOST);
            throw new DelayException(ErrorCode.FORBIDDEN, HostNames.refusal(host));
        }
    }

    /** A link that a user follows. The page with the link does not see the answer. */
    private static boolean isLink(Route route, HttpMethod method, MultiMap headers) {
        return route.isRead() && HttpMethod.GET.equals(method) && "navigate".equals(headers.get(FETCH_MODE));
    }

    private static boolean isCommandByGet(Route route, HttpMethod method) {
        return HttpMethod.GET.equals(method) && !route.isRead();
    }

    private static boolean isBrowserWithoutToken(MultiMap headers) {
        String agent = headers.get(HttpHeaders.USER_AGENT);
        return Browsers.isNamed(agent) && !Tokens.isBearer(headers.get(HttpHeaders.AUTHORIZATION));
    }

    private static boolean isOwn(String origin, String host) {
        return host != null
                && (origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host));
    }

    private boolean isAnyNameFine(Access access) {
        return access == Access.PROBES || access == Access.SCRAPES || tokens.guard(access);
    }

    private static DelayException foreign(String header, String value) {
        return new DelayException(
                ErrorCode.FORBIDDEN,
                "the header " + header + ": " + Browsers.quoted(value)
                        + " tells that a web page of another origin makes this call;"
                        + " call from a program, or from a page of this server");
    }
}
