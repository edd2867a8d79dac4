import {encodeHeaderKey, type UserInfo} from '../../../sdk/index.js';

/** The headers by which aggregated API servers learn who makes a request, as every extension server of Kubernetes expects them. */
export function userHeaders({username, groups, extra = {}}: UserInfo): Record<string, string | string[]> {
  return {
    'X-Remote-User': encoded(username),
    ...(groups.length > 0 ? {'X-Remote-Group': groups.map(encoded)} : {}),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`X-Remote-Extra-${encodeHeaderKey(key)}`, values.map(encoded)])),
  };
}

/** Headers go byte by byte; names are written in UTF-8. */
function encoded(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}
