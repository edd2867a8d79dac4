import {invalid, required, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import {dnsSubdomainFaults} from '../values/name-formats.js';

const form = '; desired format: https://host[/path]';

/** Errors in the URL of a webhook: it must use `https` and consist of a host and path only. */
export function webhookUrlFaults(url: string, path: FieldPath): FieldError[] {
  const parts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url);
  const [, scheme = '', authority = '', , query = '', fragment = ''] = parts ?? [];
  const at = authority.lastIndexOf('@');
  // A URL without a host can still be parsed; the missing host is reported below.
  const isReadable = parts && (authority.slice(at + 1) === '' || URL.canParse(`https://${authority}`));
  if (!isReadable) return [required(path, `url must be a valid URL: ${JSON.stringify(url)} cannot be parsed${form}`)];
  const faults: FieldError[] = [];
  if (scheme !== 'https') faults.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`));
  if (authority.slice(at + 1) === '') faults.push(invalid(path, '', `host must be specified${form}`));
  // It may be a password.
  if (at >= 0) faults.push(invalid(path, '', 'user information is not permitted in the URL'));
  if (fragment.length > 1) faults.push(invalid(path, fragment.slice(1), 'fragments are not permitted in the URL'));
  if (query.length > 1) faults.push(invalid(path, query.slice(1), 'query parameters are not permitted in the URL'));
  return faults;
}

/** A webhook as a service of the platform. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}

/** Errors in a reference to the service of a webhook. */
export function webhookServiceFaults({name, namespace, port = 443, path: urlPath}: WebhookService, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (name === '') faults.push(required(path.child('name'), 'service name is required'));
  if (namespace === '') faults.push(required(path.child('namespace'), 'service namespace is required'));
  if (port < 1 || port > 65535) faults.push(invalid(path.child('port'), port, 'port is not valid: must be between 1 and 65535, inclusive'));
  if (urlPath) faults.push(...urlPathFaults(urlPath, path.child('path')));
  return faults;
}

function urlPathFaults(urlPath: string, path: FieldPath): FieldError[] {
  if (urlPath === '/') return [];
  if (urlPath === '//') return [invalid(path, urlPath, 'segment[0] may not be empty')];
  const faults: FieldError[] = [];
  if (!urlPath.startsWith('/')) faults.push(invalid(path, urlPath, "must start with a '/'"));
  const segments = urlPath.slice(1, urlPath.endsWith('/') ? -1 : undefined).split('/');
  for (const [position, segment] of segments.entries()) {
    const details = segment === '' ? ['may not be empty'] : dnsSubdomainFaults(segment).map((fault) => `: ${fault}`);
    for (const detail of details) faults.push(invalid(path, urlPath, `segment[${position}]${detail.startsWith(':') ? '' : ' '}${detail}`));
  }
  return faults;
}
