// Pictures of the programs, small.
import blur from './thumbs/blur.jpg';
import discs from './thumbs/discs.jpg';
import equalise from './thumbs/equalise.jpg';
import fft from './thumbs/fft.jpg';
import fluid from './thumbs/fluid.jpg';
import heat from './thumbs/heat.jpg';
import life from './thumbs/life.jpg';
import mandelbrot from './thumbs/mandelbrot.jpg';
import nbody from './thumbs/nbody.jpg';
import plasma from './thumbs/plasma.jpg';
import reaction_diffusion from './thumbs/reaction_diffusion.jpg';
import sandpile from './thumbs/sandpile.jpg';
import sobel from './thumbs/sobel.jpg';
import sort from './thumbs/sort.jpg';
import vignette from './thumbs/vignette.jpg';
import voronoi from './thumbs/voronoi.jpg';
import wave from './thumbs/wave.jpg';

/** By the names of the programs; addresses relative to this module. */
export const THUMBS = {
    blur, discs, equalise, fft, fluid, heat, life, mandelbrot, nbody, plasma, reaction_diffusion, sandpile, sobel, sort, vignette,
    voronoi, wave,
};
