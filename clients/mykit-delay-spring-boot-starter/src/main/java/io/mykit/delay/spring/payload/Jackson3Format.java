package io.mykit.delay.spring.payload;

import io.mykit.delay.spring.PayloadFormat;
import io.mykit.delay.spring.UnreadablePayloadException;
import java.lang.reflect.Type;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3. */
record Jackson3Format(JsonMapper mapper) implements PayloadFormat {
    /** By the mapper of the application, if there is one. */
    static Optional<PayloadFormat> ofBean(BeanFactory beans) {
        return Optional.ofNullable(beans.getBeanProvider(JsonMapper.class).getIfAvailable())
                .map(Jackson3Format::new);
    }

    static PayloadFormat usual() {
        return new Jackson3Format(JsonMapper.builder().findAndAddModules().build());
    }

    @Override
    public String write(Object payload) {
        return mapper.writeValueAsString(payload);
    }

    @Override
    public Object read(String body, Type type) {
        try {
            return mapper.readValue(body, mapper.constructType(type));
        } catch (StreamReadException | MismatchedInputException | ValueInstantiationException e) {
            throw new UnreadablePayloadException(e.getOriginalMessage(), e);
        }
    }
}
