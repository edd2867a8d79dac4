import test from 'ava';
import {cborDifferences} from './cbor-differences.js';
import {cborRelease, ownCborAnswers, readCborAnswers} from './cbor-servers.js';

test.serial(`requests in CBOR are answered as by kube-apiserver ${cborRelease}, byte strings, tags and messages included`, async (t) => {
  t.timeout(120_000);
  const real = readCborAnswers();
  const own = await ownCborAnswers(t);
  t.true(Object.keys(real).length > 250, `${Object.keys(real).length} requests`);
  t.deepEqual(Object.keys(own), Object.keys(real));
  const open = cborDifferences(real, own).filter(({known}) => known === undefined);
  t.deepEqual(open, [], 'npm run compare:cbor shows them');
});
