import {duplicate, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {certificateAuthorities} from './certificate-authorities.js';
import type {IssuerFields} from './configuration-fields.js';

/** All that is wrong with the `issuer` of an entry, in Kubernetes' words. */
export function issuerFaults(issuer: IssuerFields, path: FieldPath): FieldError[] {
  const {url = '', discoveryURL = '', certificateAuthority = ''} = issuer;
  return [
    ...(url === '' ? [required(path.child('url'))] : urlFaults(url, path.child('url'))),
    ...(discoveryURL === '' ? [] : discoveryFaults(url, discoveryURL, path.child('discoveryURL'))),
    ...audienceFaults(issuer, path),
    ...(certificateAuthority === '' ? [] : authorityFaults(certificateAuthority, path.child('certificateAuthority'))),
  ];
}

function discoveryFaults(issuer: string, url: string, path: FieldPath): FieldError[] {
  const bare = (text: string) => text.replace(/\/+$/, '');
  const same = issuer !== '' && bare(issuer) === bare(url);
  return [...(same ? [invalid(path, url, 'discoveryURL must be different from URL')] : []), ...urlFaults(url, path)];
}

function urlFaults(text: string, path: FieldPath): FieldError[] {
  if (!URL.canParse(text)) return [invalid(path, text, 'must be a URL')];
  const {protocol, username, password, search, hash} = new URL(text);
  const faults: FieldError[] = [];
  if (protocol !== 'https:') faults.push(invalid(path, text, 'URL scheme must be https'));
  if (username !== '' || password !== '') faults.push(invalid(path, '<omitted>', 'URL must not contain a username or password'));
  if (search !== '') faults.push(invalid(path, text, 'URL must not contain a query'));
  if (hash !== '') faults.push(invalid(path, text, 'URL must not contain a fragment'));
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
    return [invalid(path, '<omitted>', 'contains no certificate with the CA flag')];
  } catch (error) {
    return [invalid(path, '<omitted>', (error as Error).message)];
  }
}
