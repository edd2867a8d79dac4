import type {Status} from '../../../sdk/index.js';
import {deleteCollection} from '../../registry/write/delete-collection.js';
import {parseDeleteOptions} from '../../registry/write/delete-options.js';
import {readDeleteOptions} from '../body/options-body.js';
import {listQuery, parseListParameters} from '../list-options.js';
import {listMetadata} from '../representation/list.js';
import {sendStatus} from '../representation/status.js';
import {writeContext} from '../write-options.js';
import type {ResourceHandler} from './resource-request.js';

/** DELETE of a collection: everything that a list with the same parameters would return. With a limit, the Status says how to continue. */
export const serveDeleteCollection: ResourceHandler = async ({exchange, served, services}) => {
  const {version, type} = served;
  const query = listQuery(parseListParameters(exchange.query, version, 'list'), served, exchange.info.namespace);
  const context = writeContext(exchange, 'DeleteOptions', services);
  const options = parseDeleteOptions(await readDeleteOptions(exchange, services), exchange.query, 'collection');
  const list = await deleteCollection(served, query, options, {...context, dryRun: context.dryRun || options.dryRun});
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
