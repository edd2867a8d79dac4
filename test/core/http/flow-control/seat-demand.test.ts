import test from 'ava';
import {SeatDemand} from '../../../../core/http/flow-control/seat-demand.js';

test('demand is summed up by time: average, deviation and highest of each period', (t) => {
  const demand = new SeatDemand(1000);
  demand.set(4, 1000);
  demand.set(8, 1010);
  t.deepEqual(demand.take(1020), {average: 6, deviation: 2, highest: 8});
  t.deepEqual(demand.take(1030), {average: 8, deviation: 0, highest: 8});
  demand.set(20, 1035);
  demand.set(0, 1035);
  t.deepEqual(demand.take(1040), {average: 4, deviation: 4, highest: 20});
  t.deepEqual(demand.take(1040), {average: 0, deviation: 0, highest: 0});
});
