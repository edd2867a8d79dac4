import type {ApiObject} from '../../../sdk/index.js';
import {matchPath} from '../../registry/write/object-rules.js';
import {viewOf} from '../../registry/views/subresource-view.js';
import {requireVersion, updateObject} from '../../registry/write/update-object.js';
import {readObject} from '../body/object-body.js';
import {authorizationAttributes} from '../filters/authorize.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {writeContext} from '../write-options.js';
import {shapeOf, type ResourceHandler} from './resource-request.js';

/** PUT of one object or of a subresource. */
export const serveUpdate: ResourceHandler = async (request) => {
  const {exchange, served, subresource, services} = request;
  const {type} = served;
  const {info} = exchange;
  const shape = shapeOf(request);
  const view = viewOf(served, subresource);
  const representation = negotiateObject(exchange, shape, services.naming);
  const context = writeContext(exchange, 'UpdateOptions', services);
  const decode = await readObject(exchange, shape, services.naming, context);
  const target = {namespace: type.namespaced ? info.namespace : '', name: info.name, subresource: info.subresource};
  let first: ApiObject | undefined = decode();
  matchPath(served, first, target);
  const change = {
    uid: first.metadata.uid,
    compute(current: ApiObject | undefined): ApiObject {
      const body = first ?? decode();
      first = undefined;
      if (!current) return body;
      if (view.needsVersion) requireVersion(served, body);
      return view.merge(current, body);
    },
    ...(type.behaviour.createOnUpdate && !subresource
      ? {create: () => services.authorization.require({...authorizationAttributes(exchange), verb: 'create'})}
      : {}),
  };
  const {result, created} = await updateObject(served, target, change, context);
  await sendObject(exchange, created ? 201 : 200, view.show(result), shape, representation);
};
