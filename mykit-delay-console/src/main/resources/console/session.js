import {CallError, get, sessionChanged, setToken, tokenRefused} from './api.js';

// Who uses the page, as the server says. Only the server decides about a call; the page leaves out what would be refused.
const OPEN = {role: '', name: '', namespace: '*', tokensConfigured: false, pushes: true, pulls: true, reads: true, acts: true, administers: false};

export const session = {...OPEN, ready: false, login: false, error: null};

/** Whether the token sees the whole queue. One of a namespace sees that alone, and calls about the queue are closed to it. */
export function seesQueue() {
    return session.namespace === '*';
}

function take(who) {
    Object.assign(session, OPEN, who, {ready: true, login: !(who.pushes || who.pulls || who.reads || who.acts), error: null});
}

export async function readSession() {
    try {
        take(await get('whoami'));
    } catch (e) {
        // A server without this call decides about each call by itself, and the page shows everything.
        Object.assign(session, OPEN, {ready: true, login: e.status === 401, error: e.status === 401 ? e : null});
    }
    sessionChanged.changed();
}

/** A token that worked before is not valid any more. */
tokenRefused.listen(() => {
    if (session.ready && !session.login) {
        session.login = true;
        sessionChanged.changed();
    }
});

/** Throws the server's refusal; the token is forgotten then. */
export async function logIn(token, keep) {
    setToken(token, keep);
    try {
        const who = await get('whoami');
        if (who.tokensConfigured && who.role === 'ANONYMOUS') {
            throw new CallError(401, 'UNAUTHORIZED', '');
        }
        take(who);
        sessionChanged.changed();
    } catch (e) {
        setToken('', false);
        throw e;
    }
}

/** Wipes everything that the page holds. */
export function logOut() {
    setToken('', false);
    location.reload();
}
