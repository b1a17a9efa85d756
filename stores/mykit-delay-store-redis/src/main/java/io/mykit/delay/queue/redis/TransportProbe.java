package io.mykit.delay.queue.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import redis.clients.jedis.HostAndPort;

/**
 * Finds out whether a server expects TLS while the uri says plain, or plain while the uri says TLS. Such a server takes the
 * connection and stays silent, or hangs up, because most servers do not answer input that they cannot read. Stateless.
 */
final class TransportProbe {
    private TransportProbe() {}

    /** The advice, if one of the hosts of the uri speaks the other kind. */
    static Optional<String> advice(RedisUri uri, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        return uri.hosts().stream()
                .filter(host -> uri.tls() ? speaksPlain(host, millis) : speaksTls(host, millis))
                .findFirst()
                .map(host -> uri.tls()
                        ? "Redis " + host + " does not speak TLS: use redis:// instead of rediss:// in " + Misfit.KEY
                        : "Redis " + host + " speaks TLS: use rediss:// in " + Misfit.KEY);
    }

    private static boolean speaksPlain(HostAndPort address, int millis) {
        try (Socket plain = connect(address, millis)) {
            plain.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            int first = plain.getInputStream().read();
            return first == '+' || first == '-';
        } catch (IOException e) {
            return false;
        }
    }

    /** This check does not decide whether the bridge trusts the certificate. */
    private static boolean speaksTls(HostAndPort address, int millis) {
        SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
        try (Socket plain = connect(address, millis);
                SSLSocket tls = (SSLSocket) sockets.createSocket(plain, address.getHost(), address.getPort(), true)) {
            tls.startHandshake();
            return true;
        } catch (SSLException e) {
            return hasCertificate(e) || String.valueOf(e.getMessage()).startsWith("Received fatal alert");
        } catch (IOException e) {
            return false;
        }
    }

    private static Socket connect(HostAndPort address, int millis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), millis);
            socket.setSoTimeout(millis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static boolean hasCertificate(SSLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }
}
