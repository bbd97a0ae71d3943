// Curves on one plot, by uPlot, with a table of the same numbers for those who cannot see it.
import uPlot from 'uplot';
import { digits, h } from './dom.js';

// Curves differ by their dashes and points too, not by colour alone.
const DASHES = [[], [8, 5], [2, 4], [10, 4, 2, 4], [14, 4], [4, 2]];
// The same in the legend, as CSS has them.
const BORDERS = ['solid', 'dashed', 'dotted', 'dashed', 'dashed', 'dotted'];
const ROWS = 12;

/**
 * Makes a plot in `container`. `x` and `y` name the axes, `log` makes the axis of y logarithmic, and `label` says what it shows.
 * `set([{ name, xs, ys }])` replaces the curves.
 */
export function linePlot(container, { x, y, log = false, label, height = 280 }) {
    const place = h('div', { 'aria-hidden': 'true' });
    const table = h('div.scroll');
    const figure = h('figure.plot', { 'aria-label': label }, place, h('details', {}, h('summary', {}, `${label}: numbers`), table));
    container.append(figure);
    let plot;
    let series = [];

    const draw = () => {
        plot?.destroy();
        plot = undefined;
        if (!series.length || !place.clientWidth) return;
        const size = { width: place.clientWidth, height };
        plot = new uPlot({ ...size, ...options(series, x, y, log) }, joined(series, log), place);
    };
    new ResizeObserver(() => {
        if (plot) plot.setSize({ width: place.clientWidth, height });
        else draw();
    }).observe(place);
    document.addEventListener('modechange', draw);

    return {
        set(curves) {
            // Curves that only grow keep the plot; others need another one.
            const same = plot && curves.map((curve) => curve.name).join('\n') === series.map((curve) => curve.name).join('\n');
            series = curves;
            if (same) plot.setData(joined(series, log));
            else draw();
            table.replaceChildren(...series.map((curve) => numbers(curve, x, y)));
        },
    };
}

function options(series, x, y, log) {
    const axis = { stroke: resolve('--ink'), grid: { stroke: resolve('--faint'), width: 1 }, ticks: { stroke: resolve('--faint') } };
    const value = (_, number) => (number === null || number === undefined ? '' : digits(number));
    return {
        scales: { x: { time: false }, y: log ? { distr: 3, log: 10 } : {} },
        axes: [{ ...axis, label: x }, log ? { ...logarithmic(axis), label: y, size: 70 } : { ...axis, label: y, size: 70 }],
        series: [
            { label: x, value },
            ...series.map((curve, i) => ({
                label: curve.name,
                stroke: resolve(`--series-${1 + (i % 6)}`),
                width: 2,
                dash: DASHES[i % DASHES.length],
                spanGaps: true,
                value,
                points: { show: curve.xs.length < 40, size: 5 },
            })),
        ],
        cursor: { drag: { x: false, y: false } },
        legend: { markers: { dash: (_, i) => BORDERS[(i - 1) % BORDERS.length] } },
    };
}

// A canvas takes no light-dark(), so a colour is asked of an element.
function resolve(name) {
    const probe = h('span', { style: `color: var(${name})` });
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
}

// Powers of ten alone have a line and a name.
function logarithmic(axis) {
    const isPower = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
    const filter = (_, splits) => splits.map((value) => (isPower(value) ? value : null));
    const values = (_, splits) => splits.map((value) => (value === null ? '' : value.toExponential(0)));
    return { ...axis, filter, values, grid: { ...axis.grid, filter }, ticks: { ...axis.ticks, filter } };
}

function joined(series, log) {
    const drawn = (value) => (Number.isFinite(value) && !(log && value <= 0) ? value : null);
    return uPlot.join(series.map(({ xs, ys }) => [Array.from(xs), Array.from(ys, drawn)]));
}

function numbers({ name, xs, ys }, x, y) {
    const step = Math.max(1, Math.ceil(xs.length / ROWS));
    const rows = Array.from(xs.keys()).filter((i) => i % step === 0 || i === xs.length - 1);
    const line = (i) => h('tr', {}, h('td', {}, digits(xs[i])), h('td', {}, digits(ys[i])));
    return h(
        'table.numbers',
        {},
        h('caption', {}, name),
        h('tr', {}, h('th', { scope: 'col' }, x), h('th', { scope: 'col' }, y)),
        rows.map(line),
    );
}
