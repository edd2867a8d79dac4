import test, {type ExecutionContext} from 'ava';
import {storeConformance} from '../../../../sdk/testing/conformance/index.js';
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
