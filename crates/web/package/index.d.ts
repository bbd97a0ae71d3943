/**
 * quadrille in a browser: numeric computing on WebGL2, in a worker.
 *
 * Every function returns a promise. What the library refuses rejects it with an `Error` whose message says what was expected, what
 * came, and where; errors of shaders and descriptions have the line too, see {@link EngineError}.
 */

/** Numbers as a shader has them. */
export type Numbers = Float32Array | Int32Array | Uint32Array;

/** An array, row by row as NumPy has it: `[n]`, `[height, width]` or `[height, width, channels]` with 2 to 4 channels. */
export interface NDArray<T extends Numbers = Numbers> {
    data: T;
    shape: number[];
}

/** An array on the device: the functions of {@link Engine} that take it return arrays of the device, and read nothing back. */
export declare class DeviceArray {
    readonly shape: number[];
    readonly type: 'float32' | 'int32' | 'uint32' | 'complex64';
    read(): Promise<NDArray>;
    /** Frees it. */
    close(): Promise<void>;
}

/** A line of a shader or of a description where something is wrong; lines and columns count from 1. */
export interface Diagnostic {
    file: string;
    line: number;
    column?: number;
    message: string;
}

export declare class EngineError extends Error {
    /** `lost`: the context is gone, start another engine; `stopped`: the engine was stopped. */
    readonly kind: 'failure' | 'lost' | 'stopped' | 'unsupported';
    readonly diagnostics: Diagnostic[];
}

/** What the browser has chosen to compute on. */
export interface Device {
    renderer: string;
    vendor: string;
    version: string;
    maxTextureSize: number;
    /** Whether it is a software renderer. */
    software: boolean;
}

/** How `texture()` samples between texels; `mipmap` also between levels, where it shrinks. */
export type Filter = 'nearest' | 'linear' | 'mipmap';

/** A number, several, or the text of a value as `quadrille run --uniform` takes it. */
export type UniformValue = number | boolean | number[] | string;

/** What `quadrille run` computes: one shader, or a run file with its files. */
export interface Settings {
    /** A fragment shader, in any dialect that `quadrille run` reads. */
    shader?: string;
    /** The name of the shader in messages; `shader.frag` by default. */
    name?: string;
    /** The text of a `*.run.toml`, in place of `shader`. */
    runFile?: string;
    /** The files that a run file names, also shaders: texts, or bytes of `.npy`, `.png`, `.jpg`. */
    files?: Record<string, string | Uint8Array>;
    /** Arrays by the names of samplers, or rules: `random:64x48`, `zeros:64x48x4`, `ramp:64x48`. */
    inputs?: Record<string, NDArray | string>;
    uniforms?: Record<string, UniformValue>;
    /** Outputs, with the inputs that they become in the next step. */
    feedback?: Record<string, string>;
    /** Width and height of the outputs; those of the inputs by default. */
    size?: [number, number];
    seed?: number;
    dialect?: 'plain' | 'shadertoy' | 'sandbox' | 'legacy' | 'isf';
    flip?: boolean;
    /** Steps a second, of shaders that read a time; 60 by default. */
    rate?: number;
    /** Sampling by `texture()`, for all inputs or by name. */
    wrap?: 'clamp' | 'repeat' | 'mirror' | Record<string, 'clamp' | 'repeat' | 'mirror'>;
    filter?: Filter | Record<string, Filter>;
}

export interface InputFacts {
    name: string;
    shape: number[];
}

export interface UniformFacts {
    name: string;
    /** As GLSL writes it: `float`, `ivec2`. */
    type: string;
    /** What it is set to, as text; absent where the engine sets it at each step. */
    value?: string;
}

export interface OutputFacts {
    name: string;
    shape: number[];
    /** The input that it becomes in the next step. */
    becomes?: string;
}

/** An experiment on the device: outputs may become inputs of the next step. */
export declare class Experiment {
    readonly dialect: string;
    readonly inputs: InputFacts[];
    readonly uniforms: UniformFacts[];
    readonly outputs: OutputFacts[];
    /** The number of steps that the description asks for; 1 by default. */
    readonly steps: number;
    /** Whether a further step can change anything. */
    readonly changes: boolean;
    /** What its shaders leave to chance, such as a variable that is read before it is set. */
    readonly notes: string[];
    /** Runs steps, and returns the number that have been run since the start. */
    step(count?: number): Promise<number>;
    /** Reads an output; the first one by default. */
    read(output?: string): Promise<NDArray>;
    set(uniform: string, value: UniformValue): Promise<void>;
    write(input: string, array: NDArray): Promise<void>;
    /** Goes back to before the first step. */
    restart(): Promise<void>;
    close(): Promise<void>;
}

