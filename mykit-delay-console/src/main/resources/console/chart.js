import {h, useState, useWidth} from './view.js';
import {t} from './i18n.js';
import * as f from './format.js';

const LEFT = 52;
/** Half of a time, which stands below its mark. */
const RIGHT = 18;
const TOP = 8;
const BOTTOM = 20;

/** Steps of 1, 2 or 5 times a power of ten, at most four. */
function linearTicks(max) {
    const raw = max / 4;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= raw);
    const ticks = [];
    for (let at = 0; at <= max * 1.0001; at += step) {
        ticks.push(at);
    }
    return ticks;
}

function logTicks(min, max) {
    const ticks = [];
    for (let at = min; at <= max * 1.0001; at *= 10) {
        ticks.push(at);
    }
    return ticks;
}

function scaleOf(points, series, log) {
    const values = points.flatMap(point => series.map(line => line.value(point))).filter(Number.isFinite);
    const highest = values.length === 0 ? 1 : Math.max(...values);
    if (!log) {
        const ticks = linearTicks(highest > 0 ? highest * 1.05 : 1);
        const step = ticks[1] - ticks[0];
        const top = Math.ceil((highest > 0 ? highest : 1) / step) * step;
        return {ticks: ticks.at(-1) < top ? [...ticks, top] : ticks, share: value => value / top};
    }
    const top = 10 ** Math.max(2, Math.ceil(Math.log10(Math.max(1, highest))));
    return {ticks: logTicks(1, top), share: value => Math.log10(Math.max(1, value)) / Math.log10(top)};
}

/** Whole minutes of the page's zone, about six of them. */
function timeTicks(from, to) {
    const step = [1, 2, 5, 10, 15, 30, 60].map(minutes => minutes * 60_000).find(ms => (to - from) / ms <= 6) ?? 3_600_000;
    const ticks = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
        ticks.push(at);
    }
    return ticks;
}

/**
 * A line through the known values. It breaks where no value is known for longer than `line.every`, or than a step: a gap stays a gap.
 */
function path(points, line, x, y, step) {
    const longest = Math.max(step, line.every ?? 0) * 1.6;
    let text = '';
    let before = null;
    for (const point of points) {
        const value = line.value(point);
        if (Number.isFinite(value)) {
            const joined = before !== null && point.t - before <= longest;
            const place = `${x(point.t).toFixed(1)} ${y(value).toFixed(1)}`;
            // A value between two gaps is a dot.
            text += joined ? `L${place}` : `M${place}h0`;
            before = point.t;
        }
    }
    return text;
}

/** The value at the pointer; without a pointer the last one that is known. */
function reading(points, line, index) {
    const point = index >= 0 ? points[index] : points.findLast(each => Number.isFinite(line.value(each)));
    return point === undefined ? '–' : write(line, point);
}

/**
 * Lines over time. The pointer and the arrow keys read a point out; the same values stand in a table below.
 *
 * @param points of {t, ...}, in order
 * @param series of {label, tone, value(point), write(value), every}; `every` is the time from one known value to the next, if that is not a step
 * @param step milliseconds from one point to the next
 * @param seconds whether the times have seconds
 */
