package io.mykit.delay.test.bench;

import io.mykit.delay.test.bench.line.BenchLine;
import java.util.List;

/** {@code --help}. */
final class Help {

    private Help() {}

    static String text() {
        StringBuilder text = new StringBuilder("""
                Measures the packaged server beside the raw ceilings of the very same servers. Starts MySQL, Redis, RocketMQ
                and ActiveMQ itself, on 127.0.0.1 and free ports; everything is stopped at the end and at Ctrl-C.

                usage: bin/bench [options]

                  --quick            all lines with little work: one to two minutes
                  (neither)          half an hour
                  --full             also the lines that need a lot of time and disk: an hour to two more
                  --only LINE,...    these lines only
                  --runs N           how often lines with medians are repeated (3; with --quick 1)
                  --seed N           of the delays (1)
                  --database NAME    mysql, or mariadb (mysql)
                  --java-options OPT options of the server's JVM, in one argument, to compare them: "-XX:+UseSerialGC -Xmn64m"
                  --json FILE        write all figures and the machine
                  --profile DIR      write flight recordings of the server (they cost a little)
                  --help             this text

                lines:
                """);
        append(text, Lines.usual());
        text.append("\nlines of --full:\n");
        append(text, Lines.full());
        return text.toString();
    }

    private static void append(StringBuilder text, List<BenchLine> lines) {
        lines.forEach(line -> text.append(String.format("  %-18s %s%n", line.name(), line.about())));
    }
}
