package io.mykit.delay.spring.listener;

import io.mykit.delay.client.RejectMessageException;
import io.mykit.delay.spring.DelayedHeader;
import io.mykit.delay.spring.DelayedMessage;
import io.mykit.delay.spring.PayloadFormat;
import io.mykit.delay.spring.UnreadablePayloadException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;

/** The parameters of a listener, each as the function that takes its argument out of a message. Immutable. */
record Parameters(List<Function<DelayedMessage, Object>> readers) {
    private static final Logger LOG = System.getLogger("io.mykit.delay.client");

    /** @throws IllegalStateException if more than one parameter would be the body */
    static Parameters of(
            Method method, PayloadFormat format, ConversionService conversions, UnreadableBody unreadableBody) {
        List<Function<DelayedMessage, Object>> readers = new ArrayList<>();
        int bodies = 0;
        for (int i = 0; i < method.getParameterCount(); i++) {
            MethodParameter parameter = new MethodParameter(method, i);
            DelayedHeader header = parameter.getParameterAnnotation(DelayedHeader.class);
            if (header != null) {
                readers.add(header(header.value(), new TypeDescriptor(parameter), conversions));
            } else if (parameter.getParameterType() == DelayedMessage.class) {
                readers.add(message -> message);
            } else {
                readers.add(body(parameter, format, unreadableBody));
                bodies++;
            }
        }
        if (bodies > 1) {
            throw new IllegalStateException(
                    "A listener has one parameter for the body at most, all others need @DelayedHeader: " + method);
        }
        return new Parameters(List.copyOf(readers));
    }

    Object[] arguments(DelayedMessage message) {
        return readers.stream().map(reader -> reader.apply(message)).toArray();
    }

    private static Function<DelayedMessage, Object> header(
            String name, TypeDescriptor type, ConversionService conversions) {
        return message ->
                conversions.convert(value(name, message), TypeDescriptor.forObject(value(name, message)), type);
    }

    private static Object value(String name, DelayedMessage message) {
        return switch (name) {
            case "id" -> message.id();
            case "topic" -> message.topic();
            case "subtopic" -> message.subtopic();
            case "bizKey" -> message.bizKey();
            case "dueTime" -> message.dueTime();
            case "attempt" -> message.attempt();
            case "maxAttempts" -> message.maxAttempts();
            default -> header(name, message.headers());
        };
    }

    /** The value of a header; without one of exactly this name, that of one in another case; null = none. */
    private static String header(String name, Map<String, String> headers) {
        String exact = headers.get(name);
        return exact != null
                ? exact
                : headers.keySet().stream()
                        .filter(name::equalsIgnoreCase)
                        .findFirst()
                        .map(headers::get)
                        .orElse(null);
    }

    private static Function<DelayedMessage, Object> body(
            MethodParameter parameter, PayloadFormat format, UnreadableBody unreadableBody) {
        if (parameter.getParameterType() == String.class) {
            return DelayedMessage::text;
        }
        if (parameter.getParameterType() == byte[].class) {
            return DelayedMessage::bytes;
        }
        Type type = parameter.getGenericParameterType();
        return message -> {
            try {
                return format.read(message.text(), type);
            } catch (UnreadablePayloadException e) {
                if (unreadableBody == UnreadableBody.RETRY) {
                    throw e;
                }
                String reason = "the body is not " + type.getTypeName() + ": " + e.getMessage();
                // A rejection is an outcome, which nobody else logs; the application did not decide this one.
                LOG.log(
                        Level.WARNING,
                        "Message " + message.id() + " of " + message.topic() + " is rejected: " + reason);
                throw new RejectMessageException(reason, e);
            }
        };
    }
}
