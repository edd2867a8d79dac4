import {meter} from '../cost-meter.js';
import {boolType, listOf, mapOf, stringType, structOf} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';
import {OpaqueValue} from '../values/opaque.js';
import {escapedPath, parseUrl, queryValues, UrlFault, type UrlParts} from './go-url.js';
import {quotedText} from '../../json/quoted-text.js';
import {form, functionsOf, method, type Library} from './overload.js';

export const urlType = structOf('kubernetes.URL');

class UrlValue extends OpaqueValue {
  constructor(readonly parts: UrlParts) {
    super();
  }

  override get type() {
    return urlType;
  }

  override equals({parts}: UrlValue): boolean {
    const {scheme, user, host, path, query, opaque, fragment} = this.parts;
    return (
      scheme === parts.scheme &&
      user === parts.user &&
      host === parts.host &&
      path === parts.path &&
      query === parts.query &&
      opaque === parts.opaque &&
      fragment === parts.fragment
    );
  }
}

const part = (result: (parts: UrlParts) => string) => [method([urlType], stringType, ({parts}: UrlValue) => result(parts))];

/** Kubernetes' URL functions: `url`, `isURL`, `getScheme`, `getHost`, `getHostname`, `getPort`, `getEscapedPath`, `getQuery`. */
export const urlLibrary: Library = {
  functions: functionsOf({
    url: [form([stringType], urlType, urlOf)],
    getScheme: part(({scheme}) => scheme),
    getHost: part(({host}) => host),
    getHostname: part(({host}) => hostAndPort(host)[0]),
    getPort: part(({host}) => hostAndPort(host)[1]),
    getEscapedPath: part(({path}) => escapedPath(path)),
    getQuery: [method([urlType], mapOf(stringType, listOf(stringType)), ({parts}: UrlValue) => queryValues(parts.query))],
    isURL: [form([stringType], boolType, (text: string) => !(parsed(text, true) instanceof UrlFault))],
  }),
};

function parsed(text: string, viaRequest: boolean): UrlParts | UrlFault {
  meter.spend(60 + 1.5 * text.length);
  return parseUrl(text, viaRequest);
}

function urlOf(text: string): UrlValue | Fault {
  for (const viaRequest of [true, false]) {
    const parts = parsed(text, viaRequest);
    if (parts instanceof UrlFault)
      return new Fault(`URL parse error during conversion from string: parse ${quotedText(text)}: ${parts.message}`);
    if (!viaRequest) return new UrlValue(parts);
  }
  throw new Error('unreachable');
}

function hostAndPort(host: string): [host: string, port: string] {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && /^\d*$/.test(host.slice(colon + 1));
  const name = hasPort ? host.slice(0, colon) : host;
  return [/^\[.*\]$/s.test(name) ? name.slice(1, -1) : name, hasPort ? host.slice(colon + 1) : ''];
}
