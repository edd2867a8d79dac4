import test from 'ava';
import {LeaseStrategy} from '../../../../plugins/resources/coordination/plugin.js';
import {fieldErrorText} from '../../../../sdk/index.js';

const strategy = new LeaseStrategy();
const make = (spec?: object) => ({metadata: {name: 'leader', creationTimestamp: '2030-01-01T00:00:00Z'}, ...(spec ? {spec} : {})});

test('a lease lasts longer than no time and changes hands no less than never', (t) => {
  for (const spec of [
    undefined,
    {},
    {leaseDurationSeconds: 1, leaseTransitions: 0},
    {leaseDurationSeconds: null, leaseTransitions: null},
  ]) {
    t.deepEqual(strategy.validateCreate(make(spec)), []);
  }
  const bad = make({leaseDurationSeconds: 0, leaseTransitions: -1});
  const expected = [
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
  ];
  t.deepEqual(strategy.validateCreate(bad).map(fieldErrorText), expected);
  t.deepEqual(strategy.validateUpdate(bad).map(fieldErrorText), expected);
});

test('the table shows the holder', (t) => {
  t.deepEqual(strategy.tableCells(make({holderIdentity: 'one'})), {Holder: 'one'});
  t.deepEqual(strategy.tableCells(make()), {Holder: ''});
});
