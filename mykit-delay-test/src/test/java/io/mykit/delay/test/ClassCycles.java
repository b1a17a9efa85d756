package io.mykit.delay.test;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the classes of a package that depend on each other in a circle, directly or through others of the package. A nested
 * class counts as its outermost one.
 */
final class ClassCycles {
    private final Map<String, Set<String>> dependencies = new TreeMap<>();

    private ClassCycles(JavaClasses classes) {
        for (JavaClass type : classes) {
            String from = outermost(type);
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                String to = outermost(target);
                if (!from.equals(to) && target.getPackageName().equals(type.getPackageName())) {
                    dependencies.computeIfAbsent(from, any -> new TreeSet<>()).add(to);
                }
            }
        }
    }

    /** The classes on circles, by the package that they are in. */
    static Map<String, Set<String>> of(JavaClasses classes) {
        ClassCycles cycles = new ClassCycles(classes);
        Map<String, Set<String>> byPackage = new TreeMap<>();
        for (String type : cycles.dependencies.keySet()) {
            if (cycles.reachableFrom(type).contains(type)) {
                int dot = type.lastIndexOf('.');
                byPackage
                        .computeIfAbsent(type.substring(0, dot), any -> new TreeSet<>())
                        .add(type.substring(dot + 1));
            }
        }
        return byPackage;
    }

    private Set<String> reachableFrom(String start) {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(dependencies.get(start));
        while (!next.isEmpty()) {
            String type = next.pop();
            if (reached.add(type)) {
                dependencies.getOrDefault(type, Set.of()).stream()
                        .filter(other -> !reached.contains(other))
                        .forEach(next::push);
            }
        }
        return reached;
    }

    private static String outermost(JavaClass type) {
        String name = type.getFullName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