export function LineChart({title, points, series, step, span, log = false, unit, height = 150, seconds = true, test}) {
    const [box, width] = useWidth();
    const [at, setAt] = useState(null);
    const to = points.length === 0 ? f.now() : points.at(-1).t;
    const from = to - span;
    const inner = Math.max(1, width - LEFT - RIGHT);
    const scale = scaleOf(points, series, log);
    const x = time => LEFT + (time - from) / span * inner;
    const y = value => TOP + (1 - Math.min(1, scale.share(value))) * (height - TOP - BOTTOM);
    const index = at === null ? -1 : nearest(points, at);
    const shown = index >= 0 ? points[index] : points.at(-1);

    function point(e) {
        const left = e.currentTarget.getBoundingClientRect().left;
        setAt(from + (e.clientX - left - LEFT) / inner * span);
    }

    function keys(e) {
        const move = {ArrowLeft: -1, ArrowRight: 1, PageUp: -12, PageDown: 12}[e.key];
        if (move !== undefined && points.length > 0) {
            const next = (index < 0 ? points.length - 1 : index) + move;
            setAt(points[Math.max(0, Math.min(points.length - 1, next))].t);
            e.preventDefault();
        } else if (e.key === 'Escape') {
            setAt(null);
        }
    }

    return h('figure', {class: 'chart', 'data-test': test},
        h('figcaption', null,
            h('span', {class: 'chart-title'}, title, unit && h('span', {class: 'unit'}, unit)),
            h('span', {class: 'legend'}, series.map(line => h('span', {class: 'key ' + line.tone}, h('i', {'aria-hidden': 'true'}),
                line.label, ' ', h('b', null, reading(points, line, index))))),
            h('span', {class: 'at'}, shown === undefined ? '' : f.clockTime(shown.t, seconds))),
        h('div', {
            ref: box, class: 'plot', tabindex: 0, role: 'img',
            'aria-label': t('chart.label', {title, n: points.length}),
            onPointerMove: point, onPointerLeave: () => setAt(null), onKeyDown: keys
        },
        width > 0 && h('svg', {width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true'},
            scale.ticks.map(tick => h('g', {class: 'grid'},
                h('line', {x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick)}),
                h('text', {x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end'}, (series[0].axis ?? f.compact)(tick)))),
            timeTicks(from, to).map(tick => h('g', {class: 'grid time'},
                h('line', {x1: x(tick), x2: x(tick), y1: height - BOTTOM, y2: height - BOTTOM + 4}),
                h('text', {x: x(tick), y: height - 4, 'text-anchor': 'middle'}, f.clockTime(tick, false)))),
            series.map(line => h('path', {class: 'line ' + line.tone, d: path(points, line, x, y, step)})),
            index >= 0 && h('line', {class: 'cursor', x1: x(shown.t), x2: x(shown.t), y1: TOP, y2: height - BOTTOM}),
            index >= 0 && series.map(line => Number.isFinite(line.value(shown))
                && h('circle', {class: 'dot ' + line.tone, cx: x(shown.t), cy: y(line.value(shown)), r: 3})))),
        h(Readings, {points, series, seconds}));
}

function write(line, point) {
    const value = line.value(point);
    return Number.isFinite(value) ? (line.write ?? f.number)(value) : '–';
}

function nearest(points, time) {
    let best = -1;
    for (let i = 0; i < points.length; i++) {
        if (best < 0 || Math.abs(points[i].t - time) < Math.abs(points[best].t - time)) {
            best = i;
        }
    }
    return best;
}

/** The last values as a table, made only when it is open. */
function Readings({points, series, seconds}) {
    const [open, setOpen] = useState(false);
    return h('details', {class: 'readings', onToggle: e => setOpen(e.currentTarget.open)},
        h('summary', null, t('chart.table')),
        open && h('div', {class: 'table-box', tabindex: 0}, h('table', null,
            h('caption', {class: 'hidden'}, t('chart.table')),
            h('thead', null, h('tr', null, h('th', {scope: 'col'}, t('field.time')),
                series.map(line => h('th', {scope: 'col', class: 'num'}, line.label)))),
            h('tbody', null, points.slice(-60).reverse().map(point => h('tr', {key: point.t},
                h('th', {scope: 'row'}, f.clockTime(point.t, seconds)),
                series.map(line => h('td', {class: 'num', 'data-label': line.label}, write(line, point)))))))));
}

/**
 * Bars of slots, in two tones that stand on each other.
 *
 * @param slots of {from, to, parts: [a, b], label, href}
 */
export function BarChart({title, slots, tones, names, height = 96, test}) {
    const [box, width] = useWidth();
    const highest = Math.max(1, ...slots.map(slot => slot.parts.reduce((sum, n) => sum + n, 0)));
    const each = width / Math.max(1, slots.length);
    const gap = each > 6 ? 2 : 1;
    const room = height - 18;
    return h('figure', {class: 'chart bars', 'data-test': test},
        h('figcaption', null, h('span', {class: 'chart-title'}, title), h('span', {class: 'at'}, t('chart.highest', {n: highest, nText: f.compact(highest)}))),
        h('div', {ref: box, class: 'plot'}, width > 0 && h('svg', {width, height, viewBox: `0 0 ${width} ${height}`},
            h('line', {class: 'base', x1: 0, x2: width, y1: room + 0.5, y2: room + 0.5}),
            slots.map((slot, i) => h('a', {key: slot.from, href: slot.href, tabindex: -1, 'aria-label': barLabel(slot, names)},
                h('title', null, barLabel(slot, names)),
                h('rect', {class: 'catch', x: i * each, y: 0, width: each, height: room}),
                bars(slot.parts, highest, room).map(([y, tall], part) => tall > 0
                    && h('rect', {class: 'bar ' + tones[part], x: i * each, y, width: Math.max(1, each - gap), height: tall})))),
            [0, Math.floor(slots.length / 2), slots.length - 1].map((i, place) => slots[i] && h('text', {
                class: 'slot', x: [0, width / 2, width][place], y: height - 4, 'text-anchor': ['start', 'middle', 'end'][place]
            }, slots[i].label)))),
        h(SlotTable, {slots, names}));
}

/** The same for the keyboard and for readers: sixty bars are no good stops of the tabulator. */
function SlotTable({slots, names}) {
    const [open, setOpen] = useState(false);
    return h('details', {class: 'readings', onToggle: e => setOpen(e.currentTarget.open)},
        h('summary', null, t('chart.table')),
        open && h('div', {class: 'table-box'}, h('table', null,
            h('caption', {class: 'hidden'}, t('chart.table')),
            h('thead', null, h('tr', null, h('th', {scope: 'col'}, t('field.due')), names.map(name => h('th', {scope: 'col', class: 'num'}, name)))),
            h('tbody', null, slots.map(slot => h('tr', {key: slot.from},
                h('th', {scope: 'row'}, h('a', {href: slot.href}, slot.label)),
                slot.parts.map((n, part) => h('td', {class: 'num', 'data-label': names[part]}, f.number(n)))))))));
}

function barLabel(slot, names) {
    return t('chart.slot', {
        slot: slot.label, what: slot.parts.map((n, part) => `${names[part]} ${f.number(n)}`).join(', ')
    });
}

/** Height and top of each part; a part that is there is at least two pixels high. */
function bars(parts, highest, room) {
    let y = room;
    return parts.map(n => {
        const tall = n === 0 ? 0 : Math.max(2, n / highest * (room - 4));
        y -= tall;
        return [y, tall];
    });
}
