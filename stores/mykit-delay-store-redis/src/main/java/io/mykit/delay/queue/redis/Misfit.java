package io.mykit.delay.queue.redis;

import java.io.EOFException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLException;

/**
 * Tells a wrong configuration from an outage: a Redis that is not as {@code mykit.delay.redis.uri} says does not recover
 * until an operator changes Redis or the configuration. Stateless.
 */
final class Misfit {
    static final String KEY = "mykit.delay.redis.uri";
    static final String UNKNOWN_MASTER = "does not know the master '";

    /** The beginning of an answer of Redis, and the advice for the operator. */
    private static final Map<String, String> ADVICE = advice();

    private Misfit() {}

    private static Map<String, String> advice() {
        String password = "correct the user and the password in " + KEY;
        String kind = "another kind of server is there: correct the scheme, the host and the port in " + KEY;
        String rights = "give the user in " + KEY + " the rights that README.md lists";
        String cluster = "this server is not part of a cluster: use redis:// in " + KEY;
        Map<String, String> advice = new LinkedHashMap<>();
        advice.put("WRONGPASS", password);
        advice.put("ERR invalid password", password);
        advice.put("NOAUTH", "Redis demands a password: put it into " + KEY);
        advice.put("ERR AUTH <password> called without", "Redis has no password: leave it out of " + KEY);
        advice.put("ERR Client sent AUTH, but no password", "Redis has no password: leave it out of " + KEY);
        advice.put("ERR wrong number of arguments for 'auth'", "Redis 5 knows no users: leave the user out of " + KEY);
        advice.put("NOPERM", rights);
        advice.put("ERR DB index is out of range", "correct the database number at the end of " + KEY);
        advice.put("ERR invalid DB index", "correct the database number at the end of " + KEY);
        advice.put("ERR SELECT is not allowed in cluster mode", "this is a cluster: use redis-cluster:// in " + KEY);
        advice.put("ERR This instance has cluster support disabled", cluster);
        advice.put("ERR unknown command", kind);
        advice.put(
                "DENIED", "set a password in Redis, or its protected-mode to no, and write the password into " + KEY);
        advice.put("MOVED", "this is a cluster: use redis-cluster:// in " + KEY);
        return advice;
    }

    /** The message of the failure, with an advice if the configuration is wrong. */
    static String told(RedisUri.Mode mode, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        for (Throwable at = failure; at != null; at = at.getCause()) {
            String advice = advice(mode, at);
            if (advice != null) {
                String root = String.valueOf(at.getMessage());
                return (message.contains(root) ? message : message + " (" + root + ")") + "; " + advice;
            }
        }
        return message;
    }

    /** As {@link #told(RedisUri.Mode, Throwable)}, for an answer of the server. */
    static String told(RedisUri.Mode mode, String answer) {
        String advice = advice(mode, answer);
        return advice == null ? answer : answer + "; " + advice;
    }

    /** Whether {@link #told} added an advice. */
    static boolean isMisfit(String told) {
        return told != null && told.contains(KEY);
    }

    private static String advice(RedisUri.Mode mode, Throwable failure) {
        if (failure instanceof CertificateException) {
            return "have the JVM trust the certificate's authority"
                    + " (JAVA_OPTS=-Djavax.net.ssl.trustStore=FILE), and use a host name in " + KEY
                    + " that is in the certificate";
        }
        if (failure instanceof SSLException tls) {
            return advice(tls);
        }
        return advice(mode, String.valueOf(failure.getMessage()));
    }

    private static String advice(SSLException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.contains("Unsupported or unrecognized SSL message")) {
            return "this server does not speak TLS: use redis:// instead of rediss:// in " + KEY;
        }
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                // The cause below gives the better advice.
                return null;
            }
            if (cause instanceof EOFException
                    || cause instanceof SocketTimeoutException
                    || cause instanceof SocketException) {
                // The server went away during the TLS handshake.
                return null;
            }
        }
        return "TLS with this server fails: check rediss:// in " + KEY;
    }

    private static String advice(RedisUri.Mode mode, String answer) {
        if (answer.startsWith("Unknown reply: \u0015")) {
            return "this server speaks TLS: use rediss:// in " + KEY;
        }
        if (answer.startsWith("Unknown reply: ")) {
            return "this is no Redis: correct the host and the port in " + KEY;
        }
        if (answer.startsWith(UNKNOWN_MASTER)) {
            return "correct the name of the master in " + KEY;
        }
        for (Map.Entry<String, String> entry : ADVICE.entrySet()) {
            boolean redirection = entry.getKey().equals("MOVED") && mode == RedisUri.Mode.CLUSTER;
            if (answer.startsWith(entry.getKey()) && !redirection) {
                return entry.getValue();
            }
        }
        return null;
    }
}
