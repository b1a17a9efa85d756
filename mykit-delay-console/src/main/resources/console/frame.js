import {h, useSignal, useState} from './view.js';
import {language, loadLanguage, t, word} from './i18n.js';
import {keepSetting, setting, showTheme} from './settings.js';
import {polling} from './api.js';
import {pages, togglePause} from './keys.js';
import {logOut, seesQueue, session} from './session.js';
import {go, href} from './router.js';
import {Badge, Button, Name, Select, Since, useTick} from './widgets.js';
import * as f from './format.js';

const ORDER = ['critical', 'warning', 'info'];
const TONE = new Map([['critical', 'bad'], ['info', 'calm']]);
const ICONS = new Map([
    ['overview', 'M3 12h4l3-7 4 14 3-7h4'], ['topics', 'M4 6h16M4 12h16M4 18h10'], ['messages', 'M4 5h16v14H4zM4 7l8 6 8-6'],
    ['dead', 'M12 4l9 16H3zM12 10v4M12 17v.5'], ['operations', 'M12 4v8l5 3M4 12a8 8 0 1 0 8-8'], ['audit', 'M6 3h9l4 4v14H6zM9 12h7M9 16h7'],
    ['namespaces', 'M3 6h7l2 3h9v10H3z'], ['tokens', 'M14 10a4 4 0 1 0-4 4l2 2h2v2h2v2h3v-3z'], ['try', 'M4 12h13M12 6l6 6-6 6'],
    ['api', 'M8 6l-5 6 5 6M16 6l5 6-5 6']]);

