// The view library. Its two scripts run before all modules and leave these two globals.
export const {h, render, Fragment} = globalThis.preact;
const {useEffect, useLayoutEffect, useMemo, useRef, useState} = globalThis.preactHooks;
export {useEffect, useLayoutEffect, useMemo, useRef, useState};

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

/** A reference for an element, and its width, also after it changed. */
export function useWidth() {
    const box = useRef(null);
    const [width, setWidth] = useState(0);
    useLayoutEffect(() => {
        let frame = 0;
        const look = () => setWidth(Math.floor(box.current.clientWidth));
        // A change of the layout inside the observer's own turn would be reported as an error.
        const observer = new ResizeObserver(() => {
            cancelAnimationFrame(frame);
            frame = requestAnimationFrame(look);
        });
        look();
        observer.observe(box.current);
        return () => {
            observer.disconnect();
            cancelAnimationFrame(frame);
        };
    }, []);
    return [box, width];
}
