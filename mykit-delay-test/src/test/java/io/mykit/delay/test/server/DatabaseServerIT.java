package io.mykit.delay.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("nightly")
class DatabaseServerIT {
    @TempDir
    Path dir;

    @Test
    void mysqlRunsWithTheStandInLibraries() {
        try (MySqlServer server = MySqlServer.startBare(dir)) {
            server.execute("CREATE DATABASE d", "CREATE TABLE d.t (id int PRIMARY KEY)", "INSERT INTO d.t VALUES (1)");
        }
    }

    @Test
    void mariadbKeepsItsDataWhenKilled() {
        try (MariaDbServer server = MariaDbServer.start(dir)) {
            server.execute("CREATE DATABASE d", "CREATE TABLE d.t (id int PRIMARY KEY)", "INSERT INTO d.t VALUES (1)");
            int port = server.port();
            server.kill();
            assertThatThrownBy(() -> server.execute("SELECT 1")).isInstanceOf(IllegalStateException.class);

            server.restart();

            assertThat(server.port()).isEqualTo(port);
            assertThatThrownBy(() -> server.execute("INSERT INTO d.t VALUES (1)"))
                    .hasRootCauseMessage("Duplicate entry '1' for key 'PRIMARY'");
        }
    }
}
