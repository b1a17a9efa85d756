import {signal, useEffect, useRef, useState} from './view.js';
import {setClock} from './format.js';

// The page stands at <prefix>/console/, so the calls are one level up: a reverse proxy may put both below any prefix.
const ROOT = new URL('../', document.baseURI.replace(/[?#].*/, ''));
const KEPT = 'mykit-delay.token';
const WAITS = [10_000, 20_000, 40_000, 60_000];

let token = sessionStorage.getItem(KEPT) ?? '';

export const sessionChanged = signal();
export const tokenRefused = signal();
export const polling = {paused: false, changed: signal()};

/** A call that did not succeed. `status` is 0 if no answer came. */
export class CallError extends Error {
    constructor(status, code, message, retryAfterMs, data) {
        super(message);
        this.status = status;
        this.code = code;
        this.retryAfterMs = retryAfterMs;
        this.data = data;
    }
}

export function hasToken() {
    return token !== '';
}

export function setToken(value, keep) {
    token = value;
    if (keep && value !== '') {
        sessionStorage.setItem(KEPT, value);
    } else {
        sessionStorage.removeItem(KEPT);
    }
}

export function urlOf(path, query = []) {
    const url = new URL(path.replace(/^\//, ''), ROOT);
    for (const [name, value] of query) {
        if (value !== undefined && value !== null && value !== '') {
            url.searchParams.append(name, value);
        }
    }
    return url;
}

export function jobPath(id) {
    return 'job/' + encodeURIComponent(id);
}

function headers(more) {
    return token === '' ? more : {...more, Authorization: 'Bearer ' + token};
}

async function send(url, options) {
    try {
        return await fetch(url, {cache: 'no-store', credentials: 'omit', redirect: 'error', ...options});
    } catch (e) {
        if (e.name === 'AbortError') {
            throw e;
        }
        throw new CallError(0, 'NO_ANSWER', '');
    }
}

async function envelope(answer) {
    const retryAfter = Number(answer.headers.get('retry-after'));
    let json;
    try {
        json = await answer.json();
    } catch {
        throw new CallError(answer.status, 'NOT_JSON', answer.statusText);
    }
    if (answer.status === 401) {
        tokenRefused.changed();
    }
    setClock(json?.data?.asOf);
    if (!answer.ok || json.success === false) {
        throw new CallError(answer.status, json.error ?? '', json.message ?? '', retryAfter * 1000, json.data);
    }
    return json;
}

export async function get(path, query, abort) {
    return (await envelope(await send(urlOf(path, query), {signal: abort, headers: headers({})}))).data;
}

/** Every acting call: a POST with a JSON body, which a foreign page cannot make. */
export async function post(path, body) {
    const answer = await send(urlOf(path), {
        method: 'POST',
        headers: headers({'content-type': 'application/json'}),
        body: JSON.stringify(body)
    });
    return (await envelope(answer)).data;
}

/** Older acting calls, whose fields stand in a form. */
export async function postForm(path, fields) {
    const form = new URLSearchParams(fields);
    return (await envelope(await send(urlOf(path), {method: 'POST', headers: headers({}), body: form}))).data;
}

export async function blob(path) {
    const answer = await send(urlOf(path), {headers: headers({})});
    if (!answer.ok) {
        return envelope(answer);
    }
    return answer.blob();
}

/** A document without an envelope. */
export async function plainJson(path, abort) {
    const answer = await send(urlOf(path), {signal: abort, headers: headers({})});
    return answer.ok ? answer.json() : envelope(answer);
}

function isOutage(error) {
    return error !== null && (error.status === 0 || error.status === 429 || error.status >= 500) && error.code !== 'PAGE';
}

function nextWait(every, error, failures) {
    const wait = error === null ? every : Math.max(error.retryAfterMs || 0, WAITS[Math.min(failures, WAITS.length) - 1]);
    return wait * (0.9 + Math.random() * 0.2);
}

/**
 * Asks again and again: `every` ms after the last answer, later after errors, not while the page is hidden. With `every` 0 it
 * asks until it has an answer. The last good data stay beside an error.
 *
 * @param ask of (abort signal, data of the last answer)
 * @param every milliseconds, or a function of the data
 * @param deps as of an effect; a change begins anew
 */
export function usePoll(ask, every, deps) {
    const period = data => (typeof every === 'function' ? every(data) : every);
    const [state, setState] = useState({data: null, error: null, at: null});
    const last = useRef(null);
    const round = useRef(() => {});
    useEffect(() => {
        let abort = null;
        let timer = 0;
        let failures = 0;
        let ended = false;
        last.current = null;
        setState({data: null, error: null, at: null});
        async function run(asked) {
            clearTimeout(timer);
            if (document.hidden || (polling.paused && last.current !== null && !asked)) {
                return;
            }
            abort?.abort();
            const own = new AbortController();
            abort = own;
            let error = null;
            try {
                last.current = await ask(own.signal, last.current);
                failures = 0;
                if (!ended && abort === own) {
                    setState({data: last.current, error: null, at: performance.now(), every: period(last.current)});
                }
            } catch (e) {
                if (ended || own.signal.aborted) {
                    return;
                }
                error = e instanceof CallError ? e : new CallError(0, 'PAGE', String(e.message));
                failures++;
                setState(old => ({...old, error}));
            }
            // A call that the server does not have will not come by waiting, but a part of the server that is away will.
            const wait = period(last.current);
            if (!ended && abort === own && (wait > 0 ? error?.status !== 404 : isOutage(error))) {
                timer = setTimeout(run, nextWait(wait, error, failures));
            }
        }
        const back = () => !document.hidden && (period(last.current) > 0 || last.current === null) && run(false);
        const unlisten = polling.changed.listen(back);
        document.addEventListener('visibilitychange', back);
        round.current = () => run(true);
        run(true);
        return () => {
            ended = true;
            clearTimeout(timer);
            abort?.abort();
            unlisten();
            document.removeEventListener('visibilitychange', back);
        };
    }, deps);
    return {...state, again: () => round.current()};
}
