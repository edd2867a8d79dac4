const scheme = /^([A-Za-z][A-Za-z0-9+.-]*)?:/;
/** Characters that a host or zone may contain unescaped. */
const hostText = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]*$/;
const userText = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;

/**
 * Whether a string is an absolute URI or an absolute path, as Go's `net/url.ParseRequestURI` reads it: `https://example.com/a`,
 * `mailto:a@b`, `/a`, `*`.
 */
export function isRequestUri(text: string): boolean {
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return false;
  if (text === '*') return true;
  const match = scheme.exec(text);
  if (match?.[1] === undefined && match) return false;
  const rest = (match ? text.slice(match[0].length) : text).split('?', 1)[0] as string;
  if (!rest.startsWith('/')) return match !== null;
  if (!match || !rest.startsWith('//')) return hasGoodEscapes(rest);
  const end = rest.indexOf('/', 2);
  return isAuthority(rest.slice(2, end < 0 ? undefined : end)) && (end < 0 || hasGoodEscapes(rest.slice(end)));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  return isHost(authority.slice(at + 1)) && userText.test(user) && hasGoodEscapes(user);
}

function isHost(host: string): boolean {
  const bracket = host.startsWith('[') ? host.lastIndexOf(']') : -1;
  if (host.startsWith('[') && bracket < 0) return false;
  const colon = bracket >= 0 ? bracket + 1 : host.lastIndexOf(':');
  if (colon >= 0 && !/^(?::\d*)?$/.test(host.slice(colon))) return false;
  const zone = bracket >= 0 ? host.slice(0, bracket).indexOf('%25') : -1;
  if (zone < 0) return isHostText(host);
  return isHostText(host.slice(0, zone)) && isZone(host.slice(zone, bracket)) && isHostText(host.slice(bracket));
}

/** In hosts, only the percent sign and bytes beyond ASCII may be escaped. */
function isHostText(text: string): boolean {
  return hostText.test(text) && hasGoodEscapes(text, (byte) => byte >= 0x80 || byte === 0x25);
}

/** In zones of addresses, escapes may represent spaces and characters that are also allowed unescaped. */
function isZone(text: string): boolean {
  return hostText.test(text) && hasGoodEscapes(text, (byte) => byte === 0x20 || (byte < 0x80 && hostText.test(String.fromCharCode(byte))));
}

function hasGoodEscapes(text: string, isAllowed?: (byte: number) => boolean): boolean {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 3)) {
    const digits = text.slice(at + 1, at + 3);
    if (!/^[0-9a-fA-F]{2}$/.test(digits) || isAllowed?.(Number.parseInt(digits, 16)) === false) return false;
  }
  return true;
}
