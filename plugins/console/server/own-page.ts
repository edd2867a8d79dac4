import type {IncomingMessage} from 'node:http';
import {forbidden} from '../../../sdk/index.js';
import type {KnownHosts} from './known-hosts.js';

/** The origin of the console's page that sends a request. @throws StatusError 403 for whatever is not known to be sent by one */
export function ownPage(hosts: KnownHosts, incoming: IncomingMessage): string {
  const {origin, 'sec-fetch-site': site = 'same-origin'} = incoming.headers;
  const own = hosts.originOf(incoming);
  if (own === undefined || origin !== own || site !== 'same-origin')
    throw forbidden({group: '', resource: ''}, 'only pages of the console may sign in and out here');
  return own;
}
