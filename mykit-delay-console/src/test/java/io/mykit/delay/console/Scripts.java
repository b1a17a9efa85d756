package io.mykit.delay.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.io.IOAccess;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/** Runs the scripts of the page without a browser: what they compute, and not what they draw. For one thread. */
final class Scripts implements AutoCloseable {
    private static final Path FOLDER = Path.of("src/main/resources/console").toAbsolutePath();

    /** As much of a browser as the scripts touch while they are loaded. */
    private static final String BROWSER = """
            const kept = new Map(Object.entries(settings));
            globalThis.localStorage = {getItem: name => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value)};
            globalThis.sessionStorage = {getItem: () => null, setItem: () => {}, removeItem: () => {}};
            globalThis.matchMedia = () => ({matches: false, addEventListener: () => {}});
            globalThis.addEventListener = () => {};
            globalThis.setInterval = () => 0;
            globalThis.document = {baseURI: 'http://127.0.0.1:6355/console/', documentElement: {dataset: {}}};
            globalThis.location = {search: '', hash: '', pathname: '/console/', origin: 'http://127.0.0.1:6355', href: 'http://127.0.0.1:6355/console/'};
            globalThis.navigator = {languages: ['en']};
            globalThis.performance = {now: () => 0, timeOrigin: 0};
            const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
            globalThis.atob = text => {
                const bits = text.replace(/=+$/, '').split('').map(letter => {
                    if (!letters.includes(letter)) {
                        throw new Error('no Base64');
                    }
                    return letters.indexOf(letter).toString(2).padStart(6, '0');
                }).join('');
                return bits.match(/.{8}/g)?.map(byte => String.fromCharCode(parseInt(byte, 2))).join('') ?? '';
            };
            globalThis.URL = class { constructor(path) { this.path = path; } };
            globalThis.URLSearchParams = class { get() { return null; } };
            globalThis.fetch = async url => ({json: async () => JSON.parse(read(url.path))});
            const nothing = () => undefined;
            globalThis.preact = {h: nothing, render: nothing, Fragment: nothing};
            globalThis.preactHooks = {useEffect: nothing, useLayoutEffect: nothing, useMemo: nothing, useRef: nothing, useState: nothing};
            """;

    private final Context context;

    /** @param settings as the page keeps them, such as {@code language} and {@code zone} */
    Scripts(Map<String, String> settings) throws IOException {
        context = Context.newBuilder("js")
                .allowIO(IOAccess.ALL)
                .option("engine.WarnInterpreterOnly", "false")
                .option("js.esm-eval-returns-exports", "true")
                .build();
        Value bindings = context.getBindings("js");
        context.eval("js", "globalThis.settings = {}");
        settings.forEach((name, value) -> bindings.getMember("settings").putMember("mykit-delay." + name, value));
        bindings.putMember("read", (ProxyExecutable) arguments -> {
            try {
                return Files.readString(FOLDER.resolve(arguments[0].asString()));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        context.eval("js", BROWSER);
        bindings.putMember("i18n", module("i18n.js"));
        context.eval("js", "let failed; i18n.loadLanguage().catch(e => { failed = e; })");
        Value failed = context.eval("js", "failed");
        if (!failed.isNull()) {
            throw new IllegalStateException(failed.toString());
        }
    }

    /** The exports of a module of the page. */
    Value module(String name) throws IOException {
        // Imported, so that it is the same module as the one that other modules import.
        String all = "export * from '" + FOLDER.resolve(name).toUri().getPath() + "';";
        return context.eval(
                Source.newBuilder("js", all, "all of " + name + ".mjs").build());
    }

    /** A value of JavaScript. */
    Value value(String expression) {
        return context.eval("js", "(" + expression + ")");
    }

    @Override
    public void close() {
        context.close();
    }
}
