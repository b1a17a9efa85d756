package io.mykit.delay.queue.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import redis.clients.jedis.HostAndPort;

/**
 * Finds out whether a server that takes a plain connection and says nothing, or hangs up, speaks TLS: most do not answer what
 * they cannot read. Stateless.
 */
final class TlsProbe {
    private TlsProbe() {}

    /** Whether TLS was answered with TLS; whether we would trust the certificate is another question. */
    static boolean speaksTls(HostAndPort address, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(address.getHost(), address.getPort()), millis);
            plain.setSoTimeout(millis);
            SSLSocketFactory sockets = (SSLSocketFactory) SSLSocketFactory.getDefault();
            try (SSLSocket tls = (SSLSocket) sockets.createSocket(plain, address.getHost(), address.getPort(), true)) {
                tls.startHandshake();
                return true;
            }
        } catch (SSLException e) {
            return hasCertificate(e) || String.valueOf(e.getMessage()).startsWith("Received fatal alert");
        } catch (IOException e) {
            return false;
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
