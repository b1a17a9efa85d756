import {h, useState} from './view.js';
import {t} from './i18n.js';
import {blob, get, jobPath} from './api.js';
import {Button, Copy, Notice, errorText} from './widgets.js';
import {session} from './session.js';
import * as f from './format.js';

const ALL_AT_ONCE = 256 * 1024;
const HEX_BYTES = 4096;
const MAX_DEPTH = 100;
const TOKEN = /\s+|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;

/** The characters of \\uXXXX in a string of JSON. Those of ASCII stay escaped: a quotation mark would end the string. */
function decoded(token) {
    return token.replace(/\\(?:u([0-9a-fA-F]{4})|.)/g, (escape, hex) => (parseInt(hex, 16) >= 0x80 ? String.fromCharCode(parseInt(hex, 16)) : escape));
}

/**
 * Lays JSON out by its tokens. Numbers stay as they were, also large ones, and so do repeated names. Escaped characters are shown.
 *
 * @returns the text, or null if it is no JSON or too deep
 */
export function layOut(json) {
    const out = [];
    const open = [];
    // What may come next: v a value, K a name, c a colon, s a comma or the end of the object, e the end of all.
    let next = 'v';
    let emptyAllowed = false;
    const line = () => out.push('\n', '  '.repeat(open.length));
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < json.length) {
        const found = TOKEN.exec(json);
        if (found === null) {
            return null;
        }
        const token = found[0].startsWith('"') ? decoded(found[0]) : found[0];
        if (/^\s/.test(token)) {
            if (/[^ \t\r\n]/.test(token)) {
                return null;
            }
            continue;
        }
        if ((token === '}' || token === ']') && open.at(-1) === token && (next === 's' || emptyAllowed)) {
            open.pop();
            if (next === 's') {
                line();
            }
            out.push(token);
            next = open.length === 0 ? 'e' : 's';
            emptyAllowed = false;
            continue;
        }
        if (emptyAllowed) {
            line();
            emptyAllowed = false;
        }
        if (token === '{' || token === '[') {
            if (next !== 'v' || open.length >= MAX_DEPTH) {
                return null;
            }
            open.push(token === '{' ? '}' : ']');
            out.push(token);
            next = token === '{' ? 'K' : 'v';
            emptyAllowed = true;
        } else if (token === ',') {
            if (next !== 's') {
                return null;
            }
            out.push(',');
            line();
            next = open.at(-1) === '}' ? 'K' : 'v';
        } else if (token === ':') {
            if (next !== 'c') {
                return null;
            }
            out.push(': ');
            next = 'v';
        } else if (next === 'K' && token.startsWith('"')) {
            out.push(token);
            next = 'c';
        } else if (next === 'v') {
            if (token === '}' || token === ']') {
                return null;
            }
            out.push(token);
            next = open.length === 0 ? 'e' : 's';
        } else {
            return null;
        }
    }
    return next === 'e' ? out.join('') : null;
}

/** Rows of 16 bytes: place, hex, characters. */
export function hexDump(base64) {
    const text = atob(base64.slice(0, Math.ceil(HEX_BYTES / 3) * 4));
    const rows = [];
    for (let at = 0; at < Math.min(text.length, HEX_BYTES); at += 16) {
        const row = [...text.slice(at, at + 16)];
        const hex = row.map(char => char.charCodeAt(0).toString(16).padStart(2, '0')).join(' ');
        const seen = row.map(char => (/[ -~]/.test(char) ? char : '.')).join('');
        rows.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  ${seen}`);
    }
    return rows.join('\n');
}

/** The body of a message as far as it was asked for, and ways to see the rest. */
export function Body({job, first}) {
    const [whole, setWhole] = useState(null);
    const [raw, setRaw] = useState(false);
    const [failure, setFailure] = useState(null);
    const shown = whole ?? job;
    const text = shown.body;
    const size = job.bodyBytes ?? (text === undefined ? undefined : new TextEncoder().encode(text).length);
    const cut = shown.bodyTruncated === true;

    async function attempt(work) {
        setFailure(null);
        try {
            await work();
        } catch (e) {
            setFailure(errorText(e));
        }
    }

    const showAll = () => attempt(async () => setWhole(await get(jobPath(job.id), [['body', ALL_AT_ONCE]])));
    const unmask = () => attempt(async () => setWhole(await get(jobPath(job.id), [['body', ALL_AT_ONCE], ['unmask', 'true']])));
    const save = () => attempt(async () => {
        const file = URL.createObjectURL(await blob(jobPath(job.id) + '/body'));
        const link = document.createElement('a');
        link.href = file;
        link.download = 'body-' + job.id.replace(/[^\w.-]/g, '_');
        link.click();
        URL.revokeObjectURL(file);
    });

    if (job.bodyHidden) {
        return h(Notice, {test: 'body-hidden'}, t('body.hidden', {key: job.bodyHidden}));
    }
    const laidOut = typeof text === 'string' && !cut && !raw ? layOut(text) : null;
    const kind = shown.bodyBase64 !== undefined ? 'bytes' : laidOut !== null || job.bodyKind === 'json' ? 'json' : 'text';
    return h('div', {class: 'body', 'data-test': 'body'},
        h('p', {class: 'line'},
            h('span', null, t('body.kind.' + kind)), h('span', {class: 'num'}, f.bytes(size)),
            shown.bodyMasked && h('span', {class: 'badge warn', 'data-test': 'body-masked'}, t('body.masked')),
            shown.bodyMasked && session.acts && h(Button, {kind: 'quiet small', 'data-test': 'body-unmask', onClick: unmask}, t('body.unmask')),
            cut && h('span', null, t('body.cut', {size: f.bytes(whole === null ? first : ALL_AT_ONCE)})),
            kind === 'json' && !cut && h(Button, {kind: 'quiet small', 'data-test': 'body-raw', 'aria-pressed': raw, onClick: () => setRaw(!raw)}, t('body.raw')),
            cut && size <= ALL_AT_ONCE && h(Button, {kind: 'quiet small', 'data-test': 'body-all', onClick: showAll}, t('body.all')),
            typeof text === 'string' && h(Copy, {text}),
            h(Button, {kind: 'quiet small', 'data-test': 'body-save', onClick: save}, t('body.save'))),
        failure !== null && h(Notice, {tone: 'bad'}, failure),
        h('pre', {class: 'source', tabindex: 0, 'data-test': 'body-text', 'aria-label': t('field.body')},
            shown.bodyBase64 !== undefined ? hexDump(shown.bodyBase64) : f.visible(laidOut ?? text ?? '')),
        shown.bodyBase64 !== undefined && h('p', {class: 'hint'}, t('body.hex', {size: f.bytes(Math.min(size ?? HEX_BYTES, HEX_BYTES))})));
}
