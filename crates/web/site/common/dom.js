// Elements in one expression: h('button.primary', { type: 'button', onclick }, 'Run').

/** Makes an element from `tag.class.class`, properties (`on...`, `aria-...` and others) and children, strings or nodes. */
export function h(name, properties = {}, ...children) {
    const [tag, ...classes] = name.split('.');
    const element = document.createElement(tag);
    if (classes.length) element.className = classes.join(' ');
    for (const [key, value] of Object.entries(properties)) {
        if (value === undefined || value === null) continue;
        if (key in element && !key.startsWith('aria') && key !== 'list' && key !== 'form') element[key] = value;
        else element.setAttribute(key, value);
    }
    element.append(...children.flat().filter((child) => child !== undefined && child !== null));
    return element;
}

let names = 0;

/** A name for an element that no other element of the page has. */
export const unique = (stem) => `${stem}-${++names}`;

/** A number as a person reads it: six digits, without zeros at the end. */
export function digits(value) {
    if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
    if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+infinity' : '-infinity';
    return String(Number(value.toPrecision(6)));
}
