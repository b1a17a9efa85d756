import {h, render, useEffect, useSignal, useState} from './view.js';
import {loadLanguage, t} from './i18n.js';
import {settingsChanged, showTheme} from './settings.js';
import {get, sessionChanged, usePoll} from './api.js';
import {readSession, session} from './session.js';
import {route, routeChanged} from './router.js';
import {ActionHost, closeActions} from './actions.js';
import {KeyHelp, useKeys} from './keys.js';
import {Heading, Notice} from './widgets.js';
import {Frame} from './frame.js';
import {Login} from './pages/login.js';
import {Overview} from './pages/overview.js';
import {Topics} from './pages/topics.js';
import {Messages} from './pages/messages.js';
import {Dead} from './pages/dead.js';
import {Operations} from './pages/operations.js';
import {TryIt} from './pages/tryit.js';
import {Reference} from './pages/reference.js';

const VIEWS = new Map([
    ['overview', Overview], ['topics', Topics], ['messages', Messages], ['dead', Dead],
    ['operations', Operations], ['try', TryIt], ['api', Reference]]);

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
    const {name, params} = route();
    useEffect(closeActions, [name, params.toString()]);
    // One question for the frame and the overview: the answer is made once a second at most, for all pages that ask.
    const overview = usePoll(abort => get('overview', [], abort), session.reads ? 5000 : 0, []);
    const View = VIEWS.get(name) ?? Unknown;
    return h(Frame, {page: name, overview, showHelp},
        h(View, {key: name, params, overview}),
        h(ActionHost),
        help && h(KeyHelp, {close: () => showHelp(false)}));
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