/** A compiled shader, for arrays of any size. */
export declare class Kernel {
    readonly inputs: string[];
    readonly uniforms: UniformFacts[];
    readonly outputs: string[];
    run(settings: Pick<Settings, 'inputs' | 'uniforms' | 'size' | 'wrap' | 'filter' | 'flip'>): Promise<Record<string, NDArray>>;
    close(): Promise<void>;
}

/** Options of `quadrille solve`, under the same names. */
export interface SolveOptions {
    method?: 'auto' | 'cg' | 'bicgstab' | 'jacobi' | 'multigrid' | 'mgcg' | 'fft';
    preconditioner?: 'auto' | 'none' | 'jacobi' | 'chebyshev' | 'multigrid';
    /** Of multigrid. */
    smoother?: 'auto' | 'jacobi' | 'line-jacobi';
    /** The axes along which multigrid's levels become coarser. */
    coarsen?: 'auto' | 'strong' | 'both';
    /** Solve for b without its mean, where the matrix takes constants to zero and no A x has one; else such a b is refused. */
    project?: boolean;
    precision?: 'mixed' | 'single';
    tolerance?: number;
    iterations?: number;
    /** Iterations between two looks at the residual. */
    checkEvery?: number;
    x0?: Float64Array;
    /** Is told of each look at the residual. */
    progress?: (look: Look) => void;
}

/** Options of `quadrille matmul`, under the same names. */
export interface MatmulOptions {
    method?: 'auto' | 'serial' | 'element' | 'cp' | 'sp' | 'block4x4' | 'block8x4' | 'block8x8' | 'block16x8' | 'compute-simple' | 'compute-tiled' | 'compute-shared' | 'compute-blocked';
    unroll?: number;
    passes?: number;
    split?: number;
    /** As in `16x8`. */
    tile?: string;
    order?: 'rows' | 'columns' | 'morton' | 'hilbert';
    cover?: 'quad' | 'triangle';
    transpose?: 'a' | 'b' | 'both' | 'none';
    padding?: number;
    strips?: number;
    cell?: '1' | '4' | '2x2';
    reads?: 'fetch' | 'sample' | 'buffer';
}

/** Options of `quadrille sat`, under the same names. */
export interface SatOptions {
    seed?: number;
    flips?: number;
    restarts?: number;
    candidates?: number;
    engine?: 'fragment' | 'vertex' | 'feedback' | 'simulator' | 'host';
}

/** A look at the residual while a solver runs. */
export interface Look {
    iteration: number;
    milliseconds: number;
    residual: number;
}

export interface Solution {
    /** In double precision. */
    x: Float64Array;
    /** `[height, width]` or `[depth, height, width]`. */
    shape: number[];
    iterations: number;
    /** The iterations after which x was reached: no look at a later x found a smaller residual. */
    reachedAt: number;
    /** The norm of b - A x over that of b, in double precision. */
    residual: number;
    /** The same of b without its mean, over the norm of that, with `project` and a matrix that takes constants to zero; else null. */
    projectedResidual: number | null;
    converged: boolean;
    /** Why it ended: `converged`, `iterations`, `stagnated`, ... */
    ending: string;
    method: string;
    preconditioner: string;
    /** The levels of multigrid, 0 without it. */
    levels: number;
    /** Of the solution, without the setup. */
    milliseconds: number;
    setupMilliseconds: number;
    history: Look[];
}

/** A file as an array, and what was noticed while it was read. */
export interface FileArray extends NDArray {
    notes: string[];
}

/** Two arrays that are the real and the imaginary part. */
export interface ComplexArray {
    re: NDArray<Float32Array>;
    im: NDArray<Float32Array>;
}

export interface Satisfiability {
    answer: 'satisfiable' | 'unsatisfiable' | 'unknown';
    /** The literals of a model, as DIMACS has them. */
    model?: Int32Array;
    candidates: number;
    satisfied: number;
    clauses: number;
    flips: number;
    restarts: number;
    evaluations: number;
    milliseconds: number;
}

export interface VertexProgramOptions {
    constants?: Record<number, number | [number, number, number, number]>;
    reduce?: boolean;
    engine?: 'attributes' | 'vertex' | 'feedback' | 'fragment' | 'simulator';
    profile?: 'modern' | 'period';
}

/** The accuracy card, as `quadrille card --json` writes it: `care` marks what is not as one would wish. */
export type Card = Record<string, unknown> & { device: string; verdicts: { title: string; verdicts: { text: string; care: boolean }[] }[] };

