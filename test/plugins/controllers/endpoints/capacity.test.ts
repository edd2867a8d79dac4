import test from 'ava';
import {countAddresses, truncated} from '../../../../plugins/controllers/endpoints/capacity.js';

const addresses = (count: number) => Array.from({length: count}, (_, index) => ({ip: `10.0.${index >> 8}.${index & 255}`}));

test('up to a thousand addresses stay', (t) => {
  t.is(truncated([{addresses: addresses(600), notReadyAddresses: addresses(400)}]), undefined);
});

test('of more addresses those that are not ready go first, each subset gives its share', (t) => {
  const [first, second] = truncated([
    {addresses: addresses(500), notReadyAddresses: addresses(600)},
    {addresses: addresses(300), notReadyAddresses: addresses(200)},
  ])!;
  t.is(countAddresses([first!, second!]), 1000);
  t.deepEqual([first!.addresses!.length, second!.addresses!.length], [500, 300]);
  t.deepEqual([first!.notReadyAddresses!.length, second!.notReadyAddresses!.length], [150, 50]);
});

test('of too many ready addresses each subset keeps its share, and none that is not ready', (t) => {
  const cut = truncated([{addresses: addresses(1500), notReadyAddresses: addresses(5)}, {addresses: addresses(500)}])!;
  t.deepEqual(
    cut.map((subset) => subset.addresses!.length),
    [750, 250],
  );
  t.true(cut.every(({notReadyAddresses = []}) => notReadyAddresses.length === 0));
});
