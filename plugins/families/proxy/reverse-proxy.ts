import type {IncomingMessage, ServerResponse} from 'node:http';
import {request as httpsRequest} from 'node:https';
import process from 'node:process';
import {pipeline} from 'node:stream/promises';
import {serviceUnavailable, type ConnectRequest} from '../../../sdk/index.js';
import {readInSmallParts} from '../../../sdk/net/index.js';
import {hostText, tlsOptions, type Backend} from './backend.js';
import {endToEndHeaders, forwardedHeaders} from './forwarded-headers.js';

// An import of this module would read all its members, and one of them loads the HTTP client behind `fetch`, which is not needed here.
const http = process.getBuiltinModule('node:http');

/** Maximum number of 1xx responses before the final one, the same as Go's client accepts. */
const maximumInterimAnswers = 5;

/**
 * Forwards a request to another server and its response back, both as streams.
 *
 * @throws StatusError 503 if the server cannot be reached or closes the connection before it responds
 */
export async function forwardRequest(request: ConnectRequest, response: ServerResponse, backend: Backend): Promise<void> {
  const answer = await send(request, backend);
  response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer.headers));
  // If either side disconnects during the response, both end, and nobody is left to report it to.
  await pipeline(answer, response).catch(() => response.destroy());
}

function send({incoming, method, signal}: ConnectRequest, backend: Backend): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const open = backend.protocol === 'https' ? httpsRequest : http.request;
    const outgoing = open({
      host: backend.host,
      port: backend.port,
      path: backend.path,
      method,
      headers: forwardedHeaders(incoming, hostText(backend)),
      signal,
      // No pool: the next request may be for another node with the same address.
      agent: false,
      ...(backend.protocol === 'https' ? tlsOptions(backend) : {}),
    });
    outgoing.on('socket', (socket) => outgoing.once('response', readInSmallParts(socket)));
    let interim = 0;
    outgoing.on('information', () => {
      if (++interim > maximumInterimAnswers) outgoing.destroy(new Error(`more than ${maximumInterimAnswers} interim answers`));
    });
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => reject(serviceUnavailable(`error trying to reach service: ${error.message}`, 1, {cause: error})));
    incoming.pipe(outgoing);
  });
}
