package io.mykit.delay.test.fault.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Points name invisible code by strings: after a rename this test fails, and not a run of minutes. */
class RoundsTest {
    private static final Map<String, Set<String>> METHODS = new ClassFileImporter()
            .importPackages("io.mykit.delay").stream()
                    .filter(type -> !type.getSimpleName().isEmpty())
                    .collect(Collectors.toMap(JavaClass::getSimpleName, RoundsTest::methods, RoundsTest::union));

    @Test
    void everyPointIsAMethodOfTheServer() {
        assertThat(Rounds.points()).allSatisfy(point -> {
            String[] words = point.method().split("#", -1);
            assertThat(METHODS).containsKey(words[0]);
            assertThat(METHODS.get(words[0])).as(words[0]).contains(words[1]);
        });
    }

    @Test
    void everyCallerIsAClassOfTheServer() {
        assertThat(Rounds.points()).filteredOn(point -> !point.from().isEmpty()).allSatisfy(point -> assertThat(METHODS)
                .containsKey(point.from()));
    }

    /** The methods with a body. */
    private static Set<String> methods(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> !method.getModifiers().contains(JavaModifier.ABSTRACT))
                .map(JavaMethod::getName)
                .collect(Collectors.toSet());
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        return Stream.concat(one.stream(), other.stream()).collect(Collectors.toSet());
    }
}
