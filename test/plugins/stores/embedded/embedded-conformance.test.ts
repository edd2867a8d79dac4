import test from 'ava';
import {storeConformance} from '../../../conformance/store/store-conformance.js';
import {exclusiveHarness, openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';

storeConformance(test, 'embedded', async (t) => {
  const dataDir = await temporaryDirectory(t);
  return exclusiveHarness(() => openEmbedded(dataDir), true);
});
