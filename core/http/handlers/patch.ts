import {applyObject} from '../../registry/write/apply-object.js';
import {applyPatch, patchObject} from '../../registry/write/patch-object.js';
import {viewOf} from '../../registry/views/subresource-view.js';
import {readPatchBody} from '../body/patch-body.js';
import {authorizationAttributes} from '../filters/authorize.js';
import {readForce} from '../force.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {writeContext} from '../write-options.js';
import {shapeOf, type ResourceHandler} from './resource-request.js';

/** PATCH of one object or of a subresource. */
export const servePatch: ResourceHandler = async (request) => {
  const {exchange, served, subresource, services} = request;
  const {version, type} = served;
  const {info} = exchange;
  const shape = shapeOf(request);
  const view = viewOf(served, subresource);
  const representation = negotiateObject(exchange, shape, services.naming);
  const context = writeContext(exchange, 'PatchOptions', services);
  const {kind, body} = await readPatchBody(exchange, version, context);
  const target = {namespace: type.namespaced ? info.namespace : '', name: info.name, subresource: info.subresource};
  const force = readForce(exchange, kind === applyPatch);
  const create = () => services.authorization.require({...authorizationAttributes(exchange), verb: 'create'});
  const {result, created} =
    kind === applyPatch
      ? await applyObject(served, target, {body, shape, force, ...(subresource ? {} : {create})}, context)
      : await patchObject(served, target, {mediaType: kind, body, shape, view}, context);
  await sendObject(exchange, created ? 201 : 200, view.show(result), shape, representation);
};
