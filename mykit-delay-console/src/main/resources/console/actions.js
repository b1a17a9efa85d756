import {h, signal, useLayoutEffect, useRef, useSignal, useState} from './view.js';
import {t} from './i18n.js';
import {CallError, get, usePoll} from './api.js';
import {Button, Facts, Notice, errorText} from './widgets.js';
import {seesQueue} from './session.js';
import {Work} from './work.js';

// One dialog at a time, for all pages.
let open = null;
const changed = signal();

/**
 * Asks before an action, does it, and shows the true answer.
 *
 * @param action `title`; `facts` as of Facts; `note`; `form` of (values, set) for more input; `count` asks how many it would
 *     reach and answers {n, text, ...}; `typed` is the text to type first; `label` of the button, of (counted);
 *     `go` of (counted, values) does it and answers a text or an element; `failed` of (error) answers a text or undefined; `done` after it
 */
export function confirmAction(action) {
    open = action;
    changed.changed();
}

function close() {
    open = null;
    changed.changed();
}

/** Leaving the page closes the dialog; what runs goes on in the server. */
export function closeActions() {
    if (open !== null) {
        close();
    }
}

export function ActionHost() {
    useSignal(changed);
    return open === null ? null : h(ActionDialog, {key: open, action: open});
}

/** Work on many messages takes a while: its progress, from whatever node it runs on. */
function Running({long}) {
    const poll = usePoll(abort => (long ? get('operations', [], abort) : {work: []}), long ? 1500 : 0, []);
    return h('div', {class: 'running', 'data-test': 'running'}, h('p', {role: 'status'}, t('action.running')),
        poll.data?.work.map(work => h(Work, {key: work.id, work})));
}

function ActionDialog({action}) {
    const dialog = useRef(null);
    const keep = useRef(null);
    const [values, setValues] = useState(action.values ?? {});
    const [counted, setCounted] = useState(action.count === undefined ? {} : null);
    const [typed, setTyped] = useState('');
    const [running, setRunning] = useState(false);
    const [answer, setAnswer] = useState(null);

    useLayoutEffect(() => {
        const before = document.activeElement;
        dialog.current.showModal();
        keep.current.focus();
        if (action.count !== undefined && action.form === undefined) {
            count();
        }
        return () => before instanceof HTMLElement && before.focus();
    }, []);

    async function attempt(work, tone) {
        setRunning(true);
        try {
            return await work();
        } catch (e) {
            const error = e instanceof CallError ? e : new CallError(0, 'PAGE', String(e.message));
            setAnswer({tone, text: action.failed?.(error) ?? errorText(error), code: error.code});
            return null;
        } finally {
            setRunning(false);
        }
    }

    async function count() {
        setAnswer(null);
        const found = await attempt(() => action.count(values), 'bad');
        if (found !== null) {
            setCounted(found);
        }
    }

    async function go() {
        const text = await attempt(() => action.go(counted, values), 'bad');
        if (text !== null) {
            setAnswer({tone: 'good', text, code: 'OK'});
        }
        action.done?.();
    }

    function set(name, value) {
        setValues(old => ({...old, [name]: value}));
        if (action.count !== undefined) {
            setCounted(null);
        }
        setAnswer(null);
    }

    const ready = counted !== null && counted.n !== 0 && (action.typed === undefined || typed === action.typed);
    return h('dialog', {
        ref: dialog, class: 'action', 'data-test': 'dialog', 'aria-labelledby': 'action-title',
        onClose: close, onKeyDown: e => e.stopPropagation()
    },
    h('h2', {id: 'action-title'}, action.title),
    action.facts && h(Facts, {rows: action.facts}),
    action.note && h('p', {class: 'note'}, action.note),
    // An answer that is shown once is not lost by a change of a field.
    answer?.tone !== 'good' && action.form?.(values, set),
    counted?.text && answer === null && h('p', {class: 'counted', 'data-test': 'counted'}, counted.text),
    running && h(Running, {long: action.count !== undefined && seesQueue()}),
    action.typed !== undefined && counted !== null && counted.n !== 0 && answer === null && h('label', {class: 'field'},
        h('span', {class: 'label'}, t('action.type')), h('bdi', {class: 'to-type'}, action.typed),
        h('input', {value: typed, 'data-test': 'typed', autocomplete: 'off', spellcheck: false, onInput: e => setTyped(e.target.value)})),
    answer !== null && h(Notice, {tone: answer.tone, test: 'answer'}, answer.text),
    h('div', {class: 'buttons'},
        h('button', {type: 'button', class: 'button', ref: keep, onClick: () => dialog.current.close(), 'data-test': 'keep'},
            answer === null && !running ? t('action.keep') : t('action.close')),
        answer === null && counted === null && h(Button, {kind: 'main', disabled: running, onClick: count, 'data-test': 'count'}, t('action.count')),
        (answer === null && counted !== null) && h(Button, {
            kind: action.danger ? 'danger' : 'main', disabled: running || !ready, onClick: go, 'data-test': 'go'
        }, typeof action.label === 'function' ? action.label(counted) : action.label)));
}