export interface Engine {
    readonly device: Device;
    /** One step, or as many as `iterate` or the run file says: all outputs by name. Without feedback each step is the same. */
    run(settings: Settings & { iterate?: number }): Promise<Record<string, NDArray>>;
    experiment(settings: Settings): Promise<Experiment>;
    kernel(shader: string, name?: string): Promise<Kernel>;
    /** What a shader or a run file declares, before it has inputs: what a page asks a person for. */
    declares(settings: Pick<Settings, 'shader' | 'name' | 'runFile' | 'files' | 'dialect'>): Promise<Declares>;

    /** The system of a stencil such as `poisson5:255` or `fe9:63x31`, or of a Matrix Market text; of ones without `b`. */
    solve(matrix: string, b?: Float64Array | null, options?: SolveOptions): Promise<Solution>;
    /** The product of two matrices of shapes [m, k] and [k, n]. */
    matmul<A extends NDArray | DeviceArray>(a: A, b: A, options?: MatmulOptions): Promise<A>;

    /** Along the last axis. Of an array of floats, or of both parts. */
    fft(x: NDArray | ComplexArray): Promise<ComplexArray>;
    ifft(x: ComplexArray): Promise<ComplexArray>;
    fft(x: DeviceArray): Promise<DeviceArray>;
    ifft(x: DeviceArray): Promise<DeviceArray>;
    /** Over both axes. */
    fft2(x: NDArray | ComplexArray): Promise<ComplexArray>;
    ifft2(x: ComplexArray): Promise<ComplexArray>;
    sort<A extends NDArray | DeviceArray>(x: A, options?: { descending?: boolean }): Promise<A>;
    argsort<A extends NDArray | DeviceArray>(x: A, options?: { descending?: boolean }): Promise<A>;
    cumsum<A extends NDArray | DeviceArray>(x: A): Promise<A>;
    sum(x: NDArray<Float32Array> | DeviceArray): Promise<number>;
    upload(x: NDArray | ComplexArray): Promise<DeviceArray>;
    /** Brings a matrix to the device in the form that `matmul` takes. */
    uploadMatrix(x: NDArray<Float32Array>): Promise<DeviceArray>;
    /** Adds `alpha` times x to y, on the device. */
    axpy(alpha: number, x: DeviceArray, y: DeviceArray): Promise<void>;

    /** A formula in DIMACS's form. */
    sat(formula: string, options?: SatOptions): Promise<Satisfiability>;
    /** A vertex program of 2002 over one to three vectors of one length. */
    vp(program: string, vectors: Float32Array[], options?: VertexProgramOptions): Promise<Float32Array | number>;
    /** What the device's arithmetic can be trusted for; about ten seconds on a software renderer. */
    card(options?: { seed?: number; progress?: (done: number, expected: number) => void }): Promise<Card>;
    /** The sentences of a card, as `quadrille card` prints them; `good` where no care is needed. */
    verdicts(card: Card): Promise<{ title: string; verdicts: { text: string; good: boolean }[] }[]>;

    /** Reads the bytes of a `.npy`, `.png`, `.jpg` or `.csv` file. */
    readFile(name: string, bytes: Uint8Array): Promise<FileArray>;
    /** The bytes of a `.npy` or `.png` file, as `quadrille run --output` writes them. */
    writeFile(name: string, array: NDArray): Promise<Uint8Array>;
    /** The 256 colours of a colour map, as RGB bytes. */
    colours(map?: string): Promise<Uint8Array>;
    /** Waits until the device has done what it was given. */
    finish(): Promise<void>;

    /** Ends the worker and whatever it computes; all promises that wait are rejected. */
    stop(): void;
}

/** What a shader or a run file declares. */
export interface Declares {
    dialect: string;
    /** The inputs to be given: names of samplers, and of buffers that begin with something. */
    /** With the source of their numbers, as text, where a run file says it. */
    inputs: { name: string; type: 'sampler2D' | 'isampler2D' | 'usampler2D'; from?: string }[];
    uniforms: UniformFacts[];
    outputs: { name: string }[];
    /** Outputs with the inputs that they become, as a run file says. */
    feedback: Record<string, string>;
    /** Files that a run file names and that were not given. */
    missing: string[];
    steps: number;
}

/** Starts an engine, in a worker of its own unless one is given. Rejected with `kind` `unsupported` where the browser lacks WebGL2 or float targets. */
export declare function start(options?: { worker?: Worker }): Promise<Engine>;
