import {WebhookError, type WebhookTarget} from '../../../sdk/index.js';

/** The address that a target's calls go to. */
export interface WebhookEndpoint {
  /** The whole URL, for messages. */
  readonly url: string;
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and, unless it is the default, port, as in the `Host` header. */
  readonly authority: string;
  /** Path and query. As in Kubernetes, the query contains the timeout of the server. */
  readonly path: string;
  /** The name that the certificate must be valid for, if it differs from the address connected to. */
  readonly serverName: string | undefined;
}

/** Parses a target. @throws WebhookError (`Misconfigured`) if its URL cannot be called */
export function endpointOf(target: WebhookTarget): WebhookEndpoint {
  const text = target.url ?? serviceUrl(target.service);
  if (!URL.canParse(text)) throw new WebhookError('Misconfigured', `${JSON.stringify(text)} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new WebhookError('Misconfigured', `${JSON.stringify(text)} is not an https URL`);
  // As Kubernetes' client joins paths; envtest's addresses have two slashes, and services answer such a path with a redirect.
  url.pathname = url.pathname.replace(/\/{2,}/g, '/');
  url.searchParams.set('timeout', `${target.timeoutMillis / 1000}s`);
  // It may contain a password.
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

/** Prefixes an error's message with the call it is about. */
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
