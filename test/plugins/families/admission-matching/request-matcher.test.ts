import test from 'ava';
import {orch} from '../../../../core/api/naming/orch.js';
import {NamespaceLabels} from '../../../../plugins/families/admission-matching/namespace-labels.js';
import {RequestMatcher, type MatchCriteria} from '../../../../plugins/families/admission-matching/request-matcher.js';
import type {AdmissionForm, AdmissionRequest, ApiObject, ResourceClient} from '../../../../sdk/index.js';
import {admissionRequest} from '../../../helpers/admission-request.js';

/** A form by the text `resource`, `group/version/resource`. */
function form(text: string): AdmissionForm {
  const [resource = '', version = 'v1', group = ''] = text.split('/').reverse();
  return {kind: {group, version, kind: 'Thing'}, resource: {group, version, resource}};
}

const rule = (change: object = {}) => ({operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], ...change});
const matcher = (criteria: MatchCriteria) => new RequestMatcher(criteria, orch);

function found(criteria: MatchCriteria, place: string, change: Partial<AdmissionRequest> = {}): string | undefined {
  const [resource = '', subresource = ''] = place.split(':');
  const own = form(resource);
  const result = matcher(criteria).findForm(admissionRequest({forms: [own], resource: own.resource, subresource, ...change}));
  return result && `${result.resource.group}/${result.resource.version}/${result.resource.resource}`;
}

const isAsked = (change: object, place: string, more: Partial<AdmissionRequest> = {}) =>
  found({rules: [rule(change)]}, place, more) !== undefined;

test('a star stands for all operations, groups and versions, a name for itself alone [B-HOOK-10] [B-HOOK-11] [B-HOOK-12]', (t) => {
  for (const operation of ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const) {
    t.true(isAsked({}, 'pods', {operation}));
    t.is(isAsked({operations: ['CREATE', 'DELETE']}, 'pods', {operation}), operation === 'CREATE' || operation === 'DELETE', operation);
  }
  t.true(isAsked({apiGroups: ['']}, '/v1/pods'));
  t.false(isAsked({apiGroups: ['']}, 'apps/v1/deployments'));
  t.true(isAsked({apiGroups: ['apps'], apiVersions: ['v1', 'v2']}, 'apps/v1/deployments'));
  t.false(isAsked({apiGroups: ['apps'], apiVersions: ['v2']}, 'apps/v1/deployments'));
});

test('patterns of resources name resources, subresources or both [B-HOOK-13] [B-HOOK-14] [B-HOOK-15] [B-HOOK-16]', (t) => {
  const table: readonly [pattern: string, asked: readonly string[], notAsked: readonly string[]][] = [
    ['*', ['pods', 'nodes'], ['pods:status', 'nodes:proxy']],
    ['*/*', ['pods', 'pods:status', 'nodes:proxy'], []],
    ['pods', ['pods'], ['pods:status', 'nodes']],
    ['pods/*', ['pods:status', 'pods:exec'], ['nodes:status', 'nodes']],
    ['pods/exec', ['pods:exec'], ['pods', 'pods:status']],
    ['*/status', ['pods:status', 'nodes:status'], ['pods', 'pods:exec']],
  ];
  for (const [pattern, asked, notAsked] of table) {
    for (const place of asked) t.true(isAsked({resources: [pattern]}, place), `${pattern} ${place}`);
    for (const place of notAsked) t.false(isAsked({resources: [pattern]}, place), `${pattern} ${place}`);
  }
});

test('a scope is that of the object, for a subresource that of its parent; namespaces are cluster-scoped [B-HOOK-17] [B-HOOK-18]', (t) => {
  for (const [scope, inNamespace, inCluster] of [
    ['Namespaced', true, false],
    ['Cluster', false, true],
    ['*', true, true],
    [undefined, true, true],
  ] as const) {
    t.is(isAsked({scope, resources: ['*/*']}, 'pods'), inNamespace);
    t.is(isAsked({scope, resources: ['*/*']}, 'pods:status'), inNamespace);
    t.is(isAsked({scope, resources: ['*/*']}, 'nodes', {namespace: ''}), inCluster);
    t.is(isAsked({scope, resources: ['*/*']}, 'nodes:status', {namespace: ''}), inCluster);
    t.is(isAsked({scope, resources: ['*/*']}, 'namespaces', {namespace: ''}), inCluster);
  }
});

