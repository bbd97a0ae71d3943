// Makes contexts that are lost in the midst of their work: at the call of OpenGL whose number is the name of the worker.
const end = Number(self.name);
const original = OffscreenCanvas.prototype.getContext;
let calls = 0;

OffscreenCanvas.prototype.getContext = function (...values) {
    const context = original.apply(this, values);
    const extension = context.getExtension('WEBGL_lose_context');
    for (const name of Object.getOwnPropertyNames(WebGL2RenderingContext.prototype)) {
        const { value } = Object.getOwnPropertyDescriptor(WebGL2RenderingContext.prototype, name);
        if (typeof value !== 'function') continue;
        Object.defineProperty(context, name, {
            value: (...values) => {
                if (++calls === end) extension.loseContext();
                return value.apply(context, values);
            },
        });
    }
    return context;
};
