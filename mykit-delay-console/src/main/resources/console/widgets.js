import {h, signal, useEffect, useLayoutEffect, useRef, useSignal, useState} from './view.js';
import {hasWord, t, word} from './i18n.js';
import * as f from './format.js';

const tick = signal();
setInterval(tick.changed, 1000);

/** Renders the component again each second: for ages. */
export function useTick() {
    useSignal(tick);
}

/** A name of the outside: shown exactly, on one line, without effect on the text around it. */
export function Name({text, href, class: more = ''}) {
    const shown = h('bdi', {class: 'name ' + more}, f.visibleLine(text));
    return href === undefined ? shown : h('a', {href}, shown);
}

/** A time, absolute and relative; the milliseconds stand in the tooltip. */
export function Time({ms, millis = false, rel = true}) {
    useTick();
    if (!Number.isFinite(ms)) {
        return h('span', {class: 'unknown'}, '–');
    }
    return h('span', {class: 'time'},
        h('time', {datetime: f.iso(ms), title: `${f.iso(ms)} · ${ms}`}, f.absolute(ms, millis)),
        rel && h('span', {class: 'rel'}, f.relative(ms)));
}

export function Ago({ms}) {
    useTick();
    return h('time', {datetime: f.iso(ms), title: f.absolute(ms, true) + ' ' + f.offset(ms)}, f.relative(ms));
}

/** The time since a moment, as a duration. */
export function Since({ms}) {
    useTick();
    return h('time', {datetime: f.iso(ms), title: f.absolute(ms, true) + ' ' + f.offset(ms)}, f.duration(f.now() - ms));
}

export function Count({value, compact = false}) {
    const exact = f.count(value);
    const shown = compact ? f.count(value, f.compact) : exact;
    return h('span', {class: 'num', title: shown === exact ? undefined : exact}, shown);
}

const TONES = new Map([
    ['UP', 'good'], ['DEGRADED', 'warn'], ['DOWN', 'bad'], ['LEADER', 'good'], ['STANDBY', 'calm'],
    ['WAIT_PUT', 'wait'], ['DELAY', 'wait'], ['READY', 'warn'], ['FINISH', 'good'], ['DELETE', 'calm'],
    ['RESTORE', 'wait'], ['FAILED', 'bad'], ['EXPIRED', 'bad']]);
const MARKS = new Map([['good', '●'], ['warn', '▲'], ['bad', '■'], ['wait', '◔'], ['calm', '○']]);

/** A state as mark and word, so that the colour never speaks alone. */
export function Badge({code, prefix, tone = TONES.get(code) ?? 'calm', text}) {
    return h('span', {class: 'badge ' + tone, 'data-test': 'badge', 'data-code': code},
        h('span', {class: 'mark', 'aria-hidden': 'true'}, MARKS.get(tone)), text ?? word(prefix, code));
}

export function Button({onClick, children, kind = '', ...more}) {
    return h('button', {type: 'button', class: 'button ' + kind, onClick, ...more}, children);
}

/** Copies by the clipboard, which only https and localhost have, else by a selection. */
export function Copy({text, label}) {
    const [said, say] = useState(null);
    const box = useRef(null);
    async function copy() {
        try {
            await navigator.clipboard.writeText(text);
            say('copy.done');
        } catch {
            box.current.hidden = false;
            box.current.select();
            say(document.execCommand('copy') ? 'copy.done' : 'copy.selected');
            if (box.current.selectionEnd > 0) {
                box.current.hidden = true;
            }
        }
        setTimeout(() => say(null), 2500);
    }
    return h('span', {class: 'copy'},
        h('button', {type: 'button', class: 'button quiet small', onClick: copy}, said === null ? label ?? t('copy') : t(said)),
        h('textarea', {ref: box, hidden: true, readonly: true, 'aria-label': label ?? t('copy'), value: text}));
}

/**
 * An error in words: the code in the language of the page, and the sentence of the server behind "details". The sentence is open where
 * it alone tells what to change.
 */
export function errorText(error, reads = false) {
    const code = reads && hasWord('error.read.', error.code) ? 'read.' + error.code : error.code;
    const known = hasWord('error.', code) ? t('error.' + code) : t('error.status', {status: error.status});
    return [known, says(error)];
}

function says(error) {
    return error.message && h('details', {class: 'says', open: error.code === 'INVALID_REQUEST'},
        h('summary', {'data-test': 'error-details'}, t('error.details')), t('error.says', {text: f.visible(error.message)}));
}

export function Notice({tone = 'calm', children, test = 'notice'}) {
    return h('div', {class: 'notice ' + tone, role: tone === 'bad' ? 'alert' : 'status', 'data-test': test}, children);
}

