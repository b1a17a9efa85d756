package io.mykit.delay.test.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A Java client that openapi-generator makes from the document of a running server compiles, and its calls work. */
@EnabledIfSystemProperty(
        named = "mykit.test.generator",
        matches = ".+",
        disabledReason = "no generator: the profile clients brings it")
class GeneratedClientIT {
    private static final String GENERATOR = "openapi-generator-cli.jar";
    private static final String PROGRAM = """
            import org.openapitools.client.ApiClient;
            import org.openapitools.client.ApiException;
            import org.openapitools.client.api.ProducersApi;
            import org.openapitools.client.model.Push;

            public class Program {
                public static String run(String url) throws Exception {
                    ApiClient client = new ApiClient();
                    client.updateBaseUri(url);
                    ProducersApi producers = new ProducersApi(client);
                    String id = producers.push(new Push().topic("generated").body("{}").delay(1800000L)).getData();
                    String status = producers.job(id, null, null, null).getData().getStatusName().getValue();
                    Object cancelled = producers.cancel(id, null, null).getData();
                    try {
                        producers.job("unknown", null, null, null);
                        return "found what is not there";
                    } catch (ApiException refused) {
                        return status + " " + cancelled.equals(id) + " " + refused.getCode();
                    }
                }
            }
            """;

    private final Path generator = Path.of(System.getProperty("mykit.test.generator", "."));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void pushesLooksUpAndCancels() throws Exception {
        try (HttpFixture fixture = new HttpFixture("generated_client", dir, Map.of())) {
            String url = "http://127.0.0.1:" + fixture.server().port();
            generate(url + "/openapi.json");
            Path classes = compile();
            assertThat(run(classes, url)).isEqualTo("DELAY true 404");
        }
    }

    private void generate(String document) throws IOException, InterruptedException {
        Path log = dir.resolve("generate.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-jar",
                        generator.resolve(GENERATOR).toString(),
                        "generate",
                        "-i",
                        document,
                        "-g",
                        "java",
                        "--library",
                        "native",
                        "--additional-properties",
                        "openApiNullable=false,useJakartaEe=true",
                        "-o",
                        dir.resolve("client").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    }

    private Path compile() throws IOException {
        Path sources = dir.resolve("client/src/main/java");
        Files.writeString(sources.resolve("Program.java"), PROGRAM);
        Path classes = Files.createDirectories(dir.resolve("classes"));
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            manager,
                            null,
                            List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath()),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
        return classes;
    }

    /** The program runs apart from the libraries of this test. */
    private String run(Path classes, String url) throws ReflectiveOperationException, IOException {
        List<URL> path = new ArrayList<>();
        path.add(classes.toUri().toURL());
        for (String jar : classPath().split(File.pathSeparator, -1)) {
            path.add(Path.of(jar).toUri().toURL());
        }
        try (URLClassLoader loader =
                new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            return (String)
                    loader.loadClass("Program").getMethod("run", String.class).invoke(null, url);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private String classPath() {
        return generator.resolve(GENERATOR) + File.pathSeparator + generator.resolve("jakarta.annotation-api.jar");
    }
}
