package io.mykit.delay.test.fault.network;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyIT {
    private ServerSocket server;
    private TcpProxy proxy;
    private Socket client;
    private Socket served;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        proxy = new TcpProxy(server.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        served = server.accept();
        served.setSoTimeout(5_000);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        served.close();
        server.close();
        proxy.close();
    }

    @Test
    void bytesPassBothWays() throws IOException {
        client.getOutputStream().write(7);
        assertThat(served.getInputStream().read()).isEqualTo(7);
        served.getOutputStream().write(8);
        assertThat(client.getInputStream().read()).isEqualTo(8);
    }

    @Test
    void aCutClosesWhatIsThereAndWhatComes() throws IOException {
        proxy.become(Weather.CUT);
        assertThat(served.getInputStream().read()).isEqualTo(-1);
        try (Socket second = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            second.setSoTimeout(5_000);
            assertThat(second.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aForbiddenWordEndsItsConnection() throws IOException {
        proxy.forbid("poison");
        client.getOutputStream().write("a poi".getBytes(US_ASCII));
        assertThat(served.getInputStream().readNBytes(5)).asString().isEqualTo("a poi");
        client.getOutputStream().write("son".getBytes(US_ASCII));
        assertThat(served.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void silenceHoldsBytesBackUntilItIsFairAgain() throws IOException {
        proxy.become(Weather.SILENT);
        client.getOutputStream().write(7);
        served.setSoTimeout(100);
        assertThatThrownBy(() -> served.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        served.setSoTimeout(5_000);
        proxy.become(Weather.FAIR);
        assertThat(served.getInputStream().read()).isEqualTo(7);
    }

    @Test
    void slowBytesComeLate() throws IOException {
        proxy.become(Weather.SLOW);
        long begin = System.nanoTime();
        client.getOutputStream().write(7);
        assertThat(served.getInputStream().read()).isEqualTo(7);
        assertThat(System.nanoTime() - begin).isGreaterThan(150_000_000L);
    }

    @Test
    void theAnswerToACommitInDoubtNeverComes() throws IOException {
        proxy.become(Weather.DOUBTFUL);
        client.getOutputStream().write("select".getBytes(US_ASCII));
        assertThat(served.getInputStream().readNBytes(6)).asString().isEqualTo("select");
        served.getOutputStream().write(8);
        assertThat(client.getInputStream().read()).isEqualTo(8);
        client.getOutputStream().write("COMMIT".getBytes(US_ASCII));
        assertThat(served.getInputStream().readNBytes(6)).asString().isEqualTo("COMMIT");
        served.getOutputStream().write(9);
        client.setSoTimeout(100);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        client.setSoTimeout(5_000);
        proxy.become(Weather.FAIR);
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        assertThat(served.getInputStream().read()).isEqualTo(-1);
    }
}
