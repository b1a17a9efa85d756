package io.mykit.delay.test.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** No systemd runs the unit here. It is compared with the server and with the package. */
class SystemdTest {
    private static final List<String> UNIT =
            DeployFiles.text("systemd/mykit-delay.service").lines().toList();

    @Test
    void theProgramIsWhereThePackagePutsIt() {
        String pom = DeployFiles.text("../mykit-delay-core/pom.xml");
        assertThat(value("ExecStart")).isEqualTo("/usr/share/mykit-delay/bin/mykit-delay");
        assertThat(pom).contains("<prefix>/usr/share/mykit-delay/bin</prefix>");
        assertThat(value("EnvironmentFile")).isEqualTo("-/etc/mykit-delay/environment");
        assertThat(pom).contains("<linkTarget>../../../etc/mykit-delay</linkTarget>");
    }

    @Test
    void theServerGetsTheTimeToStop() {
        assertThat(Integer.parseInt(value("TimeoutStopSec"))).isGreaterThan(DeployFiles.STOP_SECONDS);
    }

    /** By default systemd sends SIGTERM to all processes of the service, so the embedded Redis would end before the server. */
    @Test
    void aStopIsForTheServerAlone() {
        assertThat(value("KillMode")).isEqualTo("mixed");
    }

    @Test
    void settingsAreKeysAndPointToTheDirectoriesOfTheService() {
        assertThat(values("Environment")).hasSize(2).contains("LANG=C.UTF-8");
        String setting = values("Environment").get(0);
        assertThat(DeployFiles.variables()).containsKey(setting.replaceFirst("=.*", ""));
        assertThat(setting).endsWith("=/var/lib/" + value("StateDirectory"));
        assertThat(value("WorkingDirectory")).isEqualTo("/var/lib/" + value("StateDirectory"));
        List<String> secrets = DeployFiles.text("debian/environment")
                .lines()
                .filter(line -> line.startsWith("#MYKIT"))
                .map(line -> line.substring(1, line.indexOf('=')))
                .toList();
        assertThat(DeployFiles.variables().keySet()).containsAll(secrets);
    }

    @Test
    void aConfigurationThatCannotBeUsedIsNotStartedAgain() {
        assertThat(value("RestartPreventExitStatus")).isEqualTo("2");
        assertThat(UNIT).noneMatch(line -> line.startsWith("MemoryDenyWriteExecute"));
    }

    @Test
    void theAccountIsThatOfTheUnit() {
        assertThat(DeployFiles.text("systemd/mykit-delay.sysusers").lines())
                .anyMatch(line -> line.matches("u +" + value("User") + " .*"));
    }

    private static String value(String name) {
        List<String> found = values(name);
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }

    private static List<String> values(String name) {
        return UNIT.stream()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1))
                .toList();
    }
}
