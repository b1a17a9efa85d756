package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicChangeCallsTest {
    private static final String ADMIN = "admin-token-0123456789";
    private static TestServer http;

    @BeforeAll
    static void start() {
        http = new TestServer(TestConfig.tokens(ADMIN, "producer-token-0123456789"));
    }

    @AfterAll
    static void stop() {
        http.close();
    }

    @Test
    void changesATopicAndShowsItsSettingsWithTheirSources() {
        for (String field : new String[] {
            "\"channel\":\"good\"",
            "\"channel\":\"default\"",
            "\"metrics\":true",
            "\"metrics\":false,\"channel\":\"good\""
        }) {
            Answer answer = change("{\"topic\":\"shop/t\"," + field + "}");
            assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
            assertThat(answer.response().body())
                    .contains("\"topic\":\"shop/t\"", "\"from\":\"delivery.default-channel\"", "\"metrics\":{");
        }
    }

    @Test
    void takesNothingButJson() {
        Answer answer = http.send(http.request("/topics/change")
                .header("Authorization", "Bearer " + ADMIN)
                .POST(BodyPublishers.ofString("{}")));
        assertThat(answer.status()).isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                             | 400 | topic is required",
                "{~topic~:~t~}                                  | 400 | channel or metrics is required",
                "{~topic~:~t*~,~channel~:~good~}                | 400 | takes the exact name of one topic",
                "{~topic~:~t~,~chanel~:~good~}                  | 400 | chanel",
                "{~topic~:~t~,~rate~:1}                         | 400 | rate",
                "{~topic~:~t~,~channel~:7}                      | 400 | channel must be a string",
                "{~topic~:~t~,~channel~:~~}                     | 400 | channel must have 1 to 100 characters",
                "{~topic~:~t~,~channel~:~good~,~channel~:~good~}| 400 | channel is given twice",
                "{~topic~:~t~,~metrics~:~true~}                 | 400 | metrics must be true or false",
                "{~topic~:~t~,~metrics~:1}                      | 400 | metrics must be true or false",
                "{~topic~:~t~,~channel~:~other~}                | 400 | channel = other: not installed",
                "{~topic~:~STORE_UNAVAILABLE~,~metrics~:true}   | 503 | no store",
            })
    void namesWhatIsWrong(String body, int status, String message) {
        Answer answer = change(body.replace('~', '"'));
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.response().body()).contains(message);
    }

    @Test
    void aChannelHasAtMostAHundredCharacters() {
        assertThat(change("{\"topic\":\"t\",\"channel\":\"" + "c".repeat(101) + "\"}")
                        .status())
                .isEqualTo(400);
    }

    private static Answer change(String body) {
        return http.send(http.request("/topics/change")
                .header("Authorization", "Bearer " + ADMIN)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }
}