export function Frame({page, overview, showHelp, children}) {
    const [open, setOpen] = useState(false);
    return h('div', {class: 'frame' + (open ? ' menu-open' : ''), 'data-test-ready': String(overview.data !== null || overview.error !== null || !watches())},
        h('a', {class: 'skip', href: '#main', onClick: skip}, t('frame.skip')),
        h('nav', {class: 'side', 'aria-label': t('frame.nav'), id: 'menu', onClick: e => e.target.closest('a') && setOpen(false)},
            h('a', {class: 'brand', href: href(pages()[0][0])}, h(Logo), 'mykit-delay'),
            h('ul', null, pages().map(([name]) => h('li', {key: name}, h('a', {
                href: href(name), 'aria-current': page === name ? 'page' : undefined, 'data-test': 'nav-' + name
            }, h('svg', {viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true'}, h('path', {d: ICONS.get(name)})), word('nav.', name),
            name === 'dead' && f.countOf(overview.data?.counts?.dead) > 0
                && h('span', {class: 'tag'}, f.count(overview.data.counts.dead, f.compact)))))),
            h(Settings, {showHelp})),
        h('header', {class: 'top'},
            h('button', {type: 'button', class: 'button quiet menu', 'aria-expanded': open, 'aria-controls': 'menu', onClick: () => setOpen(!open)},
                h('svg', {viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true'}, h('path', {d: 'M4 6h16M4 12h16M4 18h16'})),
                h('span', {class: 'hidden'}, t('frame.menu'))),
            h(Find),
            h(Cluster, {overview}),
            h(Refresh)),
        h('div', {class: 'center'},
            h(Warnings, {overview, page}),
            h('main', {id: 'main', tabindex: -1}, children)));
}

function watches() {
    return session.reads && seesQueue();
}

function skip(e) {
    e.preventDefault();
    document.getElementById('main').focus();
}

function Logo() {
    return h('svg', {viewBox: '0 0 32 32', class: 'logo', 'aria-hidden': 'true'},
        h('circle', {cx: 16, cy: 16, r: 12}), h('path', {d: 'M16 9v7l5 3.4'}));
}

function Find() {
    const [id, setId] = useState('');
    function find(e) {
        e.preventDefault();
        if (id.trim() !== '') {
            go('messages', [['id', id.trim()]]);
            setId('');
            document.activeElement.blur();
        }
    }
    return h('form', {class: 'find', role: 'search', onSubmit: find},
        h('input', {id: 'find', type: 'search', value: id, placeholder: t('frame.find'), 'aria-label': t('frame.find'), 'data-test': 'find',
            autocomplete: 'off', spellcheck: false, onInput: e => setId(e.target.value)}),
        h('kbd', {'aria-hidden': 'true'}, '/'));
}

/** The state of the whole, and which node said so. */
function Cluster({overview}) {
    useTick();
    if (!watches()) {
        return null;
    }
    if (overview.data === null) {
        return overview.error === null || overview.error.status === 404 ? null
            : h(Badge, {code: 'DOWN', prefix: 'cluster.', text: t('cluster.NO_ANSWER')});
    }
    const lost = overview.error !== null;
    return h('span', {class: 'cluster', role: 'status'},
        h(Badge, lost ? {code: 'DOWN', prefix: 'cluster.', text: t('cluster.LOST', {d: f.duration(performance.now() - overview.at)})}
            : {code: overview.data.status, prefix: 'cluster.'}),
        h('span', {class: 'node'}, overview.data.queue, ' · ', t('frame.answeredBy', {node: f.visibleLine(overview.data.answeredBy ?? '')})));
}

function Refresh() {
    useSignal(polling.changed);
    return h(Button, {
        kind: 'quiet small pause', 'aria-pressed': polling.paused, 'data-test': 'pause-refresh', onClick: togglePause,
        title: t('frame.pauseHint')
    }, polling.paused ? t('frame.paused') : t('frame.pause'));
}

function Settings({showHelp}) {
    async function speak(name) {
        const before = language();
        keepSetting('language', name);
        try {
            await loadLanguage();
        } catch {
            // The node is away, and the browser does not have the texts yet.
            keepSetting('language', before);
            return;
        }
        keepSetting('language', name);
    }
    return h('div', {class: 'settings'},
        h(Select, {value: language(), label: t('frame.language'), test: 'language', onChange: speak, options: [['en', 'English'], ['zh', '中文']]}),
        h(Select, {
            value: setting('zone', 'browser'), label: t('frame.zone'), test: 'zone', onChange: zone => keepSetting('zone', zone),
            options: zones()
        }),
        h(Select, {
            value: setting('theme', 'auto'), label: t('frame.theme'), test: 'theme',
            onChange: theme => {
                keepSetting('theme', theme);
                showTheme();
            },
            options: ['auto', 'light', 'dark'].map(theme => [theme, word('theme.', theme)])
        }),
        h('p', {class: 'who'}, session.tokensConfigured && session.role !== '' && h('span', null, word('role.', session.administers ? 'ADMIN' : session.role)),
            !seesQueue() && h('span', {'data-test': 'namespace'}, t('frame.namespace', {name: session.namespace})),
            h(Button, {kind: 'quiet small', onClick: () => showHelp(true)}, t('keys.title')),
            session.tokensConfigured && h(Button, {kind: 'quiet small', 'data-test': 'log-out', onClick: logOut}, t('login.out'))));
}

function zones() {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const more = ['Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'America/Los_Angeles'].filter(name => name !== own);
    return [['browser', `${own} (${t('zone.browser')})`], ['UTC', 'UTC'], ...more.map(name => [name, name])];
}

/** The worst first. All of them stand on the overview; other pages show what is critical, and the number of the others. */
function Warnings({overview, page}) {
    const worst = together(overview.data?.warnings ?? []);
    if (worst.length === 0) {
        return null;
    }
    const shown = page === 'overview' ? worst : worst.filter(group => group[0].severity === ORDER[0]);
    const others = worst.length - shown.length;
    return h('section', {'aria-label': t('frame.warnings')}, h('ul', {class: 'warnings', 'data-test': 'warnings'},
        shown.map((group, i) => h('li', {key: i, class: TONE.get(group[0].severity) ?? 'warn', 'data-code': group[0].code},
            h(Warning, {group}))),
        others > 0 && h('li', {class: 'short'}, h('a', {href: href('overview'), 'data-test': 'other-warnings'}, t('frame.others', {n: others})))));
}

/** Warnings about topics share a line for each code. */
function together(warnings) {
    const groups = [];
    for (const warning of warnings) {
        const twin = warning.args?.topic === undefined ? undefined
            : groups.find(([first]) => first.code === warning.code && first.args?.topic !== undefined);
        if (twin === undefined) {
            groups.push([warning]);
        } else {
            twin.push(warning);
        }
    }
    return groups.sort(([a], [b]) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

function Warning({group}) {
    const [warning] = group;
    const args = Object.fromEntries(Object.entries(warning.args ?? {}).map(([name, value]) => [name, f.visibleLine(value)]));
    const known = word('warning.', warning.code) !== warning.code;
    const since = Math.min(...group.map(each => each.since));
    return h('div', null,
        h('strong', null, known ? t('warning.' + warning.code, args) : warning.code), ' ',
        group.filter(each => each.args?.topic !== undefined).map(each => [
            h(Name, {key: each.args.topic, text: each.args.topic, href: href('topics', [['topic', each.args.topic]])}), ' ']),
        group.length === 1 && warning.text && h('q', null, f.visibleLine(warning.text)), ' ',
        known && h('span', {class: 'todo'}, word('todo.', warning.code)), ' ',
        since > 0 && h('span', {class: 'rel'}, t('since'), ' ', h(Since, {ms: since})));
}
