package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the application of Eureka's answer. An instance that is UP takes requests at its secure port if that is enabled, else
 * at its port. An instance whose parts cannot be read is left out. Stateless.
 */
final class EurekaAnswer {
    private static final String UP = "UP";

    private EurekaAnswer() {}

    /**
     * @throws IllegalArgumentException if the body is no such answer
     */
    static List<Destination> instances(Buffer body, Schemes schemes) {
        try {
            JsonObject application = new JsonObject(body).getJsonObject("application");
            if (application == null) {
                throw new IllegalArgumentException("the answer has no application");
            }
            Object listed = application.getValue("instance");
            // Eureka writes a single instance without an array in some versions.
            Stream<Object> instances = listed instanceof JsonArray array ? array.stream() : Stream.ofNullable(listed);
            return instances
                    .flatMap(instance -> EurekaAnswer.instance(instance, schemes).stream())
                    .distinct()
                    .toList();
        } catch (DecodeException | ClassCastException e) {
            throw new IllegalArgumentException("the answer is not the JSON of Eureka", e);
        }
    }

    private static Optional<Destination> instance(Object listed, Schemes schemes) {
        if (!(listed instanceof JsonObject instance) || !UP.equals(instance.getValue("status"))) {
            return Optional.empty();
        }
        return port(instance.getValue("securePort"))
                .flatMap(port -> destination(schemes, true, instance, port))
                .or(() -> port(instance.getValue("port")).flatMap(port -> destination(schemes, false, instance, port)));
    }

    /** The number of a port that is enabled: {@code {"$":8080,"@enabled":"true"}}. */
    private static Optional<Integer> port(Object listed) {
        if (!(listed instanceof JsonObject port) || !"true".equals(String.valueOf(port.getValue("@enabled")))) {
            return Optional.empty();
        }
        String number = String.valueOf(port.getValue("$"));
        return number.matches("\\d{1,5}") ? Optional.of(Integer.valueOf(number)) : Optional.empty();
    }

    private static Optional<Destination> destination(Schemes schemes, boolean tls, JsonObject instance, int port) {
        return Stream.of("hostName", "ipAddr")
                .flatMap(field -> Stream.ofNullable(instance.getValue(field)))
                .flatMap(host -> destination(schemes, tls, host.toString(), port).stream())
                .findFirst();
    }

    private static Optional<Destination> destination(Schemes schemes, boolean tls, String host, int port) {
        try {
            return Optional.of(Destination.of(schemes, tls, host, port));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
