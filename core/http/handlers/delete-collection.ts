import type {Status} from '../../../sdk/index.js';
import {listMetadata} from '../../registry/read/list-metadata.js';
import {parseDeleteOptions} from '../../registry/write/delete-options.js';
import {readDeleteOptions} from './options-body.js';
import {listRequest} from '../options/list-options.js';
import {sendStatus} from '../representation/status.js';
import {writeContext} from '../options/write-options.js';
import type {ResourceHandler} from './resource-request.js';

/** DELETE of a collection: everything that a list with the same parameters would return. With a limit, the Status says how to continue. */
export const serveDeleteCollection: ResourceHandler = async ({exchange, resource, services}) => {
  const {served} = resource;
  const {type} = served;
  const request = listRequest(exchange.query);
  const context = writeContext(exchange, 'DeleteOptions', services, served);
  const options = parseDeleteOptions(await readDeleteOptions(exchange, services), exchange.query, served, 'collection');
  const list = await resource.deleteCollection(exchange.info.namespace, request, options, context);
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: list.continueToken === undefined ? {} : listMetadata(list),
    status: 'Success',
    details: {...(type.group ? {group: type.group} : {}), kind: type.plural},
    code: 200,
  };
  await sendStatus(exchange, status, services.naming);
};
