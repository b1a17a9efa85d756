package io.mykit.delay.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.javascript.jscomp.CheckLevel;
import com.google.javascript.jscomp.CommandLineRunner;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.DiagnosticGroups;
import com.google.javascript.jscomp.JSError;
import com.google.javascript.jscomp.SortingErrorManager;
import com.google.javascript.jscomp.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts, as a compiler reads them. */
class ScriptLintTest {
    private static final Path SCRIPTS = Path.of("src/main/resources/console");
    /** What the page loads before the modules, and properties of the window that are called by their bare names. */
    private static final SourceFile KNOWN = SourceFile.fromCode(
            "known.js",
            "var preact, preactHooks, sessionStorage, localStorage, addEventListener, removeEventListener, matchMedia;");

    @Test
    void noScriptHasAFinding() throws IOException {
        List<SourceFile> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".js")).toList()) {
                sources.add(SourceFile.fromCode("/" + SCRIPTS.relativize(file), Files.readString(file)));
            }
        }
        assertThat(sources).hasSizeGreaterThan(20);
        assertThat(findings(sources)).isEmpty();
    }

    /** The rules see what they are there for. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "export function f(x) { missing(x); }         | missing is undeclared",
                "export function f(x) { x == 1; }             | Suspicious code",
                "export function f() { const unused = 1; }    | variable unused is never read",
                "const a = 1; export function f() { a = 2; }  | a",
                "import {c} from './other.js'; export {c};    | does not have an export",
                "import {c} from './none.js'; export {c};     | Failed to load module",
            })
    void findsWhatIsWrong(String script, String finding) throws IOException {
        assertThat(findings(List.of(
                        SourceFile.fromCode("/other.js", "export const d = 1;"),
                        SourceFile.fromCode("/script.js", script))))
                .anyMatch(found -> found.contains(finding));
    }

    private static List<String> findings(List<SourceFile> sources) throws IOException {
        CompilerOptions options = new CompilerOptions();
        options.setLanguageIn(CompilerOptions.LanguageMode.ECMASCRIPT_NEXT);
        options.setLanguageOut(CompilerOptions.LanguageMode.NO_TRANSPILE);
        options.setAllowDynamicImport(true);
        options.setChunkOutputType(CompilerOptions.ChunkOutputType.ES_MODULES);
        options.setChecksOnly(true);
        options.setCheckSymbols(true);
        options.setCheckSuspiciousCode(true);
        for (var group : List.of(
                DiagnosticGroups.UNDEFINED_VARIABLES,
                DiagnosticGroups.UNUSED_LOCAL_VARIABLE,
                DiagnosticGroups.CHECK_VARIABLES,
                DiagnosticGroups.CHECK_USELESS_CODE,
                DiagnosticGroups.CONST,
                DiagnosticGroups.DUPLICATE_VARS,
                DiagnosticGroups.MODULE_LOAD)) {
            options.setWarningLevel(group, CheckLevel.ERROR);
        }
        Compiler compiler = new Compiler();
        compiler.setErrorManager(new SortingErrorManager(Set.of()));
        List<SourceFile> externs =
                new ArrayList<>(CommandLineRunner.getBuiltinExterns(CompilerOptions.Environment.BROWSER));
        externs.add(KNOWN);
        compiler.compile(externs, sources, options);
        // Warnings are about types, which these scripts do not declare.
        return compiler.getErrors().stream().map(JSError::toString).toList();
    }
}
