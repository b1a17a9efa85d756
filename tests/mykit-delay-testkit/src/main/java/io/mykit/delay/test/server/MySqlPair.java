package io.mykit.delay.test.server;

import java.nio.file.Path;

/**
 * A MySQL primary and its replica. Replication is asynchronous, as the mysqld of the harness comes without the plug-in for
 * the semi-synchronous one. So {@link #failOver()} promotes the replica only when it has all that the primary committed, and
 * {@link #failOverAsItIs()} may lose commits. Starting and failing over are for one thread; {@link #primary()} may be asked by
 * all.
 */
public final class MySqlPair implements AutoCloseable {
    private static final int CATCH_UP_SECONDS = 60;

    private volatile MySqlServer primary;
    private MySqlServer replica;

    private MySqlPair(MySqlServer primary, MySqlServer replica) {
        this.primary = primary;
        this.replica = replica;
    }

    /** Starts both; the replica follows from the primary's first transaction on. */
    public static MySqlPair start(Path dir) {
        MySqlServer first = MySqlServer.start(dir.resolve("server-1"), options(1));
        try {
            MySqlPair pair = new MySqlPair(first, MySqlServer.start(dir.resolve("server-2"), options(2)));
            pair.follow();
            return pair;
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
    }

    /** The server that takes writes. */
    public MySqlServer primary() {
        return primary;
    }

    /**
     * The primary takes no more writes; when the replica has all that it committed, the primary dies (SIGKILL) and the replica is
     * promoted.
     */
    public void failOver() {
        primary.execute("SET GLOBAL super_read_only = ON");
        awaitCaughtUp();
        failOverAsItIs();
    }

    /** Waits until the replica has all that the primary has committed so far. */
    public void awaitCaughtUp() {
        String committed =
                primary.column("SELECT @@GLOBAL.gtid_executed").get(0).replace("\n", "");
        String failed = replica.column(
                        "SELECT WAIT_FOR_EXECUTED_GTID_SET('" + committed + "', " + CATCH_UP_SECONDS + ")")
                .get(0);
        if (!failed.equals("0")) {
            throw new IllegalStateException(
                    "the replica does not have " + committed + " within " + CATCH_UP_SECONDS + " s");
        }
    }

    /** The replica gets no commit from now on. */
    public void cutOff() {
        replica.execute("STOP REPLICA");
    }

    /** The primary dies (SIGKILL), and the replica is promoted with what it has. */
    public void failOverAsItIs() {
        MySqlServer old = primary;
        old.kill();
        replica.execute("STOP REPLICA", "RESET REPLICA ALL", "SET GLOBAL read_only = OFF");
        primary = replica;
        replica = old;
    }

    /** Starts the old primary, which was killed, as the replica of the new one. */
    public void rejoin() {
        replica.restart();
        follow();
    }

    @Override
    public void close() {
        replica.close();
        primary.close();
    }

    private void follow() {
        replica.execute(
                "SET GLOBAL super_read_only = ON",
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = " + primary.port()
                        + ", SOURCE_USER = '" + DatabaseServer.USER
                        + "', SOURCE_AUTO_POSITION = 1, SOURCE_CONNECT_RETRY = 1, GET_SOURCE_PUBLIC_KEY = 1",
                "START REPLICA");
    }

    private static String[] options(int id) {
        return new String[] {
            "--server-id=" + id,
            // After --skip-log-bin: the last word counts.
            "--log-bin=binlog",
            "--sync-binlog=1",
            "--gtid-mode=ON",
            "--enforce-gtid-consistency=ON",
            "--relay-log=relay",
            "--relay-log-recovery=ON"
        };
    }
}
