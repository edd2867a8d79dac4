import test from 'ava';
import {storeConformance} from '../../../conformance/store/store-conformance.js';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';
import {remoteHarness} from './remote-harness.js';

storeConformance(test, 'remote', async (t) => {
  const dataDir = await temporaryDirectory(t);
  return remoteHarness(t, () => openEmbedded(dataDir));
});
