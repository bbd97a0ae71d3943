// The programs of crates/run/gallery for the page. Their texts are those files, and what each begins with is read from the command in its
// first comment, so that nothing is said twice.
import { settingsOf } from '../playground/command.js';
import blur from '../../../run/gallery/blur.run.toml';
import blurAlong from '../../../run/gallery/blur/along.frag';
import discs from '../../../run/gallery/discs.frag';
import equalise from '../../../run/gallery/equalise.run.toml';
import equaliseBrightness from '../../../run/gallery/equalise/brightness.frag';
import equaliseEqualise from '../../../run/gallery/equalise/equalise.frag';
import fft from '../../../run/gallery/fft.run.toml';
import fftBegin from '../../../run/gallery/fft/begin.frag';
import fftButterfly from '../../../run/gallery/fft/butterfly.frag';
import fftPicture from '../../../run/gallery/fft/picture.frag';
import fluid from '../../../run/gallery/fluid.run.toml';
import fluidAdvect from '../../../run/gallery/fluid/advect.frag';
import fluidBegin from '../../../run/gallery/fluid/begin.frag';
import fluidBilinear from '../../../run/gallery/fluid/bilinear.glsl';
import fluidCarry from '../../../run/gallery/fluid/carry.frag';
import fluidDivergence from '../../../run/gallery/fluid/divergence.frag';
import fluidPicture from '../../../run/gallery/fluid/picture.frag';
import fluidProject from '../../../run/gallery/fluid/project.frag';
import fluidSolve from '../../../run/gallery/fluid/solve.frag';
import heat from '../../../run/gallery/heat.frag';
import life from '../../../run/gallery/life.frag';
import mandelbrot from '../../../run/gallery/mandelbrot.frag';
import nbody from '../../../run/gallery/nbody.run.toml';
import nbodyMove from '../../../run/gallery/nbody/move.frag';
import nbodyPicture from '../../../run/gallery/nbody/picture.frag';
import plasma from '../../../run/gallery/plasma.frag';
import reactionDiffusion from '../../../run/gallery/reaction_diffusion.frag';
import sandpile from '../../../run/gallery/sandpile.frag';
import sobel from '../../../run/gallery/sobel.frag';
import sort from '../../../run/gallery/sort.run.toml';
import sortBegin from '../../../run/gallery/sort/begin.frag';
import sortCompare from '../../../run/gallery/sort/compare.frag';
import vignette from '../../../run/gallery/vignette.frag';
import voronoi from '../../../run/gallery/voronoi.run.toml';
import voronoiFlood from '../../../run/gallery/voronoi/flood.frag';
import voronoiPicture from '../../../run/gallery/voronoi/picture.frag';
import voronoiSeeds from '../../../run/gallery/voronoi/seeds.frag';
import wave from '../../../run/gallery/wave.frag';

const FRAMES = 200;
// The one picture that comes with the site stands for every picture that a program reads.
const SAMPLE = 'sample:plate.png';

const shader = (title, name, text) => ({ title, name, main: `${name}.frag`, files: { [`${name}.frag`]: text } });
const passes = (title, name, text, parts) => ({
    title,
    name,
    main: `${name}.run.toml`,
    files: { [`${name}.run.toml`]: text, ...Object.fromEntries(Object.entries(parts).map(([part, of]) => [`${name}/${part}`, of])) },
});

/** All programs: title, name, main and files. */
export const PROGRAMS = [
    shader('Reaction and diffusion', 'reaction_diffusion', reactionDiffusion),
    shader('Heat in a plate', 'heat', heat),
    shader('Waves', 'wave', wave),
    shader('Game of Life', 'life', life),
    shader('Sandpile', 'sandpile', sandpile),
    shader('The Mandelbrot set', 'mandelbrot', mandelbrot),
    shader('Edges of a picture', 'sobel', sobel),
    passes('Gaussian blur', 'blur', blur, { 'along.frag': blurAlong }),
    passes('Brightness spread evenly', 'equalise', equalise, { 'brightness.frag': equaliseBrightness, 'equalise.frag': equaliseEqualise }),
    passes('Spectrum of a picture', 'fft', fft, { 'begin.frag': fftBegin, 'butterfly.frag': fftButterfly, 'picture.frag': fftPicture }),
    passes('Sorting network', 'sort', sort, { 'begin.frag': sortBegin, 'compare.frag': sortCompare }),
    passes('A fluid', 'fluid', fluid, {
        'begin.frag': fluidBegin,
        'advect.frag': fluidAdvect,
        'divergence.frag': fluidDivergence,
        'solve.frag': fluidSolve,
        'project.frag': fluidProject,
        'carry.frag': fluidCarry,
        'picture.frag': fluidPicture,
        'bilinear.glsl': fluidBilinear,
    }),
    passes('N bodies', 'nbody', nbody, { 'move.frag': nbodyMove, 'picture.frag': nbodyPicture }),
    passes('Voronoi diagram', 'voronoi', voronoi, {
        'seeds.frag': voronoiSeeds,
        'flood.frag': voronoiFlood,
        'picture.frag': voronoiPicture,
    }),
    shader('Plasma, a Shadertoy shader', 'plasma', plasma),
    shader('Discs, in the manner of The Book of Shaders', 'discs', discs),
    shader('An old photograph, a filter of WebGL 1', 'vignette', vignette),
];

/** The comment at the head of a text, without its marks. */
function head(text) {
    const lines = text.split('\n');
    const end = lines.findIndex((line) => !/^(\/\/|#)/.test(line));
    return lines
        .slice(0, end)
        .map((line) => line.replace(/^(\/\/|#) ?/, ''))
        .join('\n');
}

/** What a program computes: the first paragraph of its comment. */
export const about = ({ main, files }) =>
    head(files[main])
        .split(/\n\s*\n/)[0]
        .replaceAll('\n', ' ');

/** The state of the playground with a program in it. */
export function stateOf({ main, files }) {
    const command = head(files[main]).match(/quadrille run (?:.*\\\n)*.*/)[0];
    const { inputs, uniforms, feedback, outputs, range, size, iterate, seed } = settingsOf(command);
    const [output] = Object.keys(outputs);
    const pictures = [...files[main].matchAll(/^input\.\w+ = "([^"]+\.png)"/gm)].map(([, path]) => [path, SAMPLE]);
    const steps = iterate ?? Number(files[main].match(/^iterate = (\d+)/m)?.[1] ?? 1);
    return {
        files,
        main,
        feedback,
        size: size ?? null,
        iterate: iterate ?? null,
        seed: seed ?? null,
        pace: Math.ceil(steps / FRAMES),
        inputs: Object.fromEntries(Object.entries(inputs).map(([name, rule]) => [name, rule.endsWith('.png') ? SAMPLE : rule])),
        uniforms: moving(uniforms),
        given: Object.fromEntries(pictures),
        view: { output: output ?? null, held: range ?? null },
    };
}

// A picture stands at one time; in the page time goes on.
const moving = (uniforms) => Object.fromEntries(Object.entries(uniforms).filter(([name]) => !/^(iTime|u_time|TIME)$/.test(name)));

/** The program of a name, or an error that names all. */
export function programOf(name) {
    const found = PROGRAMS.find((program) => program.name === name);
    if (!found) throw new Error(`there is no example "${name}"; there are ${PROGRAMS.map((program) => program.name).join(', ')}`);
    return found;
}
