package io.mykit.delay.test.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Every action of the console, with its true answer, on a packaged server. */
@Tag("long")
class ConsoleActionsIT extends ConsoleFixture {
    @AfterEach
    void noProblem() {
        browser.assertNoProblems();
    }

    private void openMessage(String id) {
        console.open("en", "messages?id=" + id);
        console.find("state");
    }

    private void awaitShown(String status) {
        Console.patiently()
                .ignoreExceptions()
                .until(() -> status.equals(console.find("state").getDomAttribute("data-status")));
    }

    @Test
    void cancelsAMessageOnceItIsConfirmed() {
        pushWaiting("cancel-1", "orders");
        openMessage("cancel-1");
        console.click("cancel");
        console.awaitText("dialog", "cancel-1", "orders");
        // Enter is pressed by accident: it keeps the message.
        browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
        Console.patiently().until(() -> !console.shows("dialog"));
        assertThat(status("cancel-1")).isEqualTo("DELAY");

        console.click("cancel");
        assertThat(console.confirm()).isEqualTo("Cancelled. No delivery will start.");
        awaitShown("DELETE");
        assertThat(status("cancel-1")).isEqualTo("DELETE");
    }

    @Test
    void aCancelThatComesTooLateSaysSo() {
        pushWaiting("late-1", "shown");
        openMessage("late-1");
        console.click("cancel");
        client.post("/reschedule", "{\"id\":\"late-1\",\"delay\":0}");
        awaitStatus("late-1", "FINISH");
        assertThat(console.confirm()).startsWith("Too late");
        awaitShown("FINISH");
        // The browser logs the status 409.
        browser.forgetProblems();
    }

    @Test
    void deliversAMessageNow() {
        pushWaiting("now-1", "shown");
        openMessage("now-1");
        console.click("deliver-now");
        assertThat(console.confirm()).isEqualTo("Due now.");
        awaitStatus("now-1", "FINISH");
        awaitShown("FINISH");
    }

    @Test
    void reschedulesAMessage() {
        pushWaiting("later-1", "orders");
        long dueBefore = client.job("later-1").dataObject().getLongValue("dueTime");
        openMessage("later-1");
        console.click("reschedule");
        console.find("later-at");
        browser.script(
                "const field = arguments[0]; field.value = '2030-05-06T07:08:09';"
                        + "field.dispatchEvent(new Event('change', {bubbles: true}))",
                console.find("later-at"));
        assertThat(console.confirm()).startsWith("Due 2030-05-06 07:08:09.000 UTC+8");
        // 07:08:09 in Shanghai.
        assertThat(client.job("later-1").dataObject().getLongValue("dueTime"))
                .isEqualTo(1904281689000L - 8 * HOUR_MS)
                .isNotEqualTo(dueBefore);
    }

    @Test
    void restoresAMessageThatWasDelivered() {
        push(Map.of("id", "again-1", "topic", "shown"));
        awaitStatus("again-1", "FINISH");
        openMessage("again-1");
        console.click("restore");
        console.awaitText("dialog", "a second time");
        assertThat(console.confirm()).startsWith("Put back.");
        Console.patiently()
                .until(() ->
                        client.job("again-1").dataObject().getJSONArray("flow").size() > 3);
    }

    @Test
    void respawnsAndDiscardsOneDeadLetter() {
        pushDead("one-1", "no account");
        openMessage("one-1");
        console.click("respawn");
        assertThat(console.confirm()).startsWith("It waits again");
        awaitStatus("one-1", "READY");

        pushDead("one-2", "no account");
        openMessage("one-2");
        console.click("discard");
        assertThat(console.confirm()).isEqualTo("Discarded.");
        awaitShown("DELETE");
    }

    @Test
    void respawnsAndDiscardsTheDeadLettersOfATopic() {
        pushDead("many-1", "no account 17");
        pushDead("many-2", "no account 18");
        console.open("en", "dead?topic=tasks");
        console.awaitText("reasons", "no account #");
        console.click("respawn");
        console.type("per-second", "1000");
        console.click("count");
        console.awaitText("counted", "would be delivered again, 1,000 a second");
        assertThat(console.confirm()).contains("wait");
        awaitStatus("many-1", "READY");

        pushDead("many-3", "no account 19");
        console.open("en", "dead?topic=tasks");
        console.click("discard");
        console.awaitText("counted", "would be discarded");
        assertThat(console.find("go").isEnabled()).isFalse();
        console.type("typed", "task");
        assertThat(console.find("go").isEnabled()).isFalse();
        console.type("typed", "tasks");
        assertThat(console.confirm()).contains("discarded in");
        assertThat(status("many-3")).isEqualTo("DELETE");
    }

