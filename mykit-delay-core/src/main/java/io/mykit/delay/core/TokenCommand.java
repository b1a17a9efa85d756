package io.mykit.delay.core;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.token.IssuedToken;
import io.mykit.delay.access.token.LimitRules;
import io.mykit.delay.access.token.NewToken;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.CommandLine;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DatasourceConfig;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.core.embedded.DataDir;
import io.mykit.delay.core.embedded.EmbeddedStore;
import io.mykit.delay.core.embedded.StartException;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.QueueIdentity;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code mykit-delay token create}: makes a token on the machine itself, for the first administrator. It writes to the configured database;
 * running nodes read the token within seconds. One thread.
 */
final class TokenCommand {
    static final String NAME = "token";

    private static final String USAGE = "usage: mykit-delay token create --roles ROLE[,ROLE ...]; see --help";
    private static final Set<String> OWN =
            Set.of("--roles", "--namespace", "--description", "--expires-in", "--push-rate", "--pull-rate");

    private final Map<String, String> own = new HashMap<>();
    private final CommandLine others;

    private TokenCommand(List<String> args) {
        List<String> left = new ArrayList<>();
        Iterator<String> rest = args.iterator();
        if (!rest.hasNext() || !rest.next().equals("create")) {
            throw new ConfigException(USAGE);
        }
        while (rest.hasNext()) {
            String arg = rest.next();
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            if (!OWN.contains(name)) {
                left.add(arg);
            } else if (equals < 0 && !rest.hasNext()) {
                throw new ConfigException(arg + ": needs a value");
            } else if (own.put(name, equals < 0 ? rest.next() : arg.substring(equals + 1)) != null) {
                throw new ConfigException(name + " is given twice");
            }
        }
        others = CommandLine.parse(left.toArray(String[]::new));
    }

    /**
     * Runs the command. The token alone goes to {@code out}.
     *
     * @return the exit code of the process
     */
    static int run(List<String> args, PrintStream out, PrintStream err) {
        try {
            TokenCommand command = new TokenCommand(args);
            NewToken order = command.order();
            IssuedToken issued = command.store(ConfigLoader.load(command.others), order);
            out.println(issued.text());
            err.println("made " + issued.row() + " with the roles "
                    + issued.row().roles() + "; it is shown only here. Running nodes accept it within ten seconds");
            return MykitDelayServer.OK;
        } catch (ConfigException e) {
            return failed(err, e, MykitDelayServer.BAD_CONFIGURATION);
        } catch (DelayException | StartException | IllegalStateException e) {
            return failed(err, e, MykitDelayServer.CANNOT_START);
        }
    }

    private static int failed(PrintStream err, RuntimeException e, int code) {
        err.println("mykit-delay token: " + e.getMessage());
        return code;
    }

    private NewToken order() {
        try {
            return new NewToken(
                    own.getOrDefault("--namespace", Principal.ALL),
                    NewToken.roles(Optional.ofNullable(own.get("--roles"))
                            .map(text -> List.of(text.split(",", -1)))
                            .orElseThrow(() -> new ConfigException(USAGE))),
                    own.getOrDefault("--description", ""),
                    Optional.ofNullable(own.get("--expires-in")).map(TokenCommand::life),
                    rate("--push-rate"),
                    rate("--pull-rate"));
        } catch (DelayException refused) {
            throw new ConfigException(refused.getMessage(), refused);
        }
    }

    private int rate(String name) {
        String text = own.getOrDefault(name, "0");
        if (!FieldRules.isNumber(text) || Long.parseLong(text) < 0 || Long.parseLong(text) > LimitRules.MAX_RATE) {
            throw new ConfigException(name + " must be between 0 and " + LimitRules.MAX_RATE + "; 0 = no limit");
        }
        return Integer.parseInt(text);
    }

    private static Duration life(String text) {
        return FieldRules.duration("--expires-in", text);
    }

    private IssuedToken store(LoadedConfig loaded, NewToken order) {
        ServiceStack services = new ServiceStack();
        try {
            DelayConfig config = loaded.config();
            String url = config.datasource().url();
            if (url.equals(DatasourceConfig.EMBEDDED)) {
                DataDir dir = services.start(new DataDir(config.dataDir()));
                url = loaded.with(services.start(new EmbeddedStore(dir.path())).settings())
                        .config()
                        .datasource()
                        .url();
            }
            ClusterClock clock = new ClusterClock();
            MessageStore store = services.opened(MyBatisMessageStore.open(
                    config.datasource(), url, config.flowLog(), HostName.get(), clock, new SimpleMeterRegistry()));
            store.claim(QueueIdentity.of(config.queue()));
            IssuedToken issued = order.issue(clock.millis(), "command line of " + HostName.get());
            boolean unused = TokenTable.add(store.tokens(), order, issued);
            return issued;
        } finally {
            services.close();
        }
    }
}
