import test from 'ava';
import {storeConformance} from '@orch-api/orch/testing/conformance';
import {declareConformance} from '../../../conformance/declare-conformance.js';
import {exclusiveHarness, openMemory} from '../../../helpers/store-embedded.js';

declareConformance(
  test,
  'memory',
  storeConformance(async () => exclusiveHarness(() => openMemory(), false)),
);
