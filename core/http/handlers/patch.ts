import {applyPatch} from '../../registry/write/patch.js';
import {readPatchBody} from '../body/patch-body.js';
import {readForce} from '../options/force.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {writeContext} from '../options/write-options.js';
import {keyOf, mayCreate, type ResourceHandler} from './resource-request.js';

/** PATCH of one object or of a subresource. */
export const servePatch: ResourceHandler = async (request) => {
  const {exchange, resource, services} = request;
  const {shape, served} = resource;
  const representation = negotiateObject(exchange, shape, services.naming);
  const context = writeContext(exchange, 'PatchOptions', services);
  const {kind, body} = await readPatchBody(exchange, served.version, context);
  const force = readForce(exchange, kind === applyPatch, services.naming);
  const {result, created} =
    kind === applyPatch
      ? await resource.apply(keyOf(exchange), body, force, context, mayCreate(request))
      : await resource.patch(keyOf(exchange), kind, body, context);
  await exchange.resume();
  await sendObject(exchange, created ? 201 : 200, result, shape, representation);
};
