import {signal} from './view.js';

// All state of a page that a link should carry lives in the fragment, which never reaches a server or a log.
export const routeChanged = signal();

export function route() {
    const [name, query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
    return {name, params: new URLSearchParams(query)};
}

/** @param entries of [name, value]; empty ones are left out */
export function href(name, entries = []) {
    const query = entries.filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
    return `#/${name}` + (query === '' ? '' : '?' + query);
}

export function go(name, entries) {
    location.hash = href(name, entries);
}

/** Changes the fragment without a further step in the history. */
export function replace(name, entries) {
    history.replaceState(null, '', href(name, entries));
    routeChanged.changed();
}

addEventListener('hashchange', routeChanged.changed);
