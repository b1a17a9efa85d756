package io.mykit.delay.test.ports;

import com.alibaba.fastjson2.JSON;
import io.mykit.delay.test.ports.RawHttp.Answer;
import java.util.Optional;

/** What programs of one API send for one queue, and how they understand the answers. Immutable. */
interface PortSpeech {
    /** The line of a request; its body is the job. */
    String publish(String job, int delaySeconds);

    /** The id of the job, if it was taken. */
    Optional<String> published(Answer answer, String job);

    /** The line of a request that gives one job to its caller. */
    String consume();

    /** The id of the job, if there was one. */
    Optional<String> consumed(Answer answer);

    /** Whether it says that there is no job now. */
    boolean isEmpty(Answer answer);

    /** The line of the request that ends a job. */
    String end(String id);

    boolean isEnded(Answer answer);

    /** Whether it says that a part is away, so that the program tries again. */
    boolean isAway(Answer answer);

    /** lmstfy; a consumer waits for a second. */
    static PortSpeech lmstfy(String queue, int ttrSeconds) {
        String path = "/api/kill/" + queue;
        return new PortSpeech() {
            @Override
            public String publish(String job, int delaySeconds) {
                return "PUT " + path + "?ttl=0&tries=1000&delay=" + delaySeconds;
            }

            @Override
            public Optional<String> published(Answer answer, String job) {
                return answer.status() == 201 ? Optional.of(id(answer)) : Optional.empty();
            }

            @Override
            public String consume() {
                return "GET " + path + "?timeout=1&ttr=" + ttrSeconds;
            }

            @Override
            public Optional<String> consumed(Answer answer) {
                return answer.status() == 200 ? Optional.of(id(answer)) : Optional.empty();
            }

            @Override
            public boolean isEmpty(Answer answer) {
                return answer.status() == 404;
            }

            @Override
            public String end(String id) {
                return "DELETE " + path + "/job/" + id;
            }

            @Override
            public boolean isEnded(Answer answer) {
                return answer.status() == 204;
            }

            @Override
            public boolean isAway(Answer answer) {
                return answer.status() == 503;
            }

            private String id(Answer answer) {
                return JSON.parseObject(answer.body()).getString("job_id");
            }
        };
    }

    /** Grape; a consumer does not wait, and a program gives the id. */
    static PortSpeech grape(String tube, int ttrSeconds) {
        return new PortSpeech() {
            @Override
            public String publish(String job, int delaySeconds) {
                return "POST /api/job/produce?tube=" + tube + "&jid=" + job + "&dtr=" + delaySeconds * 1000 + "&ttr="
                        + ttrSeconds * 1000;
            }

            @Override
            public Optional<String> published(Answer answer, String job) {
                return answer.toString().equals("200 true") ? Optional.of(job) : Optional.empty();
            }

            @Override
            public String consume() {
                return "GET /api/job/consume?max=1&tube=" + tube;
            }

            @Override
            public Optional<String> consumed(Answer answer) {
                return answer.status() == 200 && !isEmpty(answer)
                        ? Optional.of(
                                JSON.parseArray(answer.body()).getJSONObject(0).getString("id"))
                        : Optional.empty();
            }

            @Override
            public boolean isEmpty(Answer answer) {
                return answer.toString().equals("200 []");
            }

            @Override
            public String end(String id) {
                return "DELETE /api/job/finish?tube=" + tube + "&jid=" + id;
            }

            /** {@code false} = the hold had ended; the job is gone nevertheless. */
            @Override
            public boolean isEnded(Answer answer) {
                return answer.status() == 200;
            }

            @Override
            public boolean isAway(Answer answer) {
                return answer.status() == 500;
            }
        };
    }
}
