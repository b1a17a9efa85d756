import {h, useEffect, useLayoutEffect, useRef} from './view.js';
import {t} from './i18n.js';
import {keepSetting, setting} from './settings.js';
import {polling} from './api.js';
import {go} from './router.js';
import {seesQueue, session} from './session.js';

const PAGES = [['overview', 'o'], ['topics', 't'], ['messages', 'm'], ['dead', 'd'], ['operations', 'p'], ['audit', 'u'],
    ['namespaces', 'n'], ['tokens', 'k'], ['try', 'r'], ['api', 'a']];
// All others show the queue.
const WITHOUT_READS = ['try', 'api'];
const OPERATORS = ['audit'];
const ADMINISTRATORS = ['namespaces', 'tokens'];
// What these pages show is not of one namespace.
const OF_QUEUE = ['overview', 'operations', 'audit', 'namespaces', 'tokens'];

/** The pages of the menu. A token that does not read opens few of them. */
export function pages() {
    return PAGES.filter(([name]) => !isClosed(name) && (session.reads || WITHOUT_READS.includes(name)) && (session.acts || !OPERATORS.includes(name))
        && (session.administers || !ADMINISTRATORS.includes(name)));
}

/** Whether a page is none for this token, also if an address names it. */
export function isClosed(name) {
    return OF_QUEUE.includes(name) && !seesQueue();
}

const KEYS = [['j k', 'keys.rows'], ['Enter', 'keys.open'], ['.', 'keys.pause'], ['?', 'keys.help']];

function allKeys() {
    return [['/', 'keys.find'], ...pages().map(([name, key]) => ['g ' + key, 'nav.' + name]), ...KEYS];
}

export function togglePause() {
    polling.paused = !polling.paused;
    polling.changed.changed();
}

function isInput(element) {
    return element.closest('input, textarea, select, [contenteditable], dialog') !== null;
}

function moveRow(step) {
    const links = [...document.getElementById('main').querySelectorAll('tr')].map(row => row.querySelector('a')).filter(link => link !== null);
    const at = links.findIndex(link => link.closest('tr').contains(document.activeElement));
    links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + step))]?.focus();
}

/** Single keys, unless they are switched off or the user writes into a field. */
export function useKeys(showHelp) {
    const chord = useRef(0);
    useEffect(() => {
        function pressed(e) {
            if (setting('keys', 'on') === 'off' || e.ctrlKey || e.metaKey || e.altKey || isInput(e.target)) {
                return;
            }
            if (performance.now() - chord.current < 1500) {
                chord.current = 0;
                const page = pages().find(([, key]) => key === e.key);
                if (page !== undefined) {
                    e.preventDefault();
                    go(page[0]);
                    return;
                }
            }
            if (e.key === 'g') {
                chord.current = performance.now();
            } else if (e.key === '/') {
                e.preventDefault();
                document.getElementById('find').focus();
            } else if (e.key === 'j' || e.key === 'k') {
                moveRow(e.key === 'j' ? 1 : -1);
            } else if (e.key === '.') {
                togglePause();
            } else if (e.key === '?') {
                showHelp(true);
            }
        }
        addEventListener('keydown', pressed);
        return () => removeEventListener('keydown', pressed);
    }, []);
}

export function KeyHelp({close}) {
    const dialog = useRef(null);
    useLayoutEffect(() => dialog.current.showModal(), []);
    const on = setting('keys', 'on') === 'on';
    return h('dialog', {ref: dialog, class: 'help', onClose: close, 'data-test': 'help', 'aria-labelledby': 'help-title'},
        h('h2', {id: 'help-title'}, t('keys.title')),
        h('dl', {class: 'keys'}, allKeys().map(([key, text]) => h('div', {key},
            h('dt', null, key.split(' ').map(one => h('kbd', null, one))), h('dd', null, t(text))))),
        h('label', {class: 'check'}, h('input', {
            type: 'checkbox', checked: on, onChange: e => keepSetting('keys', e.target.checked ? 'on' : 'off')
        }), t('keys.on')),
        h('div', {class: 'buttons'}, h('button', {type: 'button', class: 'button main', onClick: () => dialog.current.close()}, t('action.close'))));
}
