import {unescape} from 'node:querystring';
import {meter} from '../cost-meter.js';
import {parseAddress} from './go-address.js';
import {quotedText} from '../../json/quoted-text.js';

const stepsPerParameter = 8;

/** A URL as Go's `net/url` sees it. Texts are as they are written. */
export interface UrlParts {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** Why a text is none, in Go's words. */
export class UrlFault {
  constructor(readonly message: string) {}
}

type Mode = 'path' | 'host' | 'zone' | 'user';

/** @param viaRequest only an absolute URL or path, without a fragment */
export function parseUrl(text: string, viaRequest: boolean): UrlParts | UrlFault {
  const hash = viaRequest ? -1 : text.indexOf('#');
  const fragment = hash < 0 ? '' : text.slice(hash + 1);
  const raw = hash < 0 ? text : text.slice(0, hash);
  if (/[\u0000-\u001f\u007f]/.test(raw)) return new UrlFault('net/url: invalid control character in URL');
  if (raw === '' && viaRequest) return new UrlFault('empty url');
  const parts = {scheme: '', opaque: '', user: '', host: '', path: '', query: '', fragment};
  if (raw === '*') return {...parts, path: '*'};
  if (raw.startsWith(':')) return new UrlFault('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(raw)?.[1] ?? '';
  parts.scheme = scheme.toLowerCase();
  let rest = scheme === '' ? raw : raw.slice(scheme.length + 1);
  const question = rest.indexOf('?');
  if (question >= 0) [rest, parts.query] = [rest.slice(0, question), rest.slice(question + 1)];
  if (!rest.startsWith('/')) {
    if (scheme !== '') return {...parts, opaque: rest};
    if (viaRequest) return new UrlFault('invalid URI for request');
    if (rest.split('/', 1)[0]!.includes(':')) return new UrlFault('first path segment in URL cannot contain colon');
  }
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const end = rest.indexOf('/', 2);
    const authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
    rest = end < 0 ? '' : rest.slice(end);
    const at = authority.lastIndexOf('@');
    const host = parseHost(parts.scheme, authority.slice(at + 1));
    if (host instanceof UrlFault) return host;
    parts.host = host;
    if (at >= 0) {
      parts.user = authority.slice(0, at);
      if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(parts.user)) return new UrlFault('net/url: invalid userinfo');
      const fault = escapeFault(parts.user, 'user');
      if (fault) return fault;
    }
  }
  return escapeFault(rest, 'path') ?? escapeFault(fragment, 'path') ?? {...parts, path: rest};
}

function parseHost(scheme: string, host: string): string | UrlFault {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return new UrlFault('invalid IP-literal');
  if (bracket === 0) return parseLiteral(host);
  const first = host.indexOf(':');
  if (first >= 0) {
    const colon = scheme === 'http' || scheme === 'https' ? first : host.lastIndexOf(':');
    const port = host.slice(colon);
    if (!/^:\d*$/.test(port)) return new UrlFault(`invalid port ${quotedText(port)} after host`);
  }
  return escapeFault(host, 'host') ?? decodedText(host);
}

function parseLiteral(host: string): string | UrlFault {
  const close = host.lastIndexOf(']');
  if (close < 0) return new UrlFault("missing ']' in host");
  const port = host.slice(close + 1);
  if (!/^(?::\d*)?$/.test(port)) return new UrlFault(`invalid port ${quotedText(port)} after host`);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const fault =
    escapeFault(zone < 0 ? name : name.slice(0, zone), 'host') ?? (zone < 0 ? undefined : escapeFault(name.slice(zone), 'zone'));
  if (fault) return fault;
  const decoded = decodedText(name);
  const address = parseAddress(decoded);
  if ('fault' in address) return new UrlFault(`invalid host: ${address.fault}`);
  return address.bytes.length === 4 ? new UrlFault('invalid IP-literal') : `[${decoded}]${port}`;
}

const hostCharacter = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\uffff]/;

function escapeFault(text: string, mode: Mode): UrlFault | undefined {
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character !== '%') {
      if ((mode === 'host' || mode === 'zone') && !hostCharacter.test(character))
        return new UrlFault(`invalid character ${quotedText(character)} in host name`);
      continue;
    }
    const escape = text.slice(at, at + 3);
    const bad = new UrlFault(`invalid URL escape ${quotedText(escape)}`);
    if (!/^%[0-9a-fA-F]{2}$/.test(escape)) return bad;
    const code = Number.parseInt(escape.slice(1), 16);
    if (mode === 'host' && code < 0x80 && escape !== '%25') return bad;
    if (mode === 'zone' && escape !== '%25' && code !== 0x20 && code < 0x80 && !hostCharacter.test(String.fromCharCode(code))) return bad;
    at += 2;
  }
  return undefined;
}

function decodedText(text: string): string {
  return text.includes('%') ? unescape(text) : text;
}

/** A path as it would be written in a request. */
export function escapedPath(path: string): string {
  if (/^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/%]*$/.test(path)) return path;
  return Array.from(Buffer.from(decodedText(path)), (byte) => {
    const character = String.fromCharCode(byte);
    return byte < 0x80 && /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** The parameters of a query. Those that are malformed are left out. */
export function queryValues(query: string): Map<string, string[]> {
  meter.spend(query.length);
  const values = new Map<string, string[]>();
  for (let start = 0, end: number; start < query.length; start = end + 1) {
    end = query.indexOf('&', start);
    if (end < 0) end = query.length;
    if (end === start) continue;
    meter.spend(stepsPerParameter);
    const part = query.slice(start, end);
    const middle = part.indexOf('=');
    const name = part.includes(';') ? undefined : decoded(middle < 0 ? part : part.slice(0, middle));
    const value = middle < 0 ? '' : decoded(part.slice(middle + 1));
    if (name === undefined || value === undefined) continue;
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** A name or value without its escapes; undefined if one of them is malformed. */
function decoded(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  return unescape(text.replaceAll('+', ' '));
}
