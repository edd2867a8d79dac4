import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {load} from 'js-yaml';
import test from 'ava';
import {kubernetes} from '../../../core/api/naming/kubernetes.js';
import {orch} from '../../../core/api/naming/orch.js';
import {AuditPolicy} from '../../../core/registry/audit/audit-policy.js';
import {createServer} from '@orch-api/orch';
import {parseAuditPolicy} from '../../../core/audit/parse-audit-policy.js';
import {projectRoot} from '../../helpers/project-root.js';
import {policyFile} from '../../helpers/audit-log.js';

const head = {apiVersion: 'audit.orch/v1', kind: 'Policy'};
const faultsOf = (policy: object) => parseAuditPolicy(policy, orch).faults.map(({path, text}) => `${path} ${text}`);

test('all faults of a policy are told at once, and the server does not start', async (t) => {
  const rules = [
    {level: 'All', verbs: 'get', more: 1},
    {resources: [{group: 'apps/v1', resourceNames: ['a']}], nonResourceURLs: ['healthz', '/a*b', '*']},
    {level: 'None', omitStages: ['Later'], omitManagedFields: 'no', namespaces: [1]},
  ];
  const expected = [
    'omitStages[0] must be one of RequestReceived, ResponseStarted, ResponseComplete, Panic',
    'rules[0].more is not known',
    'rules[0].level must be one of None, Metadata, Request, RequestResponse',
    'rules[0].verbs must be a list',
    'rules[1].level must be one of None, Metadata, Request, RequestResponse',
    'rules[1].resources[0].group must be the name of an API group without its version, or "" for the core group',
    'rules[1].resources[0].resourceNames needs resources beside it',
    'rules[1].nonResourceURLs[0] must begin with /',
    'rules[1].nonResourceURLs[1] may have * as its last character only',
    'rules[1].nonResourceURLs cannot be given together with resources or namespaces',
    'rules[2].namespaces[0] must be a string',
    'rules[2].omitStages[0] must be one of RequestReceived, ResponseStarted, ResponseComplete, Panic',
    'rules[2].omitManagedFields must be true or false',
  ];
  t.deepEqual(faultsOf({...head, omitStages: ['x'], rules}), expected);
  const error = await t.throwsAsync(createServer({store: 'memory', auditPolicyFile: policyFile(t, {omitStages: ['x'], rules})}));
  for (const text of expected) t.true(error.message.includes(text), text);
});

test('a policy has a version and a kind by the naming profile, and at least one rule', (t) => {
  t.deepEqual(faultsOf({apiVersion: 'audit.k8s.io/v1', kind: 'Rules', rules: []}), [
    'apiVersion must be audit.orch/v1',
    'kind must be Policy',
    'rules must be a list with at least one item',
  ]);
  t.deepEqual(parseAuditPolicy({apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{level: 'None'}]}, kubernetes).faults, []);
});

test('the policy that is shipped never records bodies of Secrets, ConfigMaps and token reviews', (t) => {
  const {rules, faults} = parseAuditPolicy(load(readFileSync(join(projectRoot(), 'docs', 'audit-policy.yaml'), 'utf8')), orch);
  t.deepEqual(faults, []);
  const policy = new AuditPolicy(rules);
  const levelOf = (verb: string, group: string, resource: string, subresource = '') =>
    policy.decide({verb, isResourceRequest: true, path: '/', group, resource, subresource, namespace: 'default', name: 'a'})?.level ??
    'None';
  for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']) {
    for (const [group, resource, subresource] of [
      ['', 'secrets'],
      ['', 'configmaps'],
      ['authentication.orch', 'tokenreviews'],
      ['', 'serviceaccounts', 'token'],
    ] as const)
      t.is(levelOf(verb, group, resource, subresource), 'Metadata', `${verb} ${resource}`);
  }
  t.is(levelOf('create', '', 'pods'), 'Request');
  t.is(levelOf('list', '', 'pods'), 'Metadata');
  t.is(levelOf('update', 'coordination.orch', 'leases'), 'None');
});
