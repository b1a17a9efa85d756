import {h, useWidth} from './view.js';
import {hasWord, t, word} from './i18n.js';
import {Badge, Name} from './widgets.js';
import * as f from './format.js';

const ENDED = new Set(['FINISH', 'DELETE', 'FAILED', 'EXPIRED']);
const HEIGHT = 138;
const LIFE = 26;
const DELIVERY = 92;
const THICK = 16;
const TONES = new Map([['WAIT_PUT', 'calm'], ['DELAY', 'wait'], ['READY', 'warn'], ['RESTORE', 'wait']]);

// The server ends the reason of a failed attempt so.
const NEXT = /; next at (\d{4}-\d\d-\d\dT[\d:.]+Z), attempt (\d+)(?: of (\d+))?$/;

/** The reason of a move. What the server adds about the next attempt is written in the zone and the language of the page. */
export function detailText(detail) {
    const next = NEXT.exec(detail);
    if (next === null) {
        return detail;
    }
    const at = Date.parse(next[1]);
    return detail.slice(0, next.index) + ' · '
        + t(next[3] === undefined ? 'timeline.next' : 'timeline.nextOf', {time: f.absolute(at, true), n: next[2], max: next[3] ?? ''});
}

/** The stretches between the moves: what the message was from when to when. */
export function stretches(job, at) {
    const flow = [...job.flow].sort((a, b) => a.time - b.time);
    // The row is written a little later than the move that it records.
    const end = ENDED.has(job.statusName) ? flow.at(-1)?.time ?? job.updateTime : at;
    const parts = [];
    const begin = Math.min(job.createTime, flow[0]?.time ?? job.createTime);
    // Before its first move a message is on its way to the server, unless that move was not recorded.
    if (flow.length === 0 || job.flowComplete === false) {
        parts.push({from: begin, to: flow[0]?.time ?? end, status: flow.length === 0 ? job.statusName : null});
    }
    flow.forEach((move, i) => {
        if (i < flow.length - 1 || !ENDED.has(move.toName)) {
            parts.push({from: move.time, to: Math.max(move.time, flow[i + 1]?.time ?? end), status: move.toName});
        }
    });
    const ready = flow.find(move => move.toName === 'READY')?.time;
    return {parts, flow, begin, end: Math.max(end, begin + 1), ready};
}

/** One bar to scale, from `from` to `to`: stretches, numbered moves, and the due time. */
function Scale({parts, flow, due, from, to, width, y, complete}) {
    const x = time => Math.max(0, Math.min(width, (time - from) / Math.max(1, to - from) * width));
    let last = -100;
    return h('g', null,
        parts.filter(part => part.to >= from && part.from <= to).map(part => {
            const left = x(part.from);
            const wide = x(part.to) - left;
            const length = f.duration(Math.min(part.to, to) - Math.max(part.from, from));
            return h('g', {key: part.from + part.status},
                h('rect', {
                    class: 'stretch ' + (part.status === null ? 'gone' : TONES.get(part.status) ?? 'calm') + (complete ? '' : ' gone'),
                    x: left, y, width: Math.max(1, wide), height: THICK
                }, h('title', null, `${part.status === null ? t('timeline.unknown') : word('status.', part.status)} · ${length}`)),
                wide > length.length * 6.4 + 8 && h('text', {class: 'length', x: left + wide / 2, y: y + 12, 'text-anchor': 'middle'}, length));
        }),
        due >= from && due <= to && h('g', {class: 'due'},
            h('line', {x1: x(due), x2: x(due), y1: y - 6, y2: y + THICK + 4}),
            h('rect', {class: 'late', x: x(due), y: y + THICK + 2, width: Math.max(0, width - x(due)), height: 2})),
        flow.map((move, i) => {
            if (move.time < from || move.time > to) {
                return null;
            }
            const at = x(move.time);
            const numbered = at - last >= 14;
            if (numbered) {
                last = at;
            }
            return h('g', {key: i, class: 'move ' + tone(move)},
                h('line', {x1: at, x2: at, y1: y - 3, y2: y + THICK + 3}),
                numbered && h('text', {x: Math.max(5, Math.min(width - 5, at)), y: y - 6, 'text-anchor': 'middle'}, i + 1),
                h('title', null, `${i + 1} · ${word('status.', move.toName)} · ${f.absolute(move.time, true)}`));
        }));
}

