package io.mykit.delay.grape.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.queue.store.AuditQuery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GrapeCallsTest {
    private static final String PRODUCE = "POST /api/job/produce?tube=t&ttr=60000&jid=";
    private static final String CONSUME = "GET /api/job/consume?tube=t";
    private static final String NONE = "200 []";

    private final MemoryPort port = new MemoryPort();

    @BeforeEach
    void create() {
        assertThat(port.ask("POST /api/tube/create?tube=t")).isEqualTo("200 true");
    }

    @AfterEach
    void close() {
        port.close();
    }

    private MessageStatus status(String id) {
        return port.store.find(id).orElseThrow().status();
    }

    @Test
    void aTubeIsAPolicyOfItsTopic() {
        assertThat(port.queue.operators().topicsWithPolicy("grape/")).containsExactly("grape/t");
        assertThat(port.queue.operators().policy("grape/t"))
                .filteredOn(key -> key.from().equals("operator"))
                .extracting(key -> key.name() + " " + key.value())
                .containsExactly("maxAttempts 0", "interval 0");
        port.queue.operators().changeTopic("grape/native", Map.of("interval", Optional.of("5s")));
        assertThat(port.ask("GET /api/tube/list")).isEqualTo("200 [\"native\",\"t\"]");
        port.queue.operators().changeTopic("grape/not.a.name", Map.of("interval", Optional.of("5s")));
        assertThat(port.ask("GET /api/tube/list")).isEqualTo("200 [\"native\",\"t\"]");
    }

    @Test
    void aTubeThatIsMadeMeanwhileIsFound() {
        Thread maker = new Thread(
                () -> port.queue.operators().changeTopic("grape/late", Map.of("maxAttempts", Optional.of("0"))));
        maker.start();
        assertThat(port.ask("GET /api/job/consume?tube=late")).isEqualTo(NONE);
    }

    @Test
    void anIdThatWaitsIsNotReplaced() {
        assertThat(port.ask(PRODUCE + "a&dtr=60000", "first")).isEqualTo("200 true");
        assertThat(port.ask(PRODUCE + "a&dtr=60000", "first")).isEqualTo("200 false");
        assertThat(port.ask(PRODUCE + "a", "second")).isEqualTo("200 false");
        assertThat(port.store.find("t:a").orElseThrow().message().version()).isZero();
        assertThat(port.ask("DELETE /api/job/delete?tube=t&jid=a")).isEqualTo("200 true");
        assertThat(status("t:a")).isEqualTo(MessageStatus.DELETE);
        assertThat(port.ask(PRODUCE + "a", "second")).isEqualTo("200 true");
        assertThat(port.ask(CONSUME)).contains("\"c2Vjb25k\"");
    }

    @Test
    void jobsThatDidNotReachTheirClientAreNotConsumed() {
        assertThat(port.ask(PRODUCE + "a", "")).isEqualTo("200 true");
        Reply lost = port.reply(CONSUME, "");
        assertThat(port.ask(CONSUME)).isEqualTo(NONE);
        lost.takeBack();
        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(port.ask(CONSUME))
                .isEqualTo("200 [{\"id\":\"a\",\"dtr\":0,\"ttr\":60000,\"noe\":0,\"data\":\"\"}]"));
    }

    /** No verb acts on a job in another queue than its own. */
    @Test
    void eachVerbHasItsQueue() {
        assertThat(port.ask(PRODUCE + "a", "")).isEqualTo("200 true");
        for (String call : List.of("PUT release", "PUT bury", "PUT failure", "PUT kick", "DELETE discard")) {
            String line = call.replace(" ", " /api/job/") + "?tube=t&jid=a";
            assertThat(port.ask(line)).as(call).isEqualTo("200 false");
        }
        assertThat(port.ask(CONSUME)).contains("\"a\"");
        assertThat(port.ask("PUT /api/job/bury?tube=t&jid=a")).isEqualTo("200 true");
        assertThat(status("t:a")).isEqualTo(MessageStatus.FAILED);
        assertThat(port.ask("PUT /api/job/release?tube=t&jid=a")).isEqualTo("200 false");
        assertThat(port.ask("GET /api/job/peek?tube=t")).contains("\"a\"");
        assertThat(port.ask("PUT /api/job/kick?tube=t&jid=a")).isEqualTo("200 true");
        assertThat(port.ask(CONSUME)).contains("\"a\"");
        assertThat(port.ask("DELETE /api/job/finish?tube=t&jid=a")).isEqualTo("200 true");
        assertThat(status("t:a")).isEqualTo(MessageStatus.FINISH);
    }

    @Test
    void aNativeMessageIsShownWithItsOwnId() {
        port.queue
                .producers()
                .push(
                        port.queue
                                .producers()
                                .rules()
                                .check(new NewPush().topic("grape/t").id("own").body("b"), UnaryOperator.identity()),
                        Via.PROGRAM)
                .join();
        assertThat(port.ask(CONSUME))
                .startsWith("200 [{\"id\":\"own\",\"dtr\":0,\"ttr\":"
                        + port.queue.consumers().limits().ttr().toMillis());
    }

    @Test
    void makingAndDroppingHaveARow() {
        assertThat(port.ask("POST /api/tube/create?tube=t")).isEqualTo("200 true");
        assertThat(port.ask("POST /api/tube/delete?tube=t")).isEqualTo("200 true");
        assertThat(port.store.audit().page(new AuditQuery("", 0, Optional.empty(), Optional.empty()), 10))
                .extracting(row -> row.action() + " " + row.object() + " " + row.outcome())
                .containsExactlyInAnyOrder("deleteTube grape/t DONE", "createTube grape/t DONE");
    }

    @Test
    void aDropThatCannotRunChangesNothing() {
        Runnable turn = port.queue.operators().turn();
        assertThat(port.ask("POST /api/tube/delete?tube=t")).startsWith("500 {\"code\":9999,\"desc\":\"a restore");
        assertThat(port.ask("GET /api/tube/list")).isEqualTo("200 [\"t\"]");
        turn.run();
        assertThat(port.ask("POST /api/tube/delete?tube=t")).isEqualTo("200 true");
        assertThat(port.ask("GET /api/tube/list")).isEqualTo(NONE);
    }

    /** It may be that of another team. */
    @Test
    void aTokenOfANamespaceIsNotToldWhichWalkRuns() {
        try (MemoryPort own = new MemoryPort(GateTest.tokens("grape"))) {
            own.token = "operator";
            Runnable turn = own.queue.operators().turn();
            assertThat(own.ask("POST /api/tube/delete?tube=t"))
                    .isEqualTo("500 {\"code\":9999,\"desc\":\"a restore, clear, respawn or discard is running on this"
                            + " node; try again\"}");
            turn.run();
            assertThat(own.ask("POST /api/tube/delete?tube=t")).isEqualTo("200 true");
        }
    }

    @Test
    void limitsHoldForProduceAndConsume() {
        port.permit = new Permit(1500, "over");
        String limited =
                "429 {\"code\":429,\"desc\":\"the calls of this token are over their rate; try again in 2 s\"}";
        assertThat(port.ask(PRODUCE + "a", "")).isEqualTo(limited);
        assertThat(port.ask(CONSUME)).isEqualTo(limited);
        assertThat(port.ask("GET /api/tube/list")).isEqualTo("200 [\"t\"]");
        port.permit = Permit.GO;
        assertThat(port.store.find("t:a")).isEmpty();
    }
}
