package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyCallsTest {
    private static TestServer http;

    @BeforeAll
    static void start() {
        http = new TestServer(TestConfig.open());
    }

    @AfterAll
    static void stop() {
        http.close();
    }

    @Test
    void changesAPolicyAndShowsItWithTheSourceOfEachKey() {
        for (String rate : new String[] {"2.5", "\"2.5\"", "\"default\""}) {
            Answer answer = change("{\"topic\":\"shop/t\",\"rate\":" + rate + "}");
            assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
            assertThat(answer.response().body())
                    .contains("\"topic\":\"shop/t\"", "\"maxAttempts\":{", "\"from\":\"delivery.max-attempts\"");
        }
    }

    @Test
    void takesNothingButJson() {
        assertThat(http.post("/topics/policy", "{\"topic\":\"t\",\"rate\":1}").status())
                .isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                       | 400 | topic is required",
                "{~topic~:~t~}                            | 400 | a value of the policy is required: one of maxAttempts",
                "{~topic~:~t*~,~rate~:1}                  | 400 | takes the exact name of one topic",
                "{~topic~:~t~,~rat~:1}                    | 400 | rat",
                "{~topic~:~t~,~rate~:null}                | 400 | rate must be a text or a number",
                "{~topic~:~t~,~rate~:[1]}                 | 400 | rate must be a text or a number",
                "{~topic~:~t~,~rate~:1,~rate~:2}          | 400 | rate is given twice",
                "{~topic~:~t~,~interval~:5000}            | 400 | only a rate: {interval=Optional[5000ms]}",
                "{~topic~:~STORE_UNAVAILABLE~,~rate~:1}   | 503 | no store",
            })
    void namesWhatIsWrong(String body, int status, String message) {
        Answer answer = change(body.replace('~', '"'));
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.response().body()).contains(message);
    }

    private static Answer change(String body) {
        return http.send(http.request("/topics/policy")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }
}