function tone(move) {
    return move.toName === 'FINISH' ? 'good' : ['FAILED', 'EXPIRED'].includes(move.toName) ? 'bad' : '';
}

/** The life of a message as a picture: above the whole of it, below the delivery alone, since one scale cannot show both. */
export function Timeline({job}) {
    const [box, width] = useWidth();
    const {parts, flow, begin, end, ready} = stretches(job, f.now());
    const due = job.dueTime;
    const second = ready !== undefined && end > ready;
    const x = time => (time - begin) / (end - begin) * width;
    return h('div', {class: 'timeline', 'data-test': 'timeline'},
        h('div', {ref: box, class: 'plot'}, width > 0 && h('svg', {
            width, height: second ? HEIGHT : 62, viewBox: `0 0 ${width} ${second ? HEIGHT : 62}`, role: 'img',
            'aria-label': t('timeline.label', {n: flow.length})
        },
        h(Scale, {parts, flow, due, from: begin, to: end, width, y: LIFE, complete: job.flowComplete !== false}),
        h('text', {class: 'edge', x: 0, y: LIFE + 32}, f.absolute(begin, true)),
        h('text', {class: 'edge', x: width, y: LIFE + 32, 'text-anchor': 'end'},
            ENDED.has(job.statusName) ? f.absolute(end, true) : t('time.now')),
        second && h('path', {class: 'zoom', d: `M${x(ready)} ${LIFE + THICK + 3}L0 ${DELIVERY - 3}M${x(end)} ${LIFE + THICK + 3}L${width} ${DELIVERY - 3}`}),
        second && h(Scale, {parts, flow, due: Math.max(due, -1), from: ready, to: end, width, y: DELIVERY, complete: true}),
        second && h('text', {class: 'edge', x: 0, y: DELIVERY + 34}, t('timeline.delivery', {d: f.duration(end - ready)})),
        second && due < end && h('text', {class: 'edge', x: width, y: DELIVERY + 34, 'text-anchor': 'end'}, late(job, end, due)))),
        job.flowComplete === false && h('p', {class: 'hint', 'data-test': 'flow-incomplete'}, t('timeline.incomplete')),
        h(Moves, {flow, job}));
}

function late(job, end, due) {
    return t(ENDED.has(job.statusName) ? 'timeline.endedAfter' : 'timeline.lateNow', {d: f.duration(end - due)});
}

/** The same as a list: what readers and tests read. */
function Moves({flow, job}) {
    return h('ol', {class: 'moves', 'data-test': 'moves'},
        h('li', {class: 'begin'}, h('span', {class: 'n', 'aria-hidden': 'true'}), h('time', {datetime: f.iso(job.createTime)}, f.absolute(job.createTime, true)),
            h('span', null, t('timeline.created'))),
        flow.map((move, i) => h('li', {key: i, 'data-test': 'move', 'data-status': move.toName},
            h('span', {class: 'n', 'aria-hidden': 'true'}, i + 1),
            h('time', {datetime: f.iso(move.time), title: move.time}, f.absolute(move.time, true)),
            h('span', {class: 'gap'}, '+' + f.duration(move.time - (flow[i - 1]?.time ?? job.createTime))),
            h(Badge, {code: move.toName, prefix: 'status.'}), hasWord('where.', move.toName) && h('span', {class: 'small'}, t('where.' + move.toName)),
            move.attempt > (flow[i - 1]?.attempt ?? 0) && h('span', {class: 'small'}, t('timeline.attempt', {n: move.attempt, nText: f.number(move.attempt)})),
            h('span', {class: 'small'}, h(Name, {text: move.host}), ' · ', h(Name, {text: move.thread})),
            move.detail && h('q', {class: 'detail'}, h(Name, {text: detailText(move.detail)})))));
}
