package io.mykit.delay.lmstfy.admin;

import io.mykit.delay.common.value.Secret;
import io.mykit.delay.ports.call.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/**
 * The account of the admin port.
 *
 * @param user empty = no call needs an account
 */
public record Accounts(Optional<String> user, Optional<Secret> password) {
    private static final String SCHEME = "Basic ";

    /** Whether the request may make calls that need an account. */
    boolean admit(Request request) {
        if (user.isEmpty()) {
            return true;
        }
        String given = request.header("Authorization");
        if (!given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        String expected = user.get() + ":" + password.map(Secret::reveal).orElse("");
        byte[] known = Base64.getEncoder().encode(expected.getBytes(StandardCharsets.UTF_8));
        return MessageDigest.isEqual(
                known, given.substring(SCHEME.length()).strip().getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The name for records. */
    String caller() {
        return "lmstfy admin" + user.map(name -> " " + name).orElse("");
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "Accounts[" + user.orElse("none") + "]";
    }
}
