import {badRequest} from '../../../sdk/index.js';
import type {ResultObject} from '../../registry/result-object.js';
import type {Representation} from '../representation/form.js';
import {negotiateObject, sendObject, type ObjectShape} from '../representation/object.js';
import {requireAnswerRoom, smallAnswer} from '../response/answer-room.js';
import {isTrue} from '../request/request-info.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {keyOf, type ResourceHandler} from './resource-request.js';

/** GET of one object or of a subresource. If the client accepts plain JSON, the stored bytes are sent unchanged. */
export const serveGet: ResourceHandler = ({exchange, resource, services}) => {
  const {shape} = resource;
  const representation = negotiateObject(exchange, shape, services.naming);
  if (exchange.query.has('export')) refuseExport(exchange.query);
  const found = resource.get(keyOf(exchange), exchange.query.get('resourceVersion') ?? undefined, exchange);
  if (!(found instanceof Promise)) return answer(exchange, found, shape, representation);
  return found.then(async (result) => {
    await exchange.resume();
    return answer(exchange, result, shape, representation);
  });
};

function answer(exchange: AuthenticatedExchange, result: ResultObject, shape: ObjectShape, representation: Representation): Promise<void> {
  exchange.trace?.step('read');
  if (result.bytes.length > smallAnswer) requireAnswerRoom(exchange);
  return sendObject(exchange, 200, result, shape, representation);
}

/** A parameter that was removed in 1.21: clients that still send it would take what they get for something else. @throws 400 */
function refuseExport(query: URLSearchParams): void {
  if (isTrue(query.get('export'))) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
}
