// What a program in TypeScript writes with the engine: it is compiled and never run. Each line marked as an error must be one.
import { ConvergenceError, start, type ComplexArray, type DeviceArray, type Engine, type EngineError, type NDArray, type Settings } from './package/index';

const heat: Settings = {
    shader: 'uniform sampler2D old;\nuniform float rate;\nout float next;\nvoid main() { next = rate * READ(old, TEXEL).r; }',
    inputs: { old: 'random:64x48', mask: { data: new Float32Array(12), shape: [3, 4] } },
    uniforms: { rate: 0.2, offset: [1, 2], wrapped: true, text: '1,2,3' },
    feedback: { next: 'old' },
    filter: { old: 'linear' },
    wrap: 'repeat',
};

async function steps(engine: Engine): Promise<number> {
    const experiment = await engine.experiment(heat);
    const count: number = await experiment.step(10);
    const field: NDArray = await experiment.read();
    await experiment.set('rate', 0.1);
    await experiment.write('old', { data: new Float32Array(field.data.length), shape: field.shape });
    const fed: (string | undefined)[] = experiment.outputs.map((output) => output.becomes);
    await experiment.close();
    return count + fed.length;
}

async function arrays(engine: Engine): Promise<Float64Array> {
    const spectrum: ComplexArray = await engine.fft({ data: new Float32Array(8), shape: [8] });
    const device: DeviceArray = await engine.sort(await engine.upload({ data: new Float32Array([3, 1, 2]), shape: [3] }));
    const sum: number = await engine.sum(device);
    const sorted = await engine.sort({ data: new Int32Array([3, 1, 2]), shape: [3] });
    const first: number | undefined = sorted.data[0];
    const kernel = await engine.kernel('uniform sampler2D a;\nout float v;\nvoid main() { v = READ(a, TEXEL).r; }');
    const { v } = await kernel.run({ inputs: { a: 'ramp:4x4' } });
    const bytes: Uint8Array = await engine.writeFile('v.npy', v ?? sorted);
    const { notes, shape } = await engine.readFile('v.npy', bytes);
    const { x, history, ending } = await engine.solve('poisson5:63', null, {
        method: 'cg', progress: ({ residual }) => void residual, checkpoint: ({ iteration, x }) => void x[iteration], every: 1,
    });
    console.log(sum, first, notes.join(), shape, history.at(-1)?.residual, ending, spectrum.re.data);
    return x;
}

async function failures(engine: Engine): Promise<string> {
    try {
        await engine.run({ ...heat, iterate: 10 });
    } catch (error) {
        const { kind, diagnostics } = error as EngineError;
        return `${kind}: ${diagnostics.map(({ file, line, column = 1 }) => `${file}:${line}:${column}`).join()}`;
    }
    try {
        const { rightHandSides, times } = await engine.solve('poisson5:63', new Float64Array(2 * 3969));
        console.log(rightHandSides.map(({ residual }) => residual), times['iterate']);
    } catch (error) {
        if (!(error instanceof ConvergenceError)) throw error;
        const near: Float64Array = error.x;
        console.log(near, error.ending, error.solution.rightHandSides.length, error.kind === 'convergence');
    }
    // @ts-expect-error: an option that there is not
    await engine.solve('poisson5:63', null, { tolerence: 1e-8 });
    // @ts-expect-error: doubles are no numbers of a shader
    await engine.sum({ data: new Float64Array(3), shape: [3] });
    // @ts-expect-error: a right-hand side is in double precision
    await engine.solve('poisson5:63', new Float32Array(3969));
    // @ts-expect-error: both arguments are on the device, or neither is
    await engine.matmul({ data: new Float32Array(1), shape: [1, 1] }, await engine.upload({ data: new Float32Array(1), shape: [1, 1] }));
    return engine.device.renderer;
}

export async function main(): Promise<void> {
    const engine = await start();
    console.log(await steps(engine), await arrays(engine), await failures(engine));
    engine.stop();
}
