import test from 'ava';
import {standardFinalizers} from '../../../../core/api/metadata/finalizers.js';
import {resolveNaming} from '../../../../core/options/resolve-naming.js';

const cases = {
  orch: ['orphan', 'foregroundDeletion', 'orch', 'customresourcecleanup.apiextensions.orch'],
  kubernetes: ['orphan', 'foregroundDeletion', 'kubernetes', 'customresourcecleanup.apiextensions.k8s.io'],
};

for (const [platform, names] of Object.entries(cases)) {
  test(`finalizers that need no domain are the platform's own, as that of definitions (${platform})`, (t) => {
    t.deepEqual([...standardFinalizers(resolveNaming(platform, undefined))], names);
  });
}
