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
    readonly kind: 'failure' | 'convergence' | 'lost' | 'stopped' | 'unsupported';
    readonly diagnostics: Diagnostic[];
}

/** With which a solver's promise is rejected that did not converge: `kind` is `convergence`. */
export declare class ConvergenceError extends EngineError {
    /** What was reached, of several right-hand sides for all. */
    readonly solution: Solution;
    /** The nearest iterate: that of the solution, as the next two are. */
    readonly x: Float64Array;
    readonly residual: number;
    /** Why it ended: `not converged` after all iterations, `stagnated`, `diverged` or `broke down`. */
    readonly ending: string;
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

/** A number, several, or the text of a value as `quadrille run --uniform` takes it. */
export type UniformValue = number | boolean | number[] | string;

/** What `quadrille run` computes: one shader, or a run file with its files. */
export interface Settings {
    /** A macro in front of the shader. It takes precedence over one that a *.run.toml defines. */
    define?: Record<string, number | boolean | string>;
    /** A text that stands in front of each shader, as Shadertoy's tab Common. */
    common?: string;
    /** How the shader is written; auto by default. */
    dialect?: 'auto' | 'plain' | 'shadertoy' | 'ghostty' | 'sandbox' | 'legacy' | 'isf';
    /** How texture() samples an input outside of its array, or all inputs where none is named; by default clamp. */
    wrap?: 'clamp' | 'repeat' | 'mirror' | Record<string, 'clamp' | 'repeat' | 'mirror'>;
    /** How texture() samples an input between the centres of its cells, or all inputs where none is named; by default nearest. READ and texelFetch stay exact. */
    filter?: 'nearest' | 'linear' | 'mipmap' | Record<string, 'nearest' | 'linear' | 'mipmap'>;
    /** The precision in which the device holds an input of floats, and the output that feeds back to it; a note tells how far numbers were rounded. By default single; half for a file of f2 that no output replaces. */
    precision?: Record<string, 'half' | 'single'>;
    /** The seed of random inputs; one generator fills them in the given order; 1 by default. */
    seed?: number;
    /** Whether y = 0 is the last row of arrays and the bottom of pictures, in place of the first row and the top; by default the bottom for shadertoy, sandbox and isf, else the top. */
    flip?: boolean;
    /** The steps a second of iTime, time, u_time and TIME; 60 by default. */
    rate?: number;
    /** The number of the first step, from which iteration, iFrame and the time count: a later frame of a shader without feedback, without those before it; 0 by default. */
    start?: number;
    /** The width and height of the output, in cells; by default those of the inputs with feedback, else of all inputs. */
    size?: [number, number];
    /** How far the shaders read from their own cells. Arrays larger than a texture along an axis are computed in panels with a halo of this width; a read beyond is an error; 0 by default. */
    halo?: number;
    /** The number of steps; by default one, or one for each frame of a sequence; unlimited in a window. */
    iterate?: number;
    /** An output, and the input that it is in the next step. */
    feedback?: Record<string, string>;
    /** How READ reads a texel; by default the fast way of the device. */
    reads?: 'fetch' | 'sample';
    // The options above are written by tests/host/whole/options.rs.
    /** A fragment shader, in any dialect that `quadrille run` reads. */
    shader?: string;
    /** The name of the shader in messages; `shader.frag` by default. */
    name?: string;
    /** The text of a `*.run.toml`, in place of `shader`. */
    runFile?: string;
    /** The files that a run file names, also shaders: texts, or bytes of `.npy`, `.png`, `.jpg`. */
    files?: Record<string, string | Uint8Array>;
    /** The texts that shaders include, by their names. */
    include?: Record<string, string>;
    /** Arrays by the names of samplers, or rules: `random:64x48`, `zeros:64x48x4`, `ramp:64x48`. */
    inputs?: Record<string, NDArray | string>;
    uniforms?: Record<string, UniformValue>;
}

export interface InputFacts {
    name: string;
    shape: number[];
}

export interface UniformFacts {
    name: string;
    /** As GLSL writes it: `float`, `ivec2`. */
    type: string;
    /** Whether the engine sets it where nobody gives it. */
    supplied: boolean;
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
    /** The method; auto by default. */
    method?: 'auto' | 'cg' | 'bicgstab' | 'jacobi' | 'multigrid' | 'mgcg' | 'fft';
    /** The preconditioner; auto by default. */
    preconditioner?: 'auto' | 'none' | 'jacobi' | 'chebyshev' | 'multigrid';
    /** The smoother of multigrid; auto by default. */
    smoother?: 'auto' | 'jacobi' | 'line-jacobi';
    /** The axes along which multigrid's levels become coarser; auto by default. */
    coarsen?: 'auto' | 'strong' | 'both';
    /** Solve for the right-hand side without its mean, where the matrix takes constants to zero and no A x has one; false by default. */
    project?: boolean;
    /** The precision of x; mixed by default. */
    precision?: 'mixed' | 'single';
    /** Stop when the 2-norm of b - A x is at most this times that of b; 1e-8 by default. */
    tolerance?: number;
    /** The maximum number of iterations; 100000 by default. */
    iterations?: number;
    /** The iterations between two looks at the residual, which are sooner where the tolerance is near; chosen by what a look costs. */
    checkEvery?: number;
    // The options above are written by tests/host/whole/options.rs.
    /** What the iteration starts from: as many numbers as `b` has. */
    x0?: Float64Array;
    /** Is told of each look at the residual. */
    progress?: (look: Look) => void;
    /** Gets a copy of x on the way, for `x0` of another call; of one right-hand side. */
    checkpoint?: (reached: { iteration: number; x: Float64Array }) => void;
    /** The seconds from one call of `checkpoint` to the next; 60 by default. */
    every?: number;
}

/** Options of `quadrille matmul`, under the same names. */
export interface MatmulOptions {
    /** The method; auto by default. */
    method?: 'auto' | 'serial' | 'element' | 'cp' | 'sp' | 'block4x4' | 'block8x4' | 'block8x8' | 'block16x8' | 'compute-simple' | 'compute-tiled' | 'compute-shared' | 'compute-blocked';
    /** Drawn methods: steps along the inner dimension for each iteration of the loop, at most 1023. */
    unroll?: number;
    /** element, cp, sp, block8x8, block16x8: the number of passes, each of which adds to the sums of the one before. */
    passes?: number;
    /** compute-blocked: the number of parts of the inner dimension that are computed at the same time. */
    split?: number;
    /** The elements of C in a quad (drawn methods) or a work group (compute); a tile must divide C. */
    tile?: string;
    /** Drawn methods: the order of tiles. */
    order?: 'rows' | 'columns' | 'morton' | 'hilbert';
    /** Drawn methods: the shape that is drawn over C without tiles. */
    cover?: 'quad' | 'triangle';
    /** Drawn methods: the operands that are stored transposed. */
    transpose?: 'a' | 'b' | 'both' | 'none';
    /** Drawn methods: unused texels at the end of each row, 5 by default. */
    padding?: number;
    /** Drawn methods: cut textures into strips of so many texels, one below the other, so that blocks of the matrix are adjacent; a multiple of what an iteration of the loop reads, or 0 for none. */
    strips?: number;
    /** The elements in a texel of an operand: 1 or 4 (element), 4 or 2x2 (block4x4). */
    cell?: '1' | '4' | '2x2';
    /** Drawn methods: how operands are read. */
    reads?: 'fetch' | 'sample' | 'buffer';
    // The options above are written by tests/host/whole/options.rs.
}

/** Options of `quadrille sat`, under the same names. */
export interface SatOptions {
    /** The seed of all random numbers; 1 by default. */
    seed?: number;
    /** The maximum number of flips of a candidate, in total; 100000 by default. */
    flips?: number;
    /** The maximum number of restarts. Many candidates restart together, after an equal share of the flips: by default 9 times, but no share is below 20 flips per variable. One candidate restarts when it stagnates, by default without a limit. */
    restarts?: number;
    /** The number of candidates: 1 for the greedy search of 2002, more are rounded up to a multiple of 128; by default as many as suit the device and the formula. */
    candidates?: number;
    /** What evaluates clauses. */
    engine?: 'fragment' | 'vertex' | 'feedback' | 'simulator' | 'host';
    // The options above are written by tests/host/whole/options.rs.
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
    /** `[height, width]` or `[depth, height, width]`; with the number of several right-hand sides before it. */
    shape: number[];
    /** Of all right-hand sides, as what follows is their sum or their largest. */
    iterations: number;
    /** The iterations after which x was reached: no look at a later x found a smaller residual. */
    reachedAt: number;
    /** The norm of b - A x over that of b, in double precision. */
    residual: number;
    /** The same of b without its mean, over the norm of that, with `project` and a matrix that takes constants to zero; else null. */
    projectedResidual: number | null;
    /** False in a {@link ConvergenceError} alone. */
    converged: boolean;
    /** `converged`, or why the first ended that did not. */
    ending: string;
    method: string;
    preconditioner: string;
    /** The levels of multigrid, 0 without it. */
    levels: number;
    /** Of the solution, without the setup. */
    milliseconds: number;
    /** The parts of that, in milliseconds: `examine`, `send`, `levels`, `compile`, `iterate`, `residual on the host`, `back`. */
    times: Record<string, number>;
    setupMilliseconds: number;
    /** The parts of the setup. */
    setupTimes: Record<string, number>;
    history: (Look & { side: number })[];
    rightHandSides: RightHandSide[];
}

/** The solution for one of several right-hand sides. */
export type RightHandSide = Pick<Solution, 'iterations' | 'reachedAt' | 'residual' | 'projectedResidual' | 'ending' | 'milliseconds'>;

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
    /** The program is GLSL, whatever its name; false by default. */
    glsl?: boolean;
    /** The engine that computes; by default compute on hardware that has it, else fragment. */
    engine?: 'attributes' | 'vertex' | 'feedback' | 'fragment' | 'compute' | 'simulator';
    /** The limits and the precision of the instructions; modern by default. */
    profile?: 'modern' | 'period';
    /** Sum what the invocations give to one number; false by default. */
    reduce?: boolean;
    /** Where partial results are summed, with reduce. */
    fold?: 'host' | 'device' | 'blending';
    /** The number that stands for those that the last invocation of a sum lacks, with reduce. */
    padding?: number;
    /** Give unsigned bytes: rounded, and clamped to 0 to 255; not with reduce; false by default. */
    bytes?: boolean;
    // The options above are written by tests/host/whole/options.rs.
    constants?: Record<number, number | [number, number, number, number]>;
}

/** The accuracy card, as `quadrille card --json` writes it: `care` marks what is not as one would wish. */
export type Card = Record<string, unknown> & { device: string; verdicts: { title: string; verdicts: { text: string; care: boolean }[] }[] };

export interface Engine {
    readonly device: Device;
    /** One step, or as many as `iterate` or the run file says: all outputs by name. Without feedback each step is the same. */
    run(settings: Settings): Promise<Record<string, NDArray>>;
    experiment(settings: Settings): Promise<Experiment>;
    kernel(shader: string, name?: string): Promise<Kernel>;
    /** What a shader or a run file declares, before it has inputs: what a page asks a person for. */
    declares(settings: Pick<Settings, 'shader' | 'name' | 'runFile' | 'files' | 'dialect'>): Promise<Declares>;

    /**
     * The system of a stencil such as `poisson5:255` or `fe9:63x31`, or of a Matrix Market text; of ones without `b`. A `b` of several
     * right-hand sides, one after the other, is solved for with one setup. Rejected with a {@link ConvergenceError} where the tolerance
     * is not met.
     */
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
    /** As in "a Shadertoy shader". */
    readAs: string;
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
