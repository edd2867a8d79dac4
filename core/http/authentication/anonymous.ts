import type {UserInfo} from '../../../sdk/index.js';

/** The identity of callers without credentials. */
export const anonymous: UserInfo = {username: 'system:anonymous', groups: ['system:unauthenticated']};

/** Whether a caller is anonymous, however it was admitted. */
export function isAnonymous({username}: UserInfo): boolean {
  return username === anonymous.username;
}

const publicPath = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/** Paths that everyone may read, so that probes need no credentials: they reveal only whether the server works. */
export function isPublicPath(path: string): boolean {
  return publicPath.test(path);
}
