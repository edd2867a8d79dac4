import {patchObject} from '../../registry/patch-object.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {readPatchBody} from '../body/patch-body.js';
import {writeContext} from '../write-options.js';
import type {ResourceHandler} from './resource-request.js';

/** PATCH of one object or of a subresource. */
export const servePatch: ResourceHandler = async ({exchange, endpoint, services}) => {
  const {version, type} = endpoint;
  const {info} = exchange;
  const representation = negotiateObject(exchange, version, services.naming);
  const context = writeContext(exchange, 'PatchOptions', services);
  const {kind, body} = await readPatchBody(exchange, version, context);
  const target = {namespace: type.namespaced ? info.namespace : '', name: info.name, subresource: info.subresource};
  const {result, created} = await patchObject(endpoint, target, kind, body, context);
  await sendObject(exchange, created ? 201 : 200, result, version, representation);
};
