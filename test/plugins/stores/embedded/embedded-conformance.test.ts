import test, {type ExecutionContext} from 'ava';
import {storeConformance} from '@orch-api/orch/testing/conformance';
import {declareConformance} from '../../../conformance/declare-conformance.js';
import {exclusiveHarness, openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';

declareConformance(
  test,
  'embedded',
  storeConformance(async (t: ExecutionContext) => {
    const dataDir = await temporaryDirectory(t);
    return exclusiveHarness(() => openEmbedded(dataDir), true);
  }),
);
