import test from 'ava';
import {selectorOptions} from '../../../sdk/labels/stored-selector.js';
import {CsiStorageCapacityStrategy} from '../../../plugins/resources/storage/csi-storage-capacity-strategy.js';
import {PodDisruptionBudgetStrategy} from '../../../plugins/resources/policy/plugin.js';
import {ExpressionFaults} from '../../../plugins/resources/admissionregistration/expression-faults.js';
import {StaticNames} from '../../../plugins/families/admission-matching/static-names.js';
import {orch} from '../../../core/api/naming/orch.js';
import {ValidatingWebhookConfigurationStrategy} from '../../../plugins/resources/admissionregistration/validating-webhook-configuration-strategy.js';
import {CooperativeScheduler} from '../../../sdk/index.js';
import {context} from '../../plugins/memory-resources.js';

const valid = {matchExpressions: [{key: 'app', operator: 'In', values: ['web']}]};
const stale = {matchExpressions: [{key: 'app', operator: 'In', values: ['not a label']}]};

test('values of a selector are checked unless a stored selector breaks the rule already', (t) => {
  t.deepEqual(selectorOptions(), {allowInvalidValues: false});
  t.deepEqual(selectorOptions(undefined, valid), {allowInvalidValues: false});
  t.deepEqual(selectorOptions(valid, stale), {allowInvalidValues: true});
});

const hook = (namespaceSelector: object) => ({
  metadata: {name: 'stored'},
  webhooks: [
    {name: 'a.b.c', clientConfig: {url: 'https://a.example'}, sideEffects: 'None', admissionReviewVersions: ['v1'], namespaceSelector},
  ],
});
const changes: readonly [title: string, faults: (object: typeof valid, old: typeof valid) => unknown][] = [
  [
    'a disruption budget',
    (selector, old) =>
      new PodDisruptionBudgetStrategy({enabled: () => false}).validateUpdate(
        {metadata: {}, spec: {selector}},
        {metadata: {}, spec: {selector: old}},
        context('', ''),
      ),
  ],
  [
    'a webhook configuration',
    (selector, old) =>
      new ValidatingWebhookConfigurationStrategy(
        new ExpressionFaults({scope: () => Promise.reject(new Error('no expressions are expected'))}, new CooperativeScheduler(), {
          enabled: () => false,
        }),
        new StaticNames(orch, {enabled: () => false}),
      ).validateUpdate(hook(selector), hook(old), context('', '')),
  ],
  [
    'a storage capacity',
    (nodeTopology, old) =>
      new CsiStorageCapacityStrategy().validateUpdate(
        {metadata: {}, storageClassName: 'a', nodeTopology},
        {metadata: {}, storageClassName: 'a', nodeTopology: old},
      ),
  ],
];
for (const [title, faults] of changes) {
  test(`${title} that was stored with values that no label can have stays updatable`, async (t) => {
    t.deepEqual(await faults(stale, stale), []);
    t.notDeepEqual(await faults(stale, valid), []);
  });
}
