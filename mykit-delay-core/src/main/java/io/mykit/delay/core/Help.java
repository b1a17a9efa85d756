package io.mykit.delay.core;

import io.mykit.delay.config.ConfigReference;

/** The text of {@code --help}. Stateless. */
final class Help {
    private Help() {}

    static String text() {
        StringBuilder text = new StringBuilder("""
                mykit-delay [--config FILE] [--mykit.delay.<key>=<value> ...]
                mykit-delay token create --roles ROLE[,ROLE ...] [--description TEXT] [--expires-in 90d]
                        [--push-rate N] [--pull-rate N] [the options above]

                Takes messages over HTTP and delivers each when it is due. Without any option it runs alone, with
                everything it needs embedded, on http://127.0.0.1:6355.

                  --config FILE   read FILE instead of conf/application.yml
                  --help          this
                  --version       the version

                token create writes a token of the queue to the database and prints it, once. The roles are producer, consumer,
                viewer, operator, admin; the rates are messages a second. With the embedded database, stop the server before.

                Environment: JAVA_HOME, JAVA_OPTS, MYKIT_DELAY_CONFIG (a file, as --config).
                Every key below can also be given as MYKIT_DELAY_HTTP_PORT=7000 or -Dmykit.delay.http.port=7000.
                Exit codes: 0 stopped as asked, 1 cannot start or did not stop in time, 2 the configuration cannot be used.

                """);
        for (ConfigReference.Entry entry : ConfigReference.entries()) {
            String name = entry.name() + (entry.value().equals("{}") ? ".<name>" : "");
            String value = entry.value().isEmpty() || entry.value().equals("{}") ? "" : " = " + entry.value();
            text.append("  ").append(name).append(value).append('\n');
            text.append("      ").append(entry.explanation()).append('\n');
        }
        return text.toString();
    }
}
