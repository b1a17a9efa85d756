package io.mykit.delay.test.fault.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Weaves calls of {@link Tripwire} into the named methods, and {@link WrongClock} into the clock. Thread-safe. */
final class Weaver implements ClassFileTransformer {
    private static final String HOUSE = "io/mykit/delay/";
    private static final String CLOCK = HOUSE + "common/time/ClusterClock";
    private static final String CLOCK_CONSTRUCTOR =
            "(Ljava/util/function/LongSupplier;Ljava/util/function/LongSupplier;)V";
    private static final String TRIPWIRE = "io/mykit/delay/test/fault/agent/Tripwire";
    private static final String WRONG_CLOCK = "io/mykit/delay/test/fault/agent/WrongClock";

    private final Set<String> methods;
    private final Set<String> classes = new HashSet<>();

    /** @param methods {@code Class#method}, the class without its package; all overloads are meant */
    Weaver(Set<String> methods) {
        this.methods = methods;
        methods.forEach(method -> classes.add(method.substring(0, method.indexOf('#'))));
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> again, ProtectionDomain domain, byte[] classFile) {
        if (name == null || !name.startsWith(HOUSE)) {
            return null;
        }
        String simple = name.substring(name.lastIndexOf('/') + 1);
        if (!classes.contains(simple) && !name.equals(CLOCK)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(classFile);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new Wires(writer, simple, name.equals(CLOCK)), 0);
            return writer.toByteArray();
        } catch (RuntimeException | LinkageError e) {
            // The JVM would swallow it, and the wire would never be tripped.
            System.err.println("server agent: " + e);
            return null;
        }
    }

    private final class Wires extends ClassVisitor {
        private final String simple;
        private final boolean clock;

        Wires(ClassWriter writer, String simple, boolean clock) {
            super(Opcodes.ASM9, writer);
            this.simple = simple;
            this.clock = clock;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor plain = super.visitMethod(access, name, descriptor, signature, thrown);
            String method = simple + "#" + name;
            if (clock && name.equals("<init>") && descriptor.equals(CLOCK_CONSTRUCTOR)) {
                return new ClockConstructor(plain);
            }
            // The compiler's bridges call the method itself.
            boolean bridge = (access & (Opcodes.ACC_BRIDGE | Opcodes.ACC_ABSTRACT)) != 0;
            return methods.contains(method) && !bridge ? new Wired(plain, method) : plain;
        }
    }

    /** Neither call leaves anything on the stack, so that the frames stay as they are. */
    private static final class Wired extends MethodVisitor {
        private final String method;

        Wired(MethodVisitor plain, String method) {
            super(Opcodes.ASM9, plain);
            this.method = method;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            call("before");
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                call("after");
            }
            super.visitInsn(opcode);
        }

        private void call(String side) {
            visitLdcInsn(method);
            visitMethodInsn(Opcodes.INVOKESTATIC, TRIPWIRE, side, "(Ljava/lang/String;)V", false);
        }
    }

    private static final class ClockConstructor extends MethodVisitor {

        ClockConstructor(MethodVisitor plain) {
            super(Opcodes.ASM9, plain);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            visitVarInsn(Opcodes.ALOAD, 1);
            visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    WRONG_CLOCK,
                    "of",
                    "(Ljava/util/function/LongSupplier;)Ljava/util/function/LongSupplier;",
                    false);
            visitVarInsn(Opcodes.ASTORE, 1);
        }
    }
}