test('Exact wants the form of the request; Equivalent takes another form that a rule names, but the own one first [B-HOOK-23] [B-HOOK-24]', (t) => {
  const forms = ['example.com/v1/things', 'example.com/v2/things', 'other.com/v1/things'].map(form) as [AdmissionForm, ...AdmissionForm[]];
  const v2 = rule({apiGroups: ['example.com'], apiVersions: ['v2']});
  const other = rule({apiGroups: ['other.com']});
  const own = rule({apiVersions: ['v1']});
  const ask = (criteria: MatchCriteria) => found(criteria, '', {forms});
  t.is(ask({rules: [v2], matchPolicy: 'Exact'}), undefined);
  t.is(ask({rules: [v2], matchPolicy: 'Equivalent'}), 'example.com/v2/things');
  t.is(ask({rules: [v2]}), 'example.com/v2/things');
  t.is(ask({rules: [other, v2]}), 'other.com/v1/things');
  t.is(ask({rules: [v2, own]}), 'example.com/v1/things');
});

test('configurations of webhooks and policies are never matched', (t) => {
  const plurals = [
    'validatingwebhookconfigurations',
    'mutatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ];
  for (const plural of plurals) {
    t.false(isAsked({resources: ['*/*']}, `admissionregistration.orch/v1/${plural}`, {namespace: ''}));
    t.true(isAsked({resources: ['*/*']}, `example.com/v1/${plural}`, {namespace: ''}));
  }
});

test('rules may name objects, and what is excluded is not asked about', (t) => {
  const criteria = matcher({rules: [rule({resourceNames: ['a', 'b']})], excludedRules: [rule({resourceNames: ['b']})]});
  t.true(criteria.looksAtNames);
  t.truthy(criteria.findForm(admissionRequest(), 'a'));
  t.falsy(criteria.findForm(admissionRequest(), 'b'));
  t.falsy(criteria.findForm(admissionRequest(), 'c'));
  t.false(matcher({rules: [rule()]}).looksAtNames);
});

const labelled = (labels: Record<string, string>): ApiObject => ({metadata: {name: 'a', labels}});
const client = {
  get: (_ref: unknown, _namespace: string, name: string) => Promise.resolve(labelled({team: name})),
} as unknown as ResourceClient;
const selects = (criteria: MatchCriteria, change: Partial<AdmissionRequest>) =>
  matcher(criteria).selects(admissionRequest(change), new NamespaceLabels(client));

test('an object selector matches the object before or after; what cannot have labels is not matched [B-HOOK-19] [B-HOOK-20]', async (t) => {
  const objectSelector = {matchLabels: {hook: 'yes'}};
  const [yes, no] = [labelled({hook: 'yes'}), labelled({})];
  for (const [object, oldObject, expected] of [
    [yes, undefined, true],
    [no, undefined, false],
    [no, yes, true],
    [yes, no, true],
    [undefined, yes, true],
    [undefined, undefined, false],
    [{kind: 'PodExecOptions'} as unknown as ApiObject, undefined, false],
  ] as const)
    t.is(await selects({objectSelector}, {object, oldObject}), expected);
  // Nothing of what cannot have labels is excluded by a selector of absent ones either.
  t.false(await selects({objectSelector: {matchExpressions: [{key: 'a', operator: 'DoesNotExist'}]}}, {object: {} as ApiObject}));
  t.true(await selects({objectSelector: {}}, {object: undefined}));
});

test('a namespace selector looks at the namespace, of a Namespace at itself, and lets other cluster-scoped objects pass [B-HOOK-21] [B-HOOK-22]', async (t) => {
  const namespaceSelector = {matchLabels: {team: 'blue'}};
  t.true(await selects({namespaceSelector}, {namespace: 'blue'}));
  t.false(await selects({namespaceSelector}, {namespace: 'red'}));
  const {resource} = form('namespaces');
  const own = {resource, namespace: '', name: 'red'};
  t.true(await selects({namespaceSelector}, {...own, object: labelled({team: 'blue'})}));
  t.false(await selects({namespaceSelector}, {...own, object: labelled({team: 'green'}), oldObject: labelled({team: 'blue'})}));
  t.true(await selects({namespaceSelector}, {...own, object: undefined, oldObject: labelled({team: 'blue'})}));
  t.true(await selects({namespaceSelector}, {resource: form('nodes').resource, namespace: '', object: labelled({})}));
});
