import type {CounterSeries} from '../../sdk/index.js';

/** Makes a counter say what somebody else has counted: to be called with the total, which never falls. */
export function growingTotal(counter: CounterSeries): (total: number) => void {
  let told = 0;
  return (total) => {
    counter.add(Math.max(0, total - told));
    told = Math.max(told, total);
  };
}
