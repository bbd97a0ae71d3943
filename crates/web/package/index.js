// quadrille in a page: each function returns a promise; the work is done in a worker. index.d.ts describes all.

/** An error of the engine, with its kind and the places in shaders. */
export class EngineError extends Error {
    name = 'EngineError';

    constructor({ message, kind = 'failure', diagnostics = [] }) {
        super(message);
        this.kind = kind;
        this.diagnostics = diagnostics;
    }
}

/** The error of a solver that did not converge, with what it reached. */
export class ConvergenceError extends EngineError {
    name = 'ConvergenceError';

    constructor({ solution, ...error }) {
        super(error);
        this.solution = solution;
        this.x = solution.x;
        this.residual = solution.residual;
        this.ending = solution.ending;
    }
}

const errorOf = (error) => (error.solution ? new ConvergenceError(error) : new EngineError(error));

/** The worker, and the calls that wait for its answers. */
class Channel {
    #worker;
    #waiting = new Map();
    #last = 0;
    #ended = null;

    constructor(worker) {
        this.#worker = worker;
        this.#worker.onmessage = ({ data }) => this.#answered(data);
        this.#worker.onerror = (event) =>
            this.end({ message: event.message || 'the worker of the engine has failed: start another engine', kind: 'lost' });
    }

    /** Calls a function of an object of the worker. With `keeps` the result stays there, and these facts of it come back.
        Functions among the values are called here. */
    call(object, call, values = [], keeps) {
        if (this.#ended) return Promise.reject(new EngineError(this.#ended));
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            const functions = values.map((value) => typeof value === 'function' && value);
            const sent = values.map((value, at) => (functions[at] ? { tells: at } : value));
            this.#waiting.set(id, { resolve, reject, functions });
            try {
                this.#worker.postMessage({ id, object, call, values: sent, keeps });
            } catch (error) {
                this.#waiting.delete(id);
                reject(new EngineError({ message: `${call}: ${error.message}` }));
            }
        });
    }

    /** Ends the worker; what waits, and every later call, is rejected. */
    end(reason) {
        if (this.#ended) return;
        this.#ended = reason;
        this.#worker.terminate();
        for (const { reject } of this.#waiting.values()) reject(new EngineError(reason));
        this.#waiting.clear();
    }

    #answered({ id, result, error, tells, values }) {
        const waiting = this.#waiting.get(id);
        if (waiting === undefined) return;
        if (tells !== undefined) return waiting.functions[tells](...values);
        this.#waiting.delete(id);
        if (error === undefined) return waiting.resolve(result);
        waiting.reject(errorOf(error));
        if (error.kind === 'lost') this.end(error);
    }
}

/** Something that stays in the worker. */
class Remote {
    #channel;

    constructor(channel, { object, ...facts }) {
        this.#channel = channel;
        Object.defineProperty(this, 'object', { value: object });
        Object.assign(this, facts);
    }

    call(name, ...values) {
        return this.#channel.call(this.object, name, values);
    }

    close() {
        return this.call('close');
    }
}

export class Experiment extends Remote {
    step = (count = 1) => this.call('step', count);
    read = (output) => this.call('read', output);
    set = (uniform, value) => this.call('set', uniform, value);
    write = (input, array) => this.call('write', input, array);
    restart = () => this.call('restart');
}

/** A shader for arrays of any size: the experiment that was made last serves as long as only numbers differ. */
export class Kernel {
    #engine;
    #shader;
    #made = null;
    #form = '';
    #closed = false;

    constructor(engine, shader, { inputs, uniforms, outputs }) {
        this.#engine = engine;
        this.#shader = shader;
        this.inputs = inputs.map(({ name }) => name);
        this.uniforms = uniforms;
        this.outputs = outputs.map(({ name }) => name);
    }

    async run(settings = {}) {
        if (this.#closed) throw new EngineError({ message: 'the kernel was closed: make another one' });
        const { inputs = {}, uniforms = {}, ...rest } = settings;
        const shapes = Object.entries(inputs).map(([name, x]) => [name, x.shape ?? x, x.data?.constructor.name]);
        const form = JSON.stringify([shapes, Object.keys(uniforms), rest]);
        if (this.#made !== null && form === this.#form && !this.#made.changes) await this.#replace(inputs, uniforms);
        else await this.#make(settings, form);
        await this.#made.step();
        const outputs = {};
        for (const name of this.outputs) outputs[name] = await this.#made.read(name);
        return outputs;
    }

    async close() {
        this.#closed = true;
        await this.#free();
    }

    async #free() {
        const made = this.#made;
        this.#made = null;
        await made?.close();
    }

    async #make(settings, form) {
        await this.#free();
        this.#made = await this.#engine.experiment({ ...settings, ...this.#shader });
        this.#form = form;
    }

    async #replace(inputs, uniforms) {
        for (const [name, x] of Object.entries(inputs)) if (x.data) await this.#made.write(name, x);
        for (const [name, value] of Object.entries(uniforms)) await this.#made.set(name, value);
    }
}

