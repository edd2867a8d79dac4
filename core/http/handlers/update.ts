import type {ApiObject} from '../../../sdk/index.js';
import {requireVersion, updateObject} from '../../registry/update-object.js';
import {readObject} from '../body/object-body.js';
import {authorizationAttributes} from '../filters/authorize.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {writeContext} from '../write-options.js';
import type {ResourceHandler} from './resource-request.js';

/** PUT of one object or of a subresource. */
export const serveUpdate: ResourceHandler = async ({exchange, endpoint, services}) => {
  const {version, type} = endpoint;
  const {info} = exchange;
  const representation = negotiateObject(exchange, version, services.naming);
  const context = writeContext(exchange, 'UpdateOptions', services);
  const decode = await readObject(exchange, version, services.naming, context);
  const change = {
    compute(current: ApiObject | undefined): ApiObject {
      const wanted = decode();
      if (current) requireVersion(endpoint, wanted);
      return wanted;
    },
    ...(type.behaviour.createOnUpdate && info.subresource === ''
      ? {create: () => services.authorization.require({...authorizationAttributes(exchange), verb: 'create'})}
      : {}),
  };
  const target = {namespace: type.namespaced ? info.namespace : '', name: info.name, subresource: info.subresource};
  const {result, created} = await updateObject(endpoint, target, change, context);
  await sendObject(exchange, created ? 201 : 200, result, version, representation);
};
