package io.mykit.delay.test;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Counts the lines of methods and constructors as they stand in the sources. */
final class MethodLengths {
    /** The trees of all sources at once fill the heap. */
    private static final int TOGETHER = 50;

    private MethodLengths() {}

    /** The methods that are longer, as "Class.method"; the class is the one of the file. */
    static List<String> longerThan(int limit, List<Path> sources) throws IOException {
        List<Path> longFiles = new ArrayList<>();
        for (Path source : sources) {
            if (Modules.lines(source) > limit) {
                longFiles.add(source);
            }
        }
        List<String> longer = new ArrayList<>();
        for (int from = 0; from < longFiles.size(); from += TOGETHER) {
            scan(limit, longFiles.subList(from, Math.min(from + TOGETHER, longFiles.size())), longer);
        }
        return longer;
    }

    private static void scan(int limit, List<Path> sources, List<String> longer) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Methods(unit, positions, limit, longer).scan(unit, null);
            }
        }
    }

    private static final class Methods extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final int limit;
        private final List<String> longer;

        Methods(CompilationUnitTree unit, SourcePositions positions, int limit, List<String> longer) {
            this.unit = unit;
            this.positions = positions;
            this.limit = limit;
            this.longer = longer;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            long first = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, method));
            long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, method));
            if (last - first >= limit) {
                String file =
                        Path.of(unit.getSourceFile().getName()).getFileName().toString();
                longer.add(file.replace(".java", "") + "." + method.getName());
            }
            return super.visitMethod(method, null);
        }
    }
}
