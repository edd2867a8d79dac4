import test, {type ExecutionContext} from 'ava';
import {storeConformance} from '../../../../testing/conformance/index.js';
import {declareConformance} from '../../../conformance/declare-conformance.js';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';
import {remoteHarness} from './remote-harness.js';

declareConformance(
  test,
  'remote',
  storeConformance(async (t: ExecutionContext) => {
    const dataDir = await temporaryDirectory(t);
    return remoteHarness(t, () => openEmbedded(dataDir));
  }),
);
