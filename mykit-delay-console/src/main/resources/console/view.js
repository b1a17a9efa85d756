// The view library. Its two scripts run before all modules and leave these two globals.
export const {h, render, Fragment} = globalThis.preact;
export const {useEffect, useLayoutEffect, useMemo, useRef, useState} = globalThis.preactHooks;

/** Calls its listeners when something changed. */
export function signal() {
    const listeners = new Set();
    return {
        changed: () => [...listeners].forEach(listener => listener()),
        listen: listener => {
            listeners.add(listener);
            return () => listeners.delete(listener);
        }
    };
}

/** Renders the component again after each change of the signal. */
export function useSignal(source) {
    const [, again] = useState(0);
    useEffect(() => source.listen(() => again(n => n + 1)), [source]);
}
