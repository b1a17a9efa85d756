package io.mykit.delay.test.server;

import java.nio.file.Path;

/**
 * One server of each kind for all tests of a JVM that do it no harm: started when first asked for, killed with the JVM.
 * A test that kills or freezes a server starts its own.
 */
public final class SharedServers {

    private SharedServers() {}

    /** MySQL 8; take a database of your own. */
    public static MySqlServer mysql() {
        return MySql.SERVER;
    }

    /** MariaDB; take a database of your own. */
    public static MariaDbServer mariadb() {
        return MariaDb.SERVER;
    }

    private static final class MySql {
        static final MySqlServer SERVER = MySqlServer.start(directory("mysql"));
    }

    private static final class MariaDb {
        static final MariaDbServer SERVER = MariaDbServer.start(directory("mariadb"));
    }

    /** Where the last JVM's server left its data; that is gone now. */
    private static Path directory(String name) {
        return ServerFiles.emptied("shared-" + name);
    }
}
