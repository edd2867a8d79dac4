import type {CompareRequest} from '../compare-request.js';
import type {KindContext, KnownType} from './request-kind.js';

const fixed = [
  '/',
  '',
  '/api',
  '/api/',
  '/apis',
  '/apis/',
  '/api/v1',
  '/api/v1/',
  '/api/v2',
  '/api/v1/nothing',
  '/api/v1/nothing/x',
  '/apis/nothing',
  '/apis/nothing/',
  '/apis/apps',
  '/apis/apps/',
  '/apis/apps/v1',
  '/apis/apps/v1/',
  '/apis/apps/v9',
  '/apis/apps/v9/deployments',
  '/apis/apps/v1/nothing',
  '/apis/apps/v1/namespaces/default/nothing',
  '/apis/apps/v1/namespaces/default/nothing/x',
  '/apis/nothing.example/v1',
  '/apis/nothing.example/v1/things',
  '/apis/nothing.example/v1/namespaces/default/things/x',
  '/nothing',
  '/healthz',
  '/healthz/',
  '/healthz/nothing',
  '/livez',
  '/livez/ping',
  '/livez/nothing',
  '/readyz',
  '/readyz/ping',
  '/readyz?verbose=1',
  '/version',
  '/version/',
  '/version/x',
  '/openapi',
  '/openapi/v2x',
  '/openapi/v3/nothing',
  '/openapi/v3/apis/nothing/v1',
  '/swagger.json',
  '/swaggerapi',
  '/logs',
  '/logs/',
  '/debug',
  '/debug/pprof',
  '/debug/flags/v',
  '/debug/nothing',
  '/metrics/nothing',
  '/metrics/',
  '/.well-known',
  '/.well-known/openid-configuration/',
  '/openid',
  '/openid/v1',
  '/openid/v1/jwks/',
  '/ui',
  '/static/x',
  '/index.html',
  '/favicon.ico',
  '/robots.txt',
  '//api/v1',
  '/api//v1',
  '/api/v1//pods',
  '/api/v1/namespaces//pods',
  '/api/./v1',
  '/api/../api/v1',
  '/api/v1/pods/../nodes',
  '/%61pi/v1',
  '/api%2Fv1',
  '/api/v1/namespaces/default/pods/%2e%2e',
  '/api/v1/namespaces/default/pods/a%2Fb',
  '/api/v1/namespaces/default/pods/a%00b',
  '/api/v1/namespaces/default/pods/a%20b',
  '/api/v1/namespaces/default/pods/A',
  '/api/v1/namespaces/default/pods/ü',
  '/api/v1/namespaces/de%20fault/pods',
  '/api/v1/namespaces/Default/pods',
  '/api/v1/namespaces/missing',
  '/api/v1/namespaces/missing/pods',
  '/api/v1/namespaces/missing/pods/x',
  '/api/v1/namespaces/default/nodes',
  '/api/v1/namespaces/default/nodes/x',
  '/api/v1/namespaces/default/namespaces',
  '/api/v1/pods/x',
  '/api/v1/pods/x/log',
  '/api/v1/namespaces/default',
  '/api/v1/namespaces/default/',
  '/api/v1/watch',
  '/api/v1/watch/',
  '/api/v1/watch/nothing',
  '/api/v1/watch/namespaces/default/nothing',
  '/api/v1/proxy',
  '/api/v1/proxy/nodes/x',
  '/api/v1/redirect/nodes/x',
  '/api/v1/bindings',
  '/api/v1/namespaces/default/bindings',
  '/api/v1/componentstatuses/nothing',
  '/api/v1/componentstatuses/etcd-0',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews/x',
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/authentication.k8s.io/v1/selfsubjectreviews/x',
  '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
  '/apis/extensions/v1beta1/deployments',
  '/apis/apps/v1beta1',
  '/apis/batch/v1beta1/cronjobs',
  '/apis/policy/v1beta1/podsecuritypolicies',
  '/apis/autoscaling/v2beta2',
  '/apis/networking.k8s.io/v1beta1/ingresses',
  '/apis/apiextensions.k8s.io/v1beta1',
  '/apis/rbac.authorization.k8s.io/v1beta1/roles',
  '/api/v1/namespaces/default/pods/base/nothing/else',
  '/api/v1/namespaces/default/pods/base/status/else',
  '/api/v1/namespaces/default/pods/base/',
  '/api/v1/namespaces/default/pods/',
  '/API/V1',
  '/Api/v1/Pods',
  '/api/v1/Pods',
  '/api/v1/pod',
  '/apis/Apps/v1',
  '/apis/apps/V1/deployments',
];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

function of({type, collection, object, title}: KnownType): CompareRequest[] {
  const found: CompareRequest[] = [];
  const add = (method: string, path: string, about: string) => found.push({method, path, about: `${title} ${about}`});
  for (const method of methods) {
    if (method !== 'DELETE') add(method, `${collection}/`, 'trailing slash');
    if (['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'].includes(method)) {
      add(method, collection, method);
      add(method, object, method);
    }
    // What is in a namespace has no objects without one, and the other way round.
    const other = type.namespaced ? `${type.root}/${type.resource}` : `${type.root}/namespaces/default/${type.resource}`;
    if (method !== 'DELETE') add(method, other, 'without its namespace');
    add(method, `${other}/missing`, 'without its namespace');
    add(method, `${object}/a/b/c`, 'too long');
  }
  for (const name of ['Not_Valid', 'a%20b', '%2e%2e', 'a%2Fb', 'x'.repeat(300), '%00', '-', 'a..b', ':', '%', '%zz', '~', '*'])
    add('GET', `${collection}/${name}`, `name ${name.slice(0, 20)}`);
  add('GET', `${type.root}/watch/${type.resource}?resourceVersion=x&timeoutSeconds=1`, 'watch');
  add('GET', `${collection.replace(type.root, `${type.root}/watch`)}/missing?resourceVersion=x&timeoutSeconds=1`, 'watch of one');
  return found;
}

/** Paths and methods, those that there are and others. */
export function pathRequests({types}: KindContext): CompareRequest[] {
  return [
    ...fixed.flatMap((path) => methods.filter((method) => method !== 'DELETE').map((method) => ({method, path, about: `paths ${path}`}))),
    ...types.flatMap(of),
  ];
}
