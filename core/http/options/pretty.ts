import type {Exchange} from '../request/exchange.js';
import {isTrue} from '../request/request-info.js';

const browsers = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Whether JSON is indented: by the parameter `pretty`, or for interactive clients (as in Kubernetes). */
export function wantsPretty(exchange: Exchange): boolean {
  const parameter = exchange.query.get('pretty');
  return parameter === null ? browsers.test(exchange.header('user-agent') ?? '') : isTrue(parameter);
}
