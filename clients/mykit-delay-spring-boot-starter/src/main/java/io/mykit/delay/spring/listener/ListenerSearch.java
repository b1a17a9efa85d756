package io.mykit.delay.spring.listener;

import io.mykit.delay.spring.DelayedListener;
import io.mykit.delay.spring.Mode;
import io.mykit.delay.spring.PayloadFormat;
import io.mykit.delay.spring.TaskWorker;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.convert.ConversionService;
import org.springframework.util.StringUtils;

/** Finds the listeners among the beans. It makes no bean but the task workers. */
public record ListenerSearch(
        ConfigurableListableBeanFactory beans, PayloadFormat format, ListenerDefaults defaults, ListenerTimer timer) {
    private static final ConversionService CONVERSIONS = ApplicationConversionService.getSharedInstance();

    List<Endpoint> find() {
        List<Endpoint> found = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                annotated(name, found);
            }
        }
        for (TaskWorker worker : beans.getBeanProvider(TaskWorker.class)) {
            found.add(new Endpoint(
                    application() + "/" + worker.type(),
                    Mode.PULL,
                    defaults.concurrency(),
                    defaults.ttr(),
                    worker.getClass().getName(),
                    message -> {
                        worker.invoke(message.text());
                        return null;
                    },
                    timer));
        }
        return found;
    }

    private void annotated(String name, List<Endpoint> found) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type == null || !AnnotationUtils.isCandidateClass(type, DelayedListener.class)) {
            return;
        }
        Map<Method, DelayedListener> methods =
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<DelayedListener>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, DelayedListener.class));
        methods.forEach((method, listener) -> found.add(endpoint(name, method, listener)));
    }

    private Endpoint endpoint(String bean, Method method, DelayedListener listener) {
        Class<?> proxy = beans.getType(bean, false);
        if (proxy != null) {
            // Throws at start if the proxy of the bean does not have the method.
            var unused = AopUtils.selectInvocableMethod(method, proxy);
        }
        String ttr = resolved(listener.ttr());
        return new Endpoint(
                resolved(listener.topic()),
                listener.mode(),
                listener.concurrency() > 0 ? listener.concurrency() : defaults.concurrency(),
                ttr.isEmpty() ? defaults.ttr() : CONVERSIONS.convert(ttr, Duration.class),
                method.toString(),
                new ListenerMethod(
                        () -> beans.getBean(bean),
                        method,
                        Parameters.of(method, format, CONVERSIONS, defaults.unreadableBody()),
                        format),
                timer);
    }

    private String resolved(String value) {
        String resolved = beans.resolveEmbeddedValue(value);
        return resolved == null ? "" : resolved.strip();
    }

    private String application() {
        String name = resolved("${spring.application.name:}");
        if (!StringUtils.hasText(name)) {
            throw new IllegalStateException("A TaskWorker needs spring.application.name, the first part of its topic");
        }
        return name;
    }
}
