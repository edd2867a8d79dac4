import test from 'ava';
import fc from 'fast-check';
import {isDeclared, isOfType, pathOf, readCall} from '../../../plugins/console/browser/api/view-calls.js';

const target = {group: 'apps', version: 'v1', resource: 'deployments', namespace: 'shop', name: 'web'};

test('a call of a view becomes a request of the API', (t) => {
  const path = (action: string, more: object = {}) => {
    const call = readCall({action, target: {...target, ...more}});
    return `${call.verb} ${pathOf(call)}`;
  };
  t.is(path('get'), 'get /apis/apps/v1/namespaces/shop/deployments/web');
  t.is(path('get', {name: ''}), 'list /apis/apps/v1/namespaces/shop/deployments');
  t.is(path('delete', {name: ''}), 'deletecollection /apis/apps/v1/namespaces/shop/deployments');
  t.is(path('get', {group: '', resource: 'pods', subresource: 'log'}), 'get /api/v1/namespaces/shop/pods/web/log');
  t.is(path('get', {query: {labelSelector: 'a=b&c'}}), 'get /apis/apps/v1/namespaces/shop/deployments/web?labelSelector=a%3Db%26c');
});

test('whatever a view sends, it gets no further than the path of an object', (t) => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '..',
      '.',
      '',
      '../..',
      '%2e%2e',
      '..%2f',
      '/',
      '\\',
      'a/b',
      '//example.com',
      'https:',
      'console',
      '?',
      '#',
      '\n',
      '..;',
    ),
  );
  const value = fc.oneof(part, fc.anything());
  const parts = fc.record({
    group: fc.oneof(fc.constant('apps'), value),
    version: fc.oneof(fc.constant('v1'), value),
    resource: fc.oneof(fc.constant('pods'), value),
    namespace: part,
    name: part,
    subresource: fc.oneof(fc.constant('log'), value),
  });
  fc.assert(
    fc.property(
      fc.constantFrom('get', 'create', 'update', 'patch', 'delete', 'open', 'constructor'),
      fc.oneof(parts, fc.anything()),
      (action, asked) => {
        let call;
        try {
          call = readCall({action, target: asked});
        } catch {
          return;
        }
        const {origin, pathname, hash} = new URL(pathOf(call), 'https://server.example');
        t.is(origin, 'https://server.example');
        t.is(hash, '');
        t.regex(pathname, /^\/(?:api|apis\/[^/]+)\/v[^/]+\/[^/]+/);
        t.is(pathname.split('/').includes('..'), false);
      },
    ),
    {numRuns: 2000},
  );
});

test('a view asks for objects of types that the server has, and for nothing that does not end', (t) => {
  const type = {...target, kind: 'Deployment', namespaced: true, verbs: ['get'], shortNames: [], subresources: ['scale', 'log']};
  const namespaces = {...type, group: '', resource: 'namespaces', namespaced: false, subresources: ['status', 'finalize']};
  const fits = (more: object, of: typeof type | undefined) => isOfType(readCall({action: 'get', target: {...target, ...more}}), of);
  t.true(fits({}, type));
  t.true(fits({subresource: 'scale'}, type));
  t.false(fits({subresource: 'status'}, type));
  t.false(fits({}, undefined));
  const inNamespace = {group: '', resource: 'namespaces', namespace: '', name: 'shop'};
  t.true(fits(inNamespace, namespaces));
  t.false(fits({...inNamespace, subresource: 'secrets'}, namespaces), 'these are objects of another type');
  t.false(fits({...inNamespace, namespace: 'shop', name: 'secrets'}, namespaces));
  for (const more of [{query: {watch: '1'}}, {query: {follow: 'true'}}, {name: '', subresource: 'scale'}])
    t.throws(() => readCall({action: 'get', target: {...target, ...more}}));
});

test('a view may ask for what its manifest declares', (t) => {
  const may = (rule: object, action = 'get', more: object = {}) =>
    isDeclared(readCall({action, target: {...target, ...more}}), [
      {verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], ...rule},
    ]);
  t.true(may({}));
  t.false(may({}, 'delete'));
  t.false(may({}, 'get', {name: ''}), 'to list is another verb');
  t.false(may({}, 'get', {subresource: 'scale'}));
  t.true(may({resources: ['deployments/scale']}, 'get', {subresource: 'scale'}));
  t.false(may({}, 'get', {group: ''}));
  t.false(may({resourceNames: ['other']}));
  t.true(may({verbs: ['*'], apiGroups: ['*'], resources: ['*']}, 'patch'));
  t.false(isDeclared(readCall({action: 'get', target}), []));
});
