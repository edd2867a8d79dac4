import {seededRandom} from '../../../helpers/config-map-writers.js';

/** Numbers from 0 to 1, the same ones for a seed: that of ORCH_TEST_SEED, or another one each time. */
export function random(): {readonly seed: number; readonly next: () => number} {
  const seed = Number(process.env.ORCH_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  return {seed, next: seededRandom(seed)};
}
