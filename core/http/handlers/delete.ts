import type {Status} from '../../../sdk/index.js';
import {parseDeleteOptions} from '../../registry/write/delete-options.js';
import {readDeleteOptions} from './options-body.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {sendStatus} from '../representation/status.js';
import {writeContext} from '../options/write-options.js';
import {keyOf, type ResourceHandler} from './resource-request.js';

/**
 * DELETE of one object: a Status if it is gone, the object if something delays its deletion (docs/semantics/deletion.md#answers); 202 if
 * the client asked for dependents to be deleted too.
 */
export const serveDelete: ResourceHandler = async ({exchange, resource, services}) => {
  const {version, type} = resource.served;
  const representation = negotiateObject(exchange, version, services.naming);
  const context = writeContext(exchange, 'DeleteOptions', services);
  const options = parseDeleteOptions(await readDeleteOptions(exchange, services), exchange.query);
  const {removed, result} = await resource.delete(keyOf(exchange), options, context);
  await exchange.resume();
  if (!removed) return sendObject(exchange, options.orphanDependents === false ? 202 : 200, result, version, representation);
  if (type.behaviour.deleteReturnsObject) return sendObject(exchange, 200, result, version, representation);
  const {name = '', uid} = result.object().metadata;
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {name, ...(type.group ? {group: type.group} : {}), kind: type.plural, ...(uid ? {uid} : {})},
    code: 200,
  };
  await sendStatus(exchange, status, services.naming);
};
