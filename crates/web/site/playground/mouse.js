// The mouse of Shadertoy, GLSL Sandbox and The Book of Shaders: what a pointer does above the picture becomes their uniforms.

/** Values of the mouse's uniforms for a pointer at shares of the picture, from its top left; `pressed` is where a button went down. */
function valueOf(name, [x, y], [width, height], pressed) {
    const texel = ([across, down]) => [across * width, (1 - down) * height];
    if (name === 'mouse') return [x, 1 - y];
    if (name === 'u_mouse') return texel([x, y]);
    return [...texel([x, y]), ...texel(pressed ?? [0, 0])];
}

/** Follows the pointer above a canvas. `names()` gives the uniforms that the shader has of these, and `set(name, value)` sets one. */
export function followMouse(canvas, names, set) {
    let pressed;
    const share = (event) => [event.offsetX / canvas.clientWidth, event.offsetY / canvas.clientHeight];
    const tell = (event) => {
        for (const name of names()) {
            // Shadertoy's moves while a button is down alone.
            if (name === 'iMouse' && !pressed) continue;
            set(name, valueOf(name, share(event), [canvas.width, canvas.height], pressed));
        }
    };
    canvas.addEventListener('pointerdown', (event) => {
        pressed = share(event);
        tell(event);
    });
    canvas.addEventListener('pointermove', tell);
    for (const end of ['pointerup', 'pointercancel', 'pointerleave']) canvas.addEventListener(end, () => (pressed = undefined));
}
