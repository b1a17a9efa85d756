package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A DNS server on 127.0.0.1, by UDP and TCP, with the records that a test gives it. */
final class StubDns implements AutoCloseable {
    static final int A = 1;
    static final int SRV = 33;
    private static final int NXDOMAIN = 3;
    private static final int TRUNCATED = 0x0200;
    private static final int AUTHORITATIVE = 0x0400;
    private static final int HEADER = 12;

    private final ServerSocket tcp;
    private final DatagramSocket udp;
    private final Map<String, List<byte[]>> records = new ConcurrentHashMap<>();
    /** The status of all answers; negative = no answer. */
    private volatile int status;

    private volatile boolean truncating;
    private volatile boolean authoritative;

    StubDns() {
        try {
            tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            udp = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), tcp.getLocalPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Threads.daemon("stub-dns-udp", this::serveUdp).start();
        Threads.daemon("stub-dns-tcp", this::serveTcp).start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), tcp.getLocalPort());
    }

    /** All answers have this status; negative = there are no answers. */
    void status(int all) {
        status = all;
    }

    /** The server has the domain itself. */
    void authoritative() {
        authoritative = true;
    }

    /** Answers by UDP are cut, so that the client asks by TCP. */
    void truncate() {
        truncating = true;
    }

    void address(String name, String address, int ttl) {
        try {
            add(name, A, ttl, InetAddress.getByName(address).getAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void service(String name, int priority, int port, String target, int ttl) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        data.writeBytes(ByteBuffer.allocate(6)
                .putShort((short) priority)
                .putShort((short) 1)
                .putShort((short) port)
                .array());
        for (String label : target.isEmpty() ? new String[0] : target.split("\\.", -1)) {
            data.write(label.length());
            data.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        data.write(0);
        add(name, SRV, ttl, data.toByteArray());
    }

    /** Adds a record whose data need not be right. */
    void add(String name, int type, int ttl, byte[] data) {
        byte[] record = ByteBuffer.allocate(HEADER + data.length)
                .putShort((short) 0xC00C)
                .putShort((short) type)
                .putShort((short) 1)
                .putInt(ttl)
                .putShort((short) data.length)
                .put(data)
                .array();
        records.computeIfAbsent(name + " " + type, any -> new ArrayList<>()).add(record);
    }

    private byte[] answer(byte[] query, boolean whole) {
        StringBuilder name = new StringBuilder();
        int at = HEADER;
        while (query[at] != 0) {
            name.append(new String(query, at + 1, query[at], StandardCharsets.US_ASCII))
                    .append('.');
            at += query[at] + 1;
        }
        int type = query[at + 2];
        int end = at + 5;
        List<byte[]> found = records.getOrDefault(name + " " + type, List.of());
        boolean isName = records.keySet().stream().anyMatch(key -> key.startsWith(name + " "));
        int code = status != 0 ? status : isName ? 0 : NXDOMAIN;
        List<byte[]> sent = whole && code == 0 ? found : List.of();
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        answer.writeBytes(ByteBuffer.allocate(HEADER)
                .put(query, 0, 2)
                .putShort((short) (0x8180 | (whole ? 0 : TRUNCATED) | (authoritative ? AUTHORITATIVE : 0) | code))
                .putShort((short) 1)
                .putShort((short) sent.size())
                .array());
        answer.write(query, HEADER, end - HEADER);
        sent.forEach(answer::writeBytes);
        return answer.toByteArray();
    }

    private void serveUdp() {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                udp.receive(packet);
                if (status >= 0) {
                    byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()), !truncating);
                    udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException closed) {
            // The end of the test.
        }
    }

    private void serveTcp() {
        while (true) {
            try (Socket client = tcp.accept()) {
                DataInputStream in = new DataInputStream(client.getInputStream());
                byte[] answer = answer(in.readNBytes(in.readUnsignedShort()), true);
                DataOutputStream out = new DataOutputStream(client.getOutputStream());
                out.writeShort(answer.length);
                out.write(answer);
                out.flush();
            } catch (IOException closed) {
                if (tcp.isClosed()) {
                    return;
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }
}
