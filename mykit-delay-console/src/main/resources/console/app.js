import {h, render, useEffect, useSignal, useState} from './view.js';
import {loadLanguage, t} from './i18n.js';
import {settingsChanged, showTheme} from './settings.js';
import {get, sessionChanged, usePoll} from './api.js';
import {readSession, seesQueue, session} from './session.js';
import {route, routeChanged} from './router.js';
import {ActionHost, closeActions} from './actions.js';
import {KeyHelp, isClosed, pages, useKeys} from './keys.js';
import {Button, Heading, Notice} from './widgets.js';
import {Frame} from './frame.js';
import {Login} from './pages/login.js';
import {Overview} from './pages/overview.js';

// Each page but the first is loaded when it is opened.
const VIEWS = new Map([
    ['overview', async () => Overview],
    ['topics', async () => (await import('./pages/topics.js')).Topics],
    ['messages', async () => (await import('./pages/messages.js')).Messages],
    ['dead', async () => (await import('./pages/dead.js')).Dead],
    ['operations', async () => (await import('./pages/operations.js')).Operations],
    ['audit', async () => (await import('./pages/audit.js')).Audit],
    ['namespaces', async () => (await import('./pages/namespaces.js')).Namespaces],
    ['tokens', async () => (await import('./pages/tokens.js')).Tokens],
    ['try', async () => (await import('./pages/tryit.js')).TryIt],
    ['api', async () => (await import('./pages/reference.js')).Reference]]);
const loaded = new Map([['overview', Overview]]);

function App() {
    useSignal(settingsChanged);
    useSignal(sessionChanged);
    if (!session.ready) {
        return h('div', {class: 'boot', 'aria-busy': 'true'});
    }
    // Another session is another page: nothing that a token showed stays.
    return session.login ? h(Login) : h(Inside, {key: session.role + session.name});
}

function Inside() {
    useSignal(routeChanged);
    const [help, showHelp] = useState(false);
    useKeys(showHelp);
    const {name: chosen, params} = route();
    const name = chosen || pages()[0][0];
    useEffect(closeActions, [name, params.toString()]);
    // One question for the frame and the overview: the answer is made once a second at most, for all pages that ask.
    const watches = session.reads && seesQueue();
    const overview = usePoll(async abort => watches ? get('overview', [], abort) : null, watches ? 5000 : 0, []);
    return h(Frame, {page: name, overview, showHelp},
        VIEWS.has(name) && !isClosed(name) ? h(Loaded, {key: name, name, params, overview}) : h(Unknown),
        h(ActionHost),
        help && h(KeyHelp, {close: () => showHelp(false)}));
}

/** A page whose script may still be on its way. After an upgrade of the server the files of this page are gone. */
function Loaded({name, ...rest}) {
    const [view, setView] = useState(loaded.has(name) ? 'ready' : 'loading');
    useEffect(() => {
        VIEWS.get(name)().then(View => {
            loaded.set(name, View);
            setView('ready');
        }, () => setView('failed'));
    }, []);
    if (view === 'ready') {
        return h(loaded.get(name), rest);
    }
    return view === 'loading' ? h('div', {class: 'skeleton high', 'aria-busy': 'true'})
        : h(Notice, {tone: 'bad'}, t('page.failed'), ' ', h(Button, {kind: 'quiet small', onClick: () => location.reload()}, t('page.reload')));
}

function Unknown() {
    return h('div', null, h(Heading, {text: t('page.unknown')}), h(Notice, null, t('page.unknownText')));
}

async function start() {
    showTheme();
    const [, failed] = await Promise.all([readSession(), loadLanguage().catch(e => e)]);
    const box = document.getElementById('app');
    if (failed) {
        box.textContent = String(failed);
        return;
    }
    box.textContent = '';
    render(h(App), box);
}

start();