function Failure({poll, what}) {
    const {error} = poll;
    if (error.status === 404 && what !== undefined) {
        return h(Notice, {test: 'absent'}, t('state.absent', {call: what}));
    }
    if (error.status === 403 || error.status === 401) {
        return h(Notice, {test: 'no-right'}, t(error.status === 401 ? 'state.noToken' : 'state.noRight'),
            says(error));
    }
    return h(Notice, {tone: 'bad', test: 'failure'},
        what && h('code', null, what), what && ' ', errorText(error, true), ' ',
        h(Button, {kind: 'quiet small', onClick: poll.again}, t('state.again')));
}

function Age({poll}) {
    useTick();
    const age = performance.now() - poll.at;
    if (poll.error === null && (!poll.every || age < 3 * poll.every + 5000)) {
        return null;
    }
    return h('p', {class: 'stale', 'data-test': 'stale'}, t('state.stale', {d: f.duration(age)}));
}

/**
 * A part of a page that shows what a call answered, with all its states.
 *
 * @param what the call, for the words about an error
 * @param empty the text if `isEmpty` says so
 * @param children a function of the data
 */
export function Panel({title, poll, what, empty, isEmpty, children, tools, test, height = 'low', class: more = ''}) {
    let content;
    if (poll === undefined) {
        content = children;
    } else if (poll.data !== null) {
        content = [
            poll.error !== null && h(Failure, {poll, what}),
            h(Age, {poll}),
            isEmpty?.(poll.data) ? h('p', {class: 'empty', 'data-test': 'empty'}, empty)
                : h('div', {class: poll.error === null ? '' : 'old'}, children(poll.data))];
    } else if (poll.error !== null) {
        content = h(Failure, {poll, what});
    } else {
        content = h('div', {class: 'skeleton ' + height, 'aria-busy': 'true'}, h('span', {class: 'hidden'}, t('state.loading')));
    }
    return h('section', {class: 'panel ' + more, 'data-test': test},
        (title || tools) && h('header', {class: 'panel-head'}, title && h('h2', null, title), tools),
        content);
}

/**
 * A table that becomes a list of cards on a phone.
 *
 * @param columns of {label, cell(row), class}
 */
export function Table({caption, columns, rows, keyOf, test}) {
    return h('div', {class: 'table-box'}, h('table', {'data-test': test},
        h('caption', {class: typeof caption === 'string' ? 'hidden' : ''}, caption),
        h('thead', null, h('tr', null, columns.map(column =>
            h('th', {scope: 'col', class: column.class}, column.label)))),
        h('tbody', null, rows.map(row => h('tr', {key: keyOf(row), 'data-key': keyOf(row)}, columns.map(column =>
            h('td', {class: column.class, 'data-label': column.label}, column.cell(row))))))));
}

/** The ways to other pages. `after` has the ends of the pages before, and `next` is the end of this one, if it is not the last. */
export function Pages({after, setAfter, next}) {
    return h('p', {class: 'pages'},
        after.length > 0 && h(Button, {onClick: () => setAfter(after.slice(0, -1))}, t('pages.before')),
        next && h(Button, {onClick: () => setAfter([...after, next]), 'data-test': 'next'}, t('pages.next')));
}

export function Field({label, hint, children, class: more = ''}) {
    return h('label', {class: 'field ' + more}, h('span', {class: 'label'}, label), children,
        hint && h('span', {class: 'hint'}, hint));
}

export function Select({value, onChange, options, label, test}) {
    return h('select', {value, 'aria-label': label, 'data-test': test, onChange: e => onChange(e.target.value)},
        options.map(([code, text]) => h('option', {value: code, selected: code === value}, text)));
}

export function Facts({rows}) {
    return h('dl', {class: 'facts'}, rows.filter(Boolean).map(([label, value]) =>
        h('div', null, h('dt', null, label), h('dd', null, value))));
}

/** A share of a whole. The width is set by script, because the page has no inline styles. */
export function Meter({part, whole, label}) {
    const bar = useRef(null);
    const share = whole > 0 ? Math.min(1, part / whole) : 0;
    useEffect(() => {
        bar.current.style.width = `${share * 100}%`;
    }, [share]);
    return h('div', {class: 'meter', role: 'progressbar', 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': 100,
        'aria-valuenow': Math.round(share * 100)}, h('div', {ref: bar}));
}

export function title(text) {
    document.title = text + ' · mykit-delay';
}

/** The heading of a page. It takes the focus when the page changes, so that readers begin there. */
export function Heading({text, children, tools}) {
    const head = useRef(null);
    useLayoutEffect(() => head.current.focus({preventScroll: true}), []);
    useEffect(() => title(text), [text]);
    return h('div', {class: 'page-head'}, h('h1', {tabindex: -1, ref: head}, children ?? text), tools);
}
