import test from 'ava';
import {storeConformance} from '../../../conformance/store/store-conformance.js';
import {exclusiveHarness, openMemory} from '../../../helpers/store-embedded.js';

storeConformance(test, 'memory', async () => exclusiveHarness(() => openMemory(), false));
