package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

class MisfitTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "WRONGPASS invalid username-password pair or user is disabled.",
                "ERR invalid password",
                "NOAUTH Authentication required.",
                "NOPERM this user has no permissions to run the 'eval' command",
                "ERR Client sent AUTH, but no password is set",
                "ERR invalid DB index",
                "MOVED 12 10.0.0.1:6379",
                "DENIED Redis is running in protected mode because protected mode is enabled",
                "Unknown reply: \u0015",
                "Unknown reply: H"
            })
    void isAMatterOfConfiguration(String answer) {
        assertThat(Misfit.told(RedisUri.Mode.SINGLE, answer))
                .startsWith(answer)
                .contains(Misfit.KEY)
                .matches(Misfit::isMisfit);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LOADING Redis is loading the dataset in memory",
                "READONLY You can't write against a read only replica.",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "MISCONF Redis is configured to save RDB snapshots",
                "NOREPLICAS Not enough good replicas to write.",
                "CLUSTERDOWN The cluster is down",
                "BUSY Redis is busy running a script.",
                "ERR max number of clients reached",
                "Unexpected end of stream.",
                "Failed to connect to 10.0.0.1:6379."
            })
    void mayChangeByItself(String answer) {
        assertThat(Misfit.told(RedisUri.Mode.SINGLE, answer)).isEqualTo(answer);
        assertThat(Misfit.isMisfit(answer)).isFalse();
    }

    @Test
    void inAClusterARedirectionIsNone() {
        assertThat(Misfit.told(RedisUri.Mode.CLUSTER, "MOVED 12 10.0.0.1:6379")).isEqualTo("MOVED 12 10.0.0.1:6379");
        assertThat(Misfit.isMisfit(null)).isFalse();
    }

    @Test
    void whatIsWrongWithTls() {
        CertificateException certificate = new CertificateException("No name matching r found");
        SSLException untrusted = new SSLHandshakeException("PKIX path building failed");
        untrusted.initCause(certificate);
        assertThat(told(untrusted)).contains("No name matching r found").contains("trustStore");
        assertThat(told(new SSLException("Unsupported or unrecognized SSL message")))
                .contains("use redis://");
        assertThat(told(new SSLHandshakeException("Received fatal alert: handshake_failure")))
                .contains(Misfit.KEY);
    }

    @Test
    void aServerThatGoesAwayIsNone() {
        for (Exception away : new Exception[] {
            new SSLException("Remote host terminated the handshake", new EOFException()),
            new SSLException("Connection reset", new SocketException("Connection reset")),
            new SSLException("Read timed out", new SocketTimeoutException()),
            new UnknownHostException("no-such-host"),
            new SocketTimeoutException("connect timed out")
        }) {
            assertThat(told(away)).doesNotContain(Misfit.KEY);
        }
    }

    private static String told(Exception cause) {
        return Misfit.told(
                RedisUri.Mode.SINGLE,
                new JedisException("10.0.0.1:6379", new JedisConnectionException("failed", cause)));
    }
}
