import test from 'ava';
import {ChargeLedger} from '../../../plugins/controllers/resource-quota/charge-ledger.js';

const unit = 1_000_000_000n;
const life = 5000;
const start = 1_000_000;

function ledger(used = '0'): ChargeLedger {
  const made = new ChargeLedger(life);
  made.observe({pods: used}, start);
  return made;
}

test('what has been charged is on its way until its object appears', (t) => {
  const charges = ledger();
  charges.observe({pods: '2'}, start + 100);
  t.is(charges.pending(start + 100).get('pods'), 2n * unit);
  t.true(charges.settle('a', start, {pods: '1', cpu: '1'}, start + 200));
  t.false(charges.settle('a', start, {pods: '1'}, start + 300), 'an object settles once');
  t.is(charges.pending(start + 300).get('pods'), unit);
  charges.observe({pods: '1'}, start + 400);
  t.is(charges.pending(start + 400).get('pods'), unit, 'what is given back settles nothing');
});

test('an object that is seen before its charge settles it all the same', (t) => {
  const charges = ledger();
  charges.settle('a', start, {pods: '1'}, start + 100);
  charges.observe({pods: '1'}, start + 200);
  t.is(charges.pending(start + 200).size, 0);
  charges.settle('b', start, {pods: '1'}, start + 300);
  charges.observe({pods: '2'}, start + 1900);
  t.is(charges.pending(start + 1900).get('pods'), unit, 'but not long before');
});

test('a charge that nothing settles expires, and that is told once', (t) => {
  const charges = ledger();
  charges.observe({pods: '1'}, start + 100);
  t.is(charges.firstExpiry(start + 200), start + 100 + life);
  t.false(charges.takeExpired(start + 200));
  const later = start + 100 + life;
  t.is(charges.firstExpiry(later), later, 'at once, as it is over');
  t.true(charges.takeExpired(later));
  t.false(charges.takeExpired(later));
  t.is(charges.firstExpiry(later), undefined);
});

test('objects from before the first count and old ones settle nothing', (t) => {
  const charges = ledger();
  charges.observe({pods: '1'}, start + 4000);
  t.false(charges.settle('early', start - 1000, {pods: '1'}, start + 4000));
  t.false(charges.settle('old', start, {pods: '1'}, start + 4000), 'its charge may have expired');
  t.is(charges.pending(start + 4000).get('pods'), unit);
});

test('after missed states everything in use may be on its way', (t) => {
  const charges = ledger('7');
  charges.distrust(start + 100);
  t.is(charges.pending(start + 100).get('pods'), 7n * unit);
  t.is(charges.pending(start + 100 + life).size, 0);
});
