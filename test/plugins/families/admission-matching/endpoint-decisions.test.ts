import test from 'ava';
import {orch} from '../../../../core/api/naming/orch.js';
import {EndpointDecisions} from '../../../../plugins/families/admission-matching/endpoint-decisions.js';
import {NamedList} from '../../../../plugins/families/admission-matching/followed-objects.js';
import {RequestMatcher} from '../../../../plugins/families/admission-matching/request-matcher.js';
import type {AdmissionForm, AdmissionRequest} from '../../../../sdk/index.js';
import {admissionRequest} from '../../../helpers/admission-request.js';

/** Rules for resources by name, what requests match of them, and which have been looked at. */
function setUp() {
  let matchers: NamedList<RequestMatcher> = NamedList.empty;
  const looked: string[] = [];
  const decisions = new EndpointDecisions<string, string>({
    names: () => matchers.names,
    decide(name, request) {
      looked.push(name);
      return matchers.get(name)?.findForm(request) && name;
    },
    join: (found) => found.join(),
  });
  /** @param resource undefined for one that goes */
  const change = (name: string, resource: string | undefined) => {
    const rules = resource === undefined ? undefined : [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [resource]}];
    matchers = matchers.with(name, rules && new RequestMatcher({rules}, orch));
    decisions.changed(name);
  };
  return {decisions, change, looks: () => looked.splice(0)};
}

function requestOf(resource: string, operation: AdmissionRequest['operation'] = 'CREATE'): AdmissionRequest {
  const own: AdmissionForm = {kind: {group: '', version: 'v1', kind: 'Thing'}, resource: {group: '', version: 'v1', resource}};
  return admissionRequest({forms: [own], resource: own.resource, operation});
}

test('of many objects those that have changed are looked at alone, once the endpoint is asked for', (t) => {
  const {decisions, change, looks} = setUp();
  for (let index = 100; index < 200; index += 1) change(`other-${index}`, 'nodes');
  change('b', 'pods');
  const [pods, nodes] = [requestOf('pods'), requestOf('nodes')];
  t.is(decisions.of(pods), 'b');
  t.is(looks().length, 101);

  change('c', 'pods');
  change('a', 'pods');
  change('d', 'nodes');
  change('c', '*');
  t.deepEqual(looks(), []);
  t.is(decisions.of(pods), 'a,b,c');
  t.deepEqual(looks().toSorted(), ['a', 'c', 'd']);
  t.is(decisions.of(pods), 'a,b,c');
  t.deepEqual(looks(), []);

  change('b', undefined);
  change('a', 'nodes');
  t.is(decisions.of(pods), 'c');
  t.deepEqual(looks().toSorted(), ['a', 'b']);
  t.true(decisions.of(nodes).startsWith('a,c,d,other-100,'));
  t.is(looks().length, 103);
});

test('what an answer was made of stays as it was when objects change', (t) => {
  let list = NamedList.of(['b', 'a'], (name) => name.toUpperCase());
  const {values} = list;
  list = list.with('c', 'C').with('a', undefined).with('b', 'x').with('gone', undefined);
  t.deepEqual(values, ['A', 'B']);
  t.deepEqual(list.names, ['b', 'c']);
  t.deepEqual(list.values, ['x', 'C']);
  t.is(list.with('gone', undefined), list);
  t.is(list.get('a'), undefined);
});

test('an endpoint that was not asked for through very many changes is decided anew', (t) => {
  const {decisions, change, looks} = setUp();
  const [pods, updates] = [requestOf('pods'), requestOf('pods', 'UPDATE')];
  change('a', 'pods');
  t.is(decisions.of(pods), 'a');
  looks();
  for (let index = 0; index < 2000; index += 1) {
    change('b', index % 2 === 0 ? 'pods' : 'nodes');
    if (index % 100 === 0) t.is(decisions.of(updates), 'a,b');
  }
  looks();
  t.is(decisions.of(pods), 'a');
  t.deepEqual(looks(), ['a', 'b']);
  change('c', 'pods');
  t.is(decisions.of(pods), 'a,c');
  t.deepEqual(looks(), ['c']);
});
