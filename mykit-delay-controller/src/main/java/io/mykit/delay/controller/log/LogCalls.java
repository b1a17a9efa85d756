package io.mykit.delay.controller.log;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.Access;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.log.LogLevels.LoggerLevel;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operators' calls about the levels of this node's loggers: {@code /log}. */
public final class LogCalls {
    private static final Logger LOG = LoggerFactory.getLogger(LogCalls.class);
    private static final ParameterNames FIELDS = ParameterNames.orJson("logger", "level", "for");
    private static final JsonParameters BODY = new JsonParameters(FIELDS, Set.of(), Set.of(), Set.of("for"));
    /** Only the server's own loggers: those of libraries print addresses with their passwords. */
    private static final Pattern OWN = Pattern.compile("io\\.mykit\\.delay(\\.[A-Za-z0-9_$]{1,64}){0,12}");

    private static final String DEFAULT = "default";
    private static final Duration MIN = Duration.ofSeconds(1);
    private static final Duration USUAL = Duration.ofMinutes(10);
    private static final Duration MAX = Duration.ofDays(1);

    private final LogLevels levels;

    public LogCalls(LogLevels levels) {
        this.levels = levels;
    }

    /** @param maxBody the maximum of bytes in a body */
    public List<Route> routes(int maxBody) {
        return List.of(
                new Route("log", Access.OPERATORS, Route.READ, "/log", ParameterNames.NONE, maxBody, this::list),
                new Route("setLog", Access.OPERATORS, Route.POST, "/log", ParameterNames.NONE, maxBody, this::change));
    }

    private CompletableFuture<Reply> list(Call call) {
        List<Map<String, Object>> loggers =
                levels.list().stream().map(LogCalls::data).toList();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("loggers", loggers);
        data.put("levels", LogLevels.NAMES);
        return CompletableFuture.completedFuture(Envelope.success(data));
    }

    private CompletableFuture<Reply> change(Call call) {
        // An HTML form of a foreign page cannot send this type.
        if (!call.declaresJson()) {
            return CompletableFuture.completedFuture(ErrorMapper.notJson());
        }
        Parameters given = BODY.read(call).parameters();
        String logger = given.text("logger").orElseThrow(() -> invalid("logger is required"));
        String level = given.text("level").orElseThrow(() -> invalid("level is required"));
        Duration time = given.duration("for", MIN, MAX).orElse(USUAL);
        if (!OWN.matcher(logger).matches()) {
            throw invalid("logger must be io.mykit.delay or a name that begins with io.mykit.delay.");
        }
        if (level.equals(DEFAULT)) {
            LOG.info("{} ends the changed level of the logger {}", call.caller().name(), logger);
            return answer(levels.reset(logger));
        }
        if (!LogLevels.NAMES.contains(level)) {
            throw invalid("level must be one of " + String.join(", ", LogLevels.NAMES) + ", " + DEFAULT);
        }
        LOG.info("{} gives the logger {} the level {} for {} s", call.caller().name(), logger, level, time.toSeconds());
        return answer(levels.change(logger, level, time));
    }

    private static CompletableFuture<Reply> answer(LoggerLevel level) {
        return CompletableFuture.completedFuture(Envelope.success(data(level)));
    }

    private static Map<String, Object> data(LoggerLevel level) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("logger", level.logger());
        data.put("level", level.level());
        data.put("until", level.endMs().orElse(null));
        return data;
    }
}
