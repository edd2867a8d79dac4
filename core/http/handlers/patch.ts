import {isApplyPatch} from '../../registry/write/patch.js';
import {patchKind, readPatchBody} from '../body/patch-body.js';
import {forceFaults, readForce} from '../options/force.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {writeContext} from '../options/write-options.js';
import {keyOf, mayCreate, type ResourceHandler} from './resource-request.js';

/** PATCH of one object or of a subresource. */
export const servePatch: ResourceHandler = async (request) => {
  const {exchange, resource, services} = request;
  const {shape, served} = resource;
  const representation = negotiateObject(exchange, shape, services.naming);
  const kind = patchKind(exchange, served.version);
  const isApply = isApplyPatch(kind);
  const context = writeContext(exchange, 'PatchOptions', services, served, forceFaults(exchange.query, isApply));
  const body = await readPatchBody(exchange, kind, context);
  const {result, created} = isApply
    ? await resource.apply(keyOf(exchange), body, readForce(exchange.query), context, mayCreate(request))
    : await resource.patch(keyOf(exchange), kind, body, context);
  await exchange.resume();
  await sendObject(exchange, created ? 201 : 200, result, shape, representation);
};
