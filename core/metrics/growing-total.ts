import type {CounterSeries} from '../../sdk/index.js';

/** Feeds a counter from a total that is kept elsewhere: call it with the total, which never falls. */
export function growingTotal(counter: CounterSeries): (total: number) => void {
  let counted = 0;
  return (total) => {
    counter.add(Math.max(0, total - counted));
    counted = Math.max(counted, total);
  };
}
