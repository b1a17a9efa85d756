package io.mykit.delay.spring.payload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mykit.delay.spring.PayloadFormat;
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
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
