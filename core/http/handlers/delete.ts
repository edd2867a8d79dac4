import {forbidden, type Status} from '../../../sdk/index.js';
import type {WriteContext} from '../../registry/request-context.js';
import {parseDeleteOptions} from '../../registry/write/delete-options.js';
import {readDeleteOptions} from './options-body.js';
import {negotiateObject, sendObject} from '../representation/object.js';
import {sendStatus} from '../representation/status.js';
import {writeContext} from '../options/write-options.js';
import {keyOf, type ResourceHandler, type ResourceRequest} from './resource-request.js';

/**
 * DELETE of one object: a Status if it is gone, the object if something delays its deletion (docs/semantics/deletion.md#answers); 202 if
 * the client asked for dependents to be deleted too.
 */
export const serveDelete: ResourceHandler = async ({exchange, resource, services}) => {
  const {version, type} = resource.served;
  const representation = negotiateObject(exchange, version, services.naming);
  const context = writeContext(exchange, 'DeleteOptions', services, resource.served);
  const options = parseDeleteOptions(await readDeleteOptions(exchange, services), exchange.query, resource.served);
  if (options.ignoreStoreReadError) return deleteUnreadable({exchange, resource, services}, context);
  const {removed, result} = await resource.delete(keyOf(exchange), options, context);
  await exchange.resume();
  if (!removed) return sendObject(exchange, options.orphanDependents === false ? 202 : 200, result, version, representation);
  if (type.behaviour.deleteReturnsObject) return sendObject(exchange, 200, result, version, representation);
  const {name = '', uid} = result.object().metadata;
  const status: Omit<Status, 'code'> = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {name, ...(type.group ? {group: type.group} : {}), kind: type.plural, ...(uid ? {uid} : {})},
  };
  await sendStatus(exchange, status, services.naming);
};

const unsafeVerb = 'unsafe-delete-ignore-read-errors';

/** Whoever may delete an object may not yet do that without knowing what it is: it is a permission of its own, and audited. @throws 403 */
async function deleteUnreadable({exchange, resource, services}: ResourceRequest, context: WriteContext): Promise<void> {
  const {type} = resource.served;
  const {name} = exchange.info;
  exchange.annotate(services.naming.key('apiserver.orch/unsafe-delete-ignore-read-error'), '');
  const {decision, reason} = await services.authorization.decide({...services.authorization.attributesOf(exchange), verb: unsafeVerb});
  if (decision !== 'allow')
    throw forbidden(
      {group: type.group, resource: type.plural, name},
      `not permitted to do ${JSON.stringify(unsafeVerb)}, reason: ${reason ?? ''}`,
    );
  await resource.deleteUnreadable(keyOf(exchange), context);
  await exchange.resume();
  const status: Status = {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: {name, kind: type.kind}, code: 200};
  await sendStatus(exchange, status, services.naming);
}
