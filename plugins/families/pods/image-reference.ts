/** The parts of an image name that the server needs. */
export interface ImageReference {
  /** Empty if there is none. */
  readonly tag: string;
  readonly hasDigest: boolean;
}

/** Maximum length of a valid reference: name 255, tag 128, digest 135 characters and two separators. */
const maximumLength = 520;
const maximumNameLength = 255;
const defaultDomain = 'docker.io';
const domain = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]+)?$/;
const pathComponent = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
/** Hexadecimal digits of the digests used by registries. */
const digestLengths: Readonly<Record<string, number>> = {sha256: 64, sha384: 96, sha512: 128};

/**
 * Parses `[DOMAIN[:PORT]/]PATH[:TAG][@DIGEST]` as container runtimes do (the grammar of the distribution project's references). Undefined
 * if it is invalid.
 */
export function parseImage(text: string): ImageReference | undefined {
  // 64 hexadecimal digits are the id of an image, not a name.
  if (text.length > maximumLength || /^[a-f0-9]{64}$/.test(text)) return undefined;
  const at = text.indexOf('@');
  const digest = at < 0 ? undefined : text.slice(at + 1);
  if (digest !== undefined && !isDigest(digest)) return undefined;
  const {host, rest} = splitDomain(at < 0 ? text : text.slice(0, at));
  const colon = rest.indexOf(':');
  const path = colon < 0 ? rest : rest.slice(0, colon);
  const tag = colon < 0 ? '' : rest.slice(colon + 1);
  if (colon >= 0 && !tagPattern.test(tag)) return undefined;
  if (host.length + 1 + path.length > maximumNameLength || !domain.test(host)) return undefined;
  return path.split('/').every((component) => pathComponent.test(component)) ? {tag, hasDigest: digest !== undefined} : undefined;
}

/**
 * The first part is a registry's address if it looks like one. Otherwise the default registry is used, whose official images have their own
 * folder.
 */
function splitDomain(name: string): {host: string; rest: string} {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(0, slash));
  const isHost = slash >= 0 && (first.includes('.') || first.includes(':') || first === 'localhost');
  const host = !isHost || first === 'index.docker.io' ? defaultDomain : first;
  const rest = isHost ? name.slice(slash + 1) : name;
  return {host, rest: host === defaultDomain && !rest.includes('/') ? `library/${rest}` : rest};
}

function isDigest(text: string): boolean {
  const colon = text.indexOf(':');
  const digits = text.slice(colon + 1);
  return colon > 0 && digestLengths[text.slice(0, colon)] === digits.length && /^[a-f0-9]+$/.test(digits);
}
