import {WebhookError, type WebhookTarget} from '../../../sdk/index.js';

/** Where a target says that calls go. */
export interface WebhookEndpoint {
  /** The whole URL, for messages. */
  readonly url: string;
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and, unless it is the usual one, port, as the header `Host` carries them. */
  readonly authority: string;
  /** Path and query. The query tells the service how long the server waits for the response, as in Kubernetes. */
  readonly path: string;
  /** Name that the certificate must be valid for, where it is not that of the address which is connected to. */
  readonly serverName: string | undefined;
}

/** Reads a target. @throws WebhookError (`Misconfigured`) when its URL is none that can be called */
export function endpointOf(target: WebhookTarget): WebhookEndpoint {
  const text = target.url ?? serviceUrl(target.service);
  if (!URL.canParse(text)) throw new WebhookError('Misconfigured', `${JSON.stringify(text)} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new WebhookError('Misconfigured', `${JSON.stringify(text)} is not an https URL`);
  url.searchParams.set('timeout', `${target.timeoutMillis / 1000}s`);
  // It may hold a password.
  url.username = url.password = url.hash = '';
  return {
    url: url.href,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 443 : Number(url.port),
    authority: url.host,
    path: `${url.pathname}${url.search}`,
    serverName: target.serverName ?? (target.service ? url.hostname : undefined),
  };
}

/** Puts before the words of an error which call it was. */
export function describeCall({url}: WebhookEndpoint, error: WebhookError): WebhookError {
  return new WebhookError(error.code, `Post ${JSON.stringify(url)}: ${error.message}`, {
    ...(error.statusCode === undefined ? {} : {statusCode: error.statusCode}),
    ...(error.answer === undefined ? {} : {answer: error.answer}),
    cause: error.cause ?? error,
  });
}

function serviceUrl({namespace, name, port = 443, path = ''}: NonNullable<WebhookTarget['service']>): string {
  return `https://${name}.${namespace}.svc:${port}${path === '' || path.startsWith('/') ? path : `/${path}`}`;
}
