import {duplicate, invalid, required, type FeatureGates, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {certificateAuthorities} from './certificate-authorities.js';
import type {IssuerFields} from '../../families/authentication/configuration-fields.js';

/** What the faults of an issuer depend on beside itself. */
export interface IssuerSurroundings {
  /** Issuers of service account tokens: nobody else may sign for them. */
  readonly accountIssuers: readonly string[];
  readonly gates: Pick<FeatureGates, 'enabled'>;
}

/** All that is wrong with the `issuer` of an entry, in Kubernetes' words. */
export function issuerFaults(issuer: IssuerFields, path: FieldPath, {accountIssuers, gates}: IssuerSurroundings): FieldError[] {
  const {url = '', discoveryURL = '', certificateAuthority = ''} = issuer;
  return [
    ...(url === '' ? [required(path.child('url'))] : urlFaults(url, path.child('url'), accountIssuers)),
    ...(discoveryURL === '' ? [] : discoveryFaults(url, discoveryURL, path.child('discoveryURL'))),
    ...audienceFaults(issuer, path),
    ...(certificateAuthority === '' ? [] : authorityFaults(certificateAuthority, path.child('certificateAuthority'))),
    ...egressFaults(issuer.egressSelectorType ?? '', path.child('egressSelectorType'), gates),
  ];
}

function discoveryFaults(issuer: string, url: string, path: FieldPath): FieldError[] {
  const bare = (text: string) => text.replace(/\/+$/, '');
  const same = issuer !== '' && bare(issuer) === bare(url);
  return [...(same ? [invalid(path, url, 'discoveryURL must be different from URL')] : []), ...urlFaults(url, path)];
}

const noCertificates = 'data does not contain any valid RSA or ECDSA certificates';
const urlParts = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(\?[^#]*)?(#.*)?$/s;

function egressFaults(type: string, path: FieldPath, gates: IssuerSurroundings['gates']): FieldError[] {
  if (type === '') return [];
  const faults: FieldError[] = [];
  const gate = 'StructuredAuthenticationConfigurationEgressSelector';
  if (!gates.enabled(gate)) faults.push(invalid(path, type, `egress selector is not supported when ${gate} feature gate is disabled`));
  if (type !== 'controlplane' && type !== 'cluster')
    faults.push(invalid(path, type, 'egress selector must be either controlplane or cluster'));
  return faults;
}

/** @param disallowed URLs that are others' */
function urlFaults(text: string, path: FieldPath, disallowed: readonly string[] = []): FieldError[] {
  const faults: FieldError[] = disallowed.includes(text)
    ? [invalid(path, text, `URL must not overlap with disallowed issuers: [${[...disallowed].sort().join(' ')}]`)]
    : [];
  // Without a scheme it is a path to those who read URLs as Kubernetes does.
  const [, scheme = '', authority = '', query = '', fragment = ''] = urlParts.exec(text) ?? [];
  if (scheme.toLowerCase() === 'https' && !URL.canParse(text)) return [...faults, invalid(path, text, 'must be a URL')];
  if (scheme.toLowerCase() !== 'https') faults.push(invalid(path, text, 'URL scheme must be https'));
  if (authority.includes('@')) faults.push(invalid(path, '<omitted>', 'URL must not contain a username or password'));
  if (query.length > 1) faults.push(invalid(path, text, 'URL must not contain a query'));
  if (fragment.length > 1) faults.push(invalid(path, text, 'URL must not contain a fragment'));
  return faults;
}

function audienceFaults({audiences = [], audienceMatchPolicy = ''}: IssuerFields, path: FieldPath): FieldError[] {
  const place = path.child('audiences');
  if (audiences.length === 0) return [required(place, `at least one ${place.toString()} is required`)];
  const faults = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [required(place.index(index))] : []),
    ...(audiences.indexOf(audience) < index ? [duplicate(place.index(index), audience)] : []),
  ]);
  if (audienceMatchPolicy === 'MatchAny' || (audiences.length === 1 && audienceMatchPolicy === '')) return faults;
  const allowed = audiences.length > 1 ? 'MatchAny for multiple audiences' : 'empty or MatchAny for single audience';
  return [...faults, invalid(path.child('audienceMatchPolicy'), audienceMatchPolicy, `audienceMatchPolicy must be ${allowed}`)];
}

function authorityFaults(pem: string, path: FieldPath): FieldError[] {
  try {
    if (certificateAuthorities(pem).length > 0) return [];
    const detail = pem.includes('-----BEGIN CERTIFICATE-----') ? 'contains no certificate with the CA flag' : noCertificates;
    return [invalid(path, '<omitted>', detail)];
  } catch (error) {
    return [invalid(path, '<omitted>', `${noCertificates}: ${(error as Error).message}`)];
  }
}
