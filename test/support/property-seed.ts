/**
 * Loaded before the specs of every suite. Properties try the same cases in every run, so that a change is judged by itself.
 * `PROPERTY_SEED=random` tries new ones, and a number those of that seed.
 */
import fc from 'fast-check';

const { PROPERTY_SEED: given = '1' } = process.env;
if (given !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
