package io.mykit.delay.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.outbox.example.Orders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts and the program on the page of the outbox are those that are shipped and compiled, and the program runs. */
class OutboxPageTest extends OutboxFixture {
    private static final Path REPOSITORY = Path.of(System.getProperty("mykit.delay.repo", "../.."));
    private static final String MODULE = "clients/mykit-delay-outbox/src/";

    @ParameterizedTest
    @CsvSource({
        "docs/outbox.md, mysql", "docs/outbox.md, postgresql", "docs/outbox.md, h2",
        "docs/outbox.zh-CN.md, mysql", "docs/outbox.zh-CN.md, postgresql", "docs/outbox.zh-CN.md, h2"
    })
    void theScriptsOnThePageAreThoseOfTheJar(String page, String name) throws IOException {
        String script =
                Files.readString(REPOSITORY.resolve(MODULE + "main/resources/io/mykit/delay/outbox/" + name + ".sql"));
        assertThat(Files.readString(REPOSITORY.resolve(page))).contains("```sql\n" + script + "```\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/outbox.md", "docs/outbox.zh-CN.md"})
    void theProgramOnThePageIsTheExample(String page) throws IOException {
        String source = Files.readString(
                        REPOSITORY.resolve(MODULE + "test/java/io/mykit/delay/outbox/example/Orders.java"))
                .replaceFirst("package .*;\n\n", "");
        assertThat(Files.readString(REPOSITORY.resolve(page))).contains("```java\n" + source + "```\n");
    }

    @Test
    void theProgramRuns() throws Exception {
        database.execute("CREATE TABLE orders (number VARCHAR(20), state VARCHAR(20))");
        try (Orders orders = new Orders(database.source(), server.client())) {
            orders.place("7");
            orders.pay("7");
            await().until(() -> server.calls().size() == 2);
        }
        assertThat(server.calls()).containsExactly("push orders-expiry-7", "cancel orders-expiry-7");
        assertThat(state().rows()).isZero();
    }
}
