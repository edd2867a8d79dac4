import type {Exchange} from '../request/exchange.js';
import {isTrue} from '../request/request-info.js';

const browsers = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Whether JSON is indented: by the parameter `pretty`, or for a client in front of which a person sits (as Kubernetes has it). */
export function wantsPretty(exchange: Exchange): boolean {
  const parameter = exchange.query.get('pretty');
  return parameter === null ? browsers.test(exchange.header('user-agent') ?? '') : isTrue(parameter);
}
