import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {test} from 'node:test';
import {authenticatorConformance} from '@orch-api/orch/testing/conformance';
import {ApiKeys} from './plugin.js';

const sha256 = createHash('sha256').update('open-sesame').digest('hex');
const suite = authenticatorConformance({
  create: () => new ApiKeys({header: 'x-api-key', keys: [{sha256, username: 'ada', groups: ['staff']}]}),
  known: [{credentials: {headers: {'x-api-key': 'open-sesame'}}, username: 'ada', groups: ['staff']}],
  refused: [{headers: {'x-api-key': 'guess'}}],
});
for (const {title, run} of suite) test(title, run);

test('what the suite has tried', () => assert.ok(suite.length >= 5));