    @Test
    void pausesAndResumesATopic() {
        pushWaiting("paused-1", "held");
        console.open("en", "topics?topic=held");
        console.click("pause");
        console.awaitText("answer", "Paused");
        assertThat(paused("held")).isTrue();
        console.click("resume");
        console.awaitText("answer", "Resumed");
        assertThat(paused("held")).isFalse();

        console.type("pause-for", "1h");
        console.click("pause");
        console.find("resume");
        assertThat(paused("held")).isTrue();
        client.post("/topics/resume", "{\"topic\":\"held\"}");
    }

    private boolean paused(String topic) {
        return client.get("/topics?topic=" + topic).text().matches(".*\"paused\":(true|\\{).*");
    }

    @Test
    void clearsATopicAfterItsNameWasTyped() {
        pushWaiting("clear-1", "cleared");
        pushWaiting("clear-2", "cleared");
        console.open("en", "topics?topic=cleared");
        console.click("clear");
        console.choose("clear-state", "all");
        console.click("count");
        console.awaitText("counted", "2 messages would be cancelled.");
        console.type("typed", "cleared");
        assertThat(console.confirm()).startsWith("2 messages cancelled");
        assertThat(status("clear-1")).isEqualTo("DELETE");
    }

    @Test
    void selectedMessagesGetOneAnswerEach() {
        pushWaiting("bulk-1", "bulk");
        pushWaiting("bulk-2", "bulk");
        console.open("en", "messages?topic=bulk&status=DELAY");
        Console.patiently().until(() -> console.keys("message-list").size() == 2);
        for (String id : List.of("bulk-1", "bulk-2")) {
            console.clickOn("tr[data-key='" + id + "'] [data-test='pick']");
        }
        console.awaitText("bulk", "2 messages selected");
        console.click("bulk-cancel");
        assertThat(console.confirm()).startsWith("2 of 2 succeeded");
        assertThat(console.all(Console.named("row-answer"))).hasSize(2);
        assertThat(List.of(status("bulk-1"), status("bulk-2"))).containsOnly("DELETE");
    }

    @Test
    void pushesAMessageByTheForm() {
        console.open("en", "try");
        console.type("push-topic", "orders");
        console.type("push-id", "form-1");
        console.type("push-body", "{\"a\": 1}");
        console.type("push-delay", "45m");
        console.click("more-fields");
        console.type("push-headers", "traceid: abc");
        console.click("push");
        console.awaitText("pushed", "form-1");
        assertThat(client.job("form-1").dataObject().getString("body")).isEqualTo("{\"a\": 1}");
        assertThat(client.job("form-1").dataObject().getJSONObject("headers")).containsEntry("traceid", "abc");
        console.clickOn("[data-test='pushed'] a");
        awaitShown("DELAY");
    }

    @Test
    void setsAPolicyGivesItBackAndTheAuditTells() {
        pushWaiting("policy-1", "orders");
        console.open("en", "topics?topic=orders");
        console.click("policy-open");
        console.type("policy-value", "25");
        console.click("policy-set");
        console.awaitText("policy-answer", "rate is set on all nodes");
        console.awaitText("policy-list", "25");
        console.click("give-back-rate");
        console.awaitText("policy-answer", "The configuration decides rate again");

        console.open("en", "audit?action=setPolicy");
        console.awaitText("audit-list", "rate=25");
        console.awaitText("audit-list", "done");
        console.choose("audit-action", "login");
        console.click("search");
        console.awaitText("audit", "No row fits the filter");
    }

    @Test
    void restoresWhatIsMissingAfterADryRun() {
        console.open("en", "operations");
        console.click("restore");
        console.click("count");
        console.awaitText("counted", "messages were looked at");
        assertThat(console.find("go").isEnabled()).isFalse();
        console.click("keep");
    }

    @Test
    void theConfigurationIsShown() {
        console.open("en", "operations");
        console.click("config-open");
        console.awaitText("config-list", "http.port");
    }

    @Test
    void clearsTheQueueAfterItsNameWasTyped() {
        pushWaiting("all-1", "orders");
        console.open("en", "operations");
        console.click("clear-all");
        console.awaitText("counted", "would be cancelled");
        console.type(
                "typed",
                console.find("dialog")
                        .findElement(org.openqa.selenium.By.className("to-type"))
                        .getText());
        assertThat(console.confirm()).contains("cancelled in");
        assertThat(status("all-1")).isEqualTo("DELETE");
    }
}