export class DeviceArray extends Remote {
    read = () => this.call('read');
}

const ARRAY = ['shape', 'type'];
const isRemote = (value) => value instanceof DeviceArray;
const handle = ({ object }) => ({ object });

/** Options of these names alone: another one would be left out without a word. */
function only(name, options = {}, known) {
    const unknown = Object.keys(options).find((key) => !known.includes(key));
    if (unknown === undefined) return options;
    throw new EngineError({ message: `${name}: unknown \`${unknown}\`, expected any of ${known.join(', ')}` });
}

/** A function that calls the page's, if there is one, with an object made of its values. */
function called(name, call, object) {
    if (call === undefined || call === null) return undefined;
    if (typeof call !== 'function') throw new EngineError({ message: `${name}: expected a function, got ${call}` });
    return (...values) => call(object(...values));
}

class Engine {
    #channel;

    constructor(worker) {
        this.#channel = new Channel(worker);
    }

    async start() {
        this.device = await this.#call('device');
        return this;
    }

    async run(settings = {}) {
        const experiment = await this.experiment(settings);
        try {
            await experiment.step(experiment.steps);
            const outputs = {};
            for (const { name } of experiment.outputs) outputs[name] = await experiment.read(name);
            return outputs;
        } finally {
            // An engine that has ended has freed it.
            await experiment.close().catch(() => {});
        }
    }

    async experiment(settings) {
        const { facts, ...kept } = await this.#call('experiment', [settings], ['facts']);
        return new Experiment(this.#channel, { ...kept, ...facts });
    }

    async kernel(shader, name) {
        return new Kernel(this, { shader, name }, await this.declares({ shader, name }));
    }

    declares = (settings) => this.#call('declares', [settings]);

    async solve(matrix, b, { progress, checkpoint, every, x0, ...options } = {}) {
        const began = performance.now();
        const look = (iteration, residual) => ({ iteration, residual, milliseconds: performance.now() - began });
        const told = called('solve: progress', progress, look);
        const kept = called('solve: checkpoint', checkpoint, (iteration, x) => ({ iteration, x }));
        return this.#call('solve', [matrix, b ?? undefined, options, x0, told, kept, every]);
    }

    async matmul(a, b, options) {
        if (!isRemote(a) && !isRemote(b)) return this.#call('matmul', [a, b, options]);
        return this.#array('matmulOnDevice', [a, b].map(handle).concat(options));
    }

    fft = (x) => this.#transform(x, false, false);
    ifft = (x) => this.#transform(x, false, true);
    fft2 = (x) => this.#transform(x, true, false);
    ifft2 = (x) => this.#transform(x, true, true);
    sort = (x, options) => this.#sorted('sort', x, options, false);
    argsort = (x, options) => this.#sorted('argsort', x, options, true);
    cumsum = (x) => this.#either('cumsum', x);
    sum = (x) => (isRemote(x) ? this.#call('sumOnDevice', [handle(x)]) : this.#call('sum', [x]));
    axpy = (alpha, x, y) => this.#call('axpy', [alpha, handle(x), handle(y)]);
    upload = (x) => this.#array('upload', [x]);
    uploadMatrix = (x) => this.#array('uploadMatrix', [x]);

    sat = (formula, options) => this.#call('sat', [formula, options]);
    vp = (program, vectors, options) => this.#call('vp', [program, vectors, options]);

    async card(options) {
        const { seed = 1, progress } = only('card', options, ['seed', 'progress']);
        return this.#call('card', [seed, progress]);
    }

    verdicts = async (card) =>
        card.verdicts.map(({ title, verdicts }) => ({ title, verdicts: verdicts.map(({ text, care }) => ({ text, good: !care })) }));

    readFile = (name, bytes) => this.#call('readFile', [name, bytes]);
    writeFile = (name, array) => this.#call('writeFile', [name, array]);
    colours = (map) => this.#call('colours', [map]);
    finish = () => this.#call('finish');

    stop() {
        this.#channel.end({ message: 'the engine was stopped', kind: 'stopped' });
    }

    #call(name, values, keeps) {
        return this.#channel.call(0, name, values, keeps);
    }

    async #array(name, values) {
        return new DeviceArray(this.#channel, await this.#call(name, values, ARRAY));
    }

    #either(name, x, ...values) {
        return isRemote(x) ? this.#array(`${name}OnDevice`, [handle(x), ...values]) : this.#call(name, [x, ...values]);
    }

    async #sorted(name, x, options, indices) {
        const { descending = false } = only(name, options, ['descending']);
        return this.#either('sort', x, descending, indices);
    }

    #transform(x, both, inverse) {
        return this.#either('fft', x, both, inverse);
    }
}

/** Starts an engine, in a worker of its own unless one is given. */
export const start = ({ worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }) } = {}) =>
    new Engine(worker).start();
