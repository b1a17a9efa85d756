package io.mykit.delay.test.fault.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mykit.delay.common.lifecycle.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** One connection through a proxy: a thread for each direction. Thread-safe. */
final class Wire {
    private static final int CHUNK = 16 * 1024;
    private static final long SLOW_MS = 200;

    private final Passage passage;
    private final Socket near;
    private final Socket far;
    /** A COMMIT was sent whose answer is kept back. */
    private volatile boolean inDoubt;
    /** The end of what the client has sent. Of the thread that carries it. */
    private String tail = "";

    Wire(Passage passage, Socket near, Socket far) {
        this.passage = passage;
        this.near = near;
        this.far = far;
    }

    void open() {
        pump(near, far, "out");
        pump(far, near, "in");
    }

    void close() {
        passage.ended(this);
        closeQuietly(near);
        closeQuietly(far);
    }

    void closeIfInDoubt() {
        if (inDoubt) {
            close();
        }
    }

    private void pump(Socket from, Socket to, String direction) {
        Threads.daemon("wire-" + direction + "-" + far.getPort(), () -> carry(from, to))
                .start();
    }

    private void carry(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                Weather weather = passage.awaitWeather();
                if (weather == Weather.CUT) {
                    break;
                }
                if (from == near && isForbidden(chunk, length)) {
                    break;
                }
                if (weather == Weather.SLOW) {
                    TimeUnit.MILLISECONDS.sleep(SLOW_MS);
                }
                if (weather == Weather.DOUBTFUL && from == near && MySqlPacket.isCommit(chunk, length)) {
                    // Before the write: the answer must not be faster.
                    inDoubt = true;
                }
                if (from == near || !inDoubt) {
                    out.write(chunk, 0, length);
                }
            }
            // The end of a stream is news as well, and travels no faster than the rest.
            passage.awaitWeather();
        } catch (IOException e) {
            // One side is gone; the other is told.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private boolean isForbidden(byte[] chunk, int length) {
        String word = passage.forbidden();
        // The word may begin in one chunk and end in the next.
        String text = tail + new String(chunk, 0, length, ISO_8859_1);
        tail = text.substring(Math.max(0, text.length() - word.length()));
        return !word.isEmpty() && text.contains(word);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more in any case.
        }
    }

    /** The calls of a wire to its proxy. */
    interface Passage {
        /** Waits while nothing passes. */
        Weather awaitWeather() throws InterruptedException;

        /** A client that sends this word is cut off; empty = none. */
        default String forbidden() {
            return "";
        }

        /** The wire is closed. */
        void ended(Wire wire);
    }
}
