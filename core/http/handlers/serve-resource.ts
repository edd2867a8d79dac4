import {methodNotAllowed, notFound, pathNotFound, type StatusError, type ResourceVerb} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {Registry} from '../../registry/registry.js';
import type {Resource} from '../../registry/resource.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {methodNotServed} from '../response/http-errors.js';
import {respondNothingThere} from '../response/respond.js';
import type {RequestFigures} from '../metrics/request-figures.js';
import {serveConnect} from './connect.js';
import {serveCreate} from './create.js';
import {serveDelete} from './delete.js';
import {serveDeleteCollection} from './delete-collection.js';
import {serveGet} from './get.js';
import {serveList} from './list.js';
import {servePatch} from './patch.js';
import type {ResourceHandler, ResourceServices} from './resource-request.js';
import {serveUpdate} from './update.js';
import {serveWatch} from './watch.js';

const handlers: Readonly<Record<ResourceVerb, ResourceHandler>> = {
  get: serveGet,
  list: serveList,
  watch: serveWatch,
  create: serveCreate,
  update: serveUpdate,
  patch: servePatch,
  delete: serveDelete,
  deletecollection: serveDeleteCollection,
};

/**
 * Serves requests below `/api` and `/apis` that name a resource: finds the type, checks that it supports the verb, and calls the handler.
 */
export function serveResource(
  registry: Registry,
  services: ResourceServices,
  figures: RequestFigures,
): (exchange: AuthenticatedExchange) => Promise<void> {
  return (exchange) => {
    const {info} = exchange;
    const version = registry.catalog.find(info.group, info.version, info.resource);
    if (!version) return unknownResource(registry, exchange);
    const resource = registry.resource(version, info.subresource);
    if (!resource) throw noSubresource(version, exchange);
    exchange.resource = resource;
    checkScope(resource, exchange);
    checkVerb(resource, exchange);
    const {deprecationWarning} = version;
    if (deprecationWarning !== undefined) {
      exchange.warn(deprecationWarning);
      if (exchange.audit) noteDeprecation(exchange, version, services);
      figures.deprecated(info, version.definition.lifetime?.removed ?? '');
    }
    const serve = resource.subresource?.definition.connect ? serveConnect : handlers[info.verb as ResourceVerb];
    return serve({exchange, resource, services});
  };
}

/** For the audit log (docs/semantics/deprecation.md). */
function noteDeprecation(exchange: AuthenticatedExchange, {definition}: ResourceTypeVersion, {naming}: ResourceServices): void {
  exchange.annotate(naming.key('orch/deprecated'), 'true');
  const removed = definition.lifetime?.removed;
  if (removed !== undefined) exchange.annotate(naming.key('orch/removed-release'), removed);
}

/** An unknown group, or version of a group with nothing but custom resources, is answered in plain text, as Kubernetes does; another with a Status. */
async function unknownResource({catalog}: Registry, exchange: AuthenticatedExchange): Promise<void> {
  const {group, version} = exchange.info;
  const versions = catalog.groups().find((one) => one.group === group)?.versions ?? [];
  const isCustom = versions.every(({types}) => types.every(({type}) => type.origin === 'custom'));
  const isKnown = catalog.hasGroup(group) && (!isCustom || versions.some((one) => one.version === version));
  if (isKnown) throw pathNotFound();
  respondNothingThere(exchange);
}

/** Custom resources are looked up by one handler, which names the object. */
function noSubresource({type}: ResourceTypeVersion, {info}: AuthenticatedExchange): StatusError {
  return type.origin === 'custom' ? notFound({group: type.group, resource: type.plural, name: info.name}) : pathNotFound();
}

/** Types that are built in have no route for what they do not serve. */
function notServed({type}: ResourceTypeVersion, resource: string, verb: string): StatusError {
  // Custom resources have one route, which names the type where it is a subresource, too.
  return type.origin === 'custom' ? methodNotAllowed({group: type.group, resource: resource.split('/', 1)[0]!}, verb) : methodNotServed();
}

/**
 * A namespaced type is addressed below a namespace, a cluster-scoped one is not; across all namespaces only list and watch are served, and
 * operations that take the namespace from their body.
 */
function checkScope({served: {type, version}, subresource}: Resource, {info}: AuthenticatedExchange): void {
  if (info.rest.length > 0 && !subresource?.definition.connect) throw pathNotFound();
  if (!type.namespaced) {
    if (info.inNamespace) throw pathNotFound();
    return;
  }
  if (info.inNamespace) return;
  if (info.segments.length > (info.group === '' ? 3 : 4)) throw pathNotFound();
  if (info.verb !== 'list' && info.verb !== 'watch') {
    throw notServed(version, type.plural, info.verb);
  }
}

function checkVerb({served: {type, version}, subresource}: Resource, {info, method}: AuthenticatedExchange): void {
  if (subresource) {
    const {verbs = ['get', 'patch', 'update'], connect} = subresource.definition;
    // What takes every verb, a proxy, takes every method.
    const takesAll = connect && verbs.includes('delete');
    const fits = method === 'OPTIONS' ? takesAll : (verbs as readonly string[]).includes(info.verb) && (method !== 'HEAD' || takesAll);
    if (!fits) throw notServed(version, `${type.plural}/${subresource.name}`, info.verb);
    return;
  }
  const named = info.segments.length > (info.group === '' ? 3 : 4) + (info.inNamespace ? 2 : 0);
  const fits = verbFitsPath(method, named);
  if (!fits || !type.verbs.includes(info.verb as ResourceVerb)) throw notServed(version, type.plural, info.verb);
}

/** POST is for collections, PUT and PATCH for one object; the others are for both. HEAD is not served, as in Kubernetes. */
function verbFitsPath(method: string, named: boolean): boolean {
  if (method === 'POST') return !named;
  if (method === 'PUT' || method === 'PATCH') return named;
  return method === 'GET' || method === 'DELETE';
}
