import {h, useState} from './view.js';
import {t, word} from './i18n.js';
import {post} from './api.js';
import {session} from './session.js';
import {Button, Meter, Name, Notice, errorText} from './widgets.js';
import * as f from './format.js';

/** One piece of work that runs now: what, where, how far, and its stop. */
export function Work({work, done}) {
    const [answer, setAnswer] = useState(null);
    const [busy, setBusy] = useState(false);

    async function stop() {
        setBusy(true);
        try {
            const stopped = await post('operations/stop', {id: work.id});
            setAnswer({tone: 'good', text: t(stopped.stopping ? 'work.stopping' : 'work.over')});
            done?.();
        } catch (e) {
            setAnswer({tone: 'bad', text: errorText(e)});
        } finally {
            setBusy(false);
        }
    }

    const stops = work.stoppable && session.acts;
    return h('div', {class: 'work', 'data-test': 'work-item', 'data-kind': work.kind},
        h('div', {class: 'line'}, h('strong', null, word('work.kind.', work.kind) + (work.dryRun ? ' ' + t('work.dryRun') : '')),
            work.what && h('span', {class: 'small'}, h(Name, {text: work.what})),
            work.node && h('span', null, t('work.on'), ' ', h(Name, {text: work.node})),
            work.by && h('span', {class: 'small'}, t('work.by'), ' ', h(Name, {text: work.by})),
            h('span', {class: 'fill'}),
            stops && h(Button, {kind: 'small', disabled: busy, 'data-test': 'stop', onClick: stop}, t('work.stop'))),
        work.of > 0 && h(Meter, {part: work.rows, whole: work.of, label: word('work.kind.', work.kind)}),
        h('p', {class: 'small'}, [
            t('work.rows', {n: work.rows ?? 0, nText: f.number(work.rows)}) + (work.of > 0 ? ' / ' + f.number(work.of) : ''),
            work.perSecond > 0 && f.rate(work.perSecond) + ' ' + t('unit.perSecond'),
            work.secondsLeft >= 0 && t('work.left', {d: f.duration(work.secondsLeft * 1000)})].filter(Boolean).join(' · ')),
        answer !== null && h(Notice, {tone: answer.tone, test: 'answer'}, answer.text));
}
