package io.mykit.delay.spring.payload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.mykit.delay.spring.PayloadFormat;
import io.mykit.delay.spring.UnreadablePayloadException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;

/** JSON by Jackson 2. */
record Jackson2Format(ObjectMapper mapper) implements PayloadFormat {
    /** By the mapper of the application, if there is one. */
    static Optional<PayloadFormat> ofBean(BeanFactory beans) {
        return Optional.ofNullable(beans.getBeanProvider(ObjectMapper.class).getIfAvailable())
                .map(Jackson2Format::new);
    }

    static PayloadFormat usual() {
        return new Jackson2Format(new ObjectMapper().findAndRegisterModules());
    }

    @Override
    public String write(Object payload) {
        try {
            return mapper.writeValueAsString(payload);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Object read(String body, Type type) {
        try {
            return mapper.readValue(body, mapper.constructType(type));
        } catch (StreamReadException | MismatchedInputException | ValueInstantiationException e) {
            throw new UnreadablePayloadException(e.getOriginalMessage(), e);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
