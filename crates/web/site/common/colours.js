// From numbers to pixels: the range of a channel, its histogram, and its colours.
import { engine } from './engine.js';

/** Colours of what is no number, as RGB and as CSS writes it; none of them is in a colour map. */
export const ODD = {
    nan: { rgb: [255, 0, 220], css: '#ff00dc', name: 'NaN' },
    up: { rgb: [255, 255, 255], css: '#ffffff', name: '+infinity' },
    down: { rgb: [0, 0, 0], css: '#000000', name: '-infinity' },
};

let table;

/** The 256 colours of the map of the engine, asked for once. Another engine has the same. */
export function colourTable() {
    table ??= engine()
        .then((e) => e.colours())
        .catch(() => {
            table = undefined;
            return greys();
        });
    return table;
}

const greys = () => Uint8Array.from({ length: 768 }, (_, i) => Math.floor(i / 3));

/** Rows, columns and channels of an array. */
export function extent({ shape }) {
    if (shape.length === 1) return { height: 1, width: shape[0], channels: 1 };
    return { height: shape[0], width: shape[1], channels: shape[2] ?? 1 };
}

/** The least and the greatest number of a channel, and how many are none. */
export function survey(array, channel) {
    const { channels } = extent(array);
    const { data } = array;
    const found = { lo: Infinity, hi: -Infinity, nan: 0, up: 0, down: 0 };
    for (let i = channel; i < data.length; i += channels) {
        const value = data[i];
        if (value - value === 0) {
            if (value < found.lo) found.lo = value;
            if (value > found.hi) found.hi = value;
        } else if (value !== value) found.nan++;
        else if (value > 0) found.up++;
        else found.down++;
    }
    if (found.lo > found.hi) [found.lo, found.hi] = [0, 0];
    return found;
}

/** How many numbers of a channel are in each of `bins` equal parts of a range; what lies outside is in none. */
export function histogram(array, channel, [lo, hi], bins = 64) {
    const { channels } = extent(array);
    const { data } = array;
    const counts = new Uint32Array(bins);
    const scale = bins / (hi - lo || 1);
    for (let i = channel; i < data.length; i += channels) {
        const bin = Math.floor((data[i] - lo) * scale);
        if (bin >= 0 && bin < bins) counts[bin]++;
        else if (data[i] === hi) counts[bins - 1]++;
    }
    return counts;
}

/** Pixels of one channel through a colour map, of every `stride`-th texel. */
export function mapped(array, channel, [lo, hi], colours, stride) {
    const scale = 255 / (hi - lo || 1);
    return pixels(array, stride, (data, at, rgba, to) => {
        const value = data[at + channel];
        const finite = value - value === 0;
        const place = finite ? 3 * Math.round(Math.min(255, Math.max(0, (value - lo) * scale))) : 0;
        const source = finite ? colours : value !== value ? ODD.nan.rgb : value > 0 ? ODD.up.rgb : ODD.down.rgb;
        rgba[to] = source[place];
        rgba[to + 1] = source[place + 1];
        rgba[to + 2] = source[place + 2];
    });
}

/** Pixels of the first channels as red, green and blue, from 0 to 1. */
export function painted(array, stride) {
    const { channels } = extent(array);
    return pixels(array, stride, (data, at, rgba, to) => {
        for (let k = 0; k < 3; k++) {
            const value = k < channels ? data[at + k] : 0;
            // A clamped array rounds to the nearest; NaN becomes the colour of NaN as a whole.
            if (value !== value) return rgba.set(ODD.nan.rgb, to);
            rgba[to + k] = 255 * value;
        }
    });
}

function pixels(array, stride, colour) {
    const { height, width, channels } = extent(array);
    const [columns, rows] = [Math.ceil(width / stride), Math.ceil(height / stride)];
    const image = new ImageData(columns, rows);
    const { data } = array;
    let to = 0;
    for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++, to += 4) {
            image.data[to + 3] = 255;
            colour(data, (row * stride * width + column * stride) * channels, image.data, to);
        }
    }
    return image;
}
