import test from 'ava';
import {orch} from '../../../../core/api/naming/orch.js';
import {AdmissionChain} from '../../../../core/registry/admission/admission-chain.js';

const request = {
  operation: 'CREATE',
  resource: {group: '', version: 'v1', resource: 'configmaps'},
  subresource: '',
  beginNextRound: () => false,
} as unknown as Parameters<AdmissionChain['admit']>[0];

test('nothing passes an admission chain that has no controllers yet', async (t) => {
  const chain = new AdmissionChain(orch);
  await t.throwsAsync(chain.admit(request), {message: /from start on, not in constructors/});
  chain.install([]);
  t.false(await chain.admit(request));
});
