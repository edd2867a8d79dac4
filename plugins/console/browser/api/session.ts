import {batch, signal} from '@preact/signals';
import {serverFacts} from './facts.js';
import {placeChanged} from './location.js';
import {returnFromProvider} from './oidc.js';

/** Who the calls of this page come from, as the server says. */
export interface User {
  readonly username: string;
  readonly groups: readonly string[];
}

/** Undefined until somebody is signed in. */
export const user = signal<User | undefined>(undefined);
/** Why somebody has to sign in again; empty at first. */
export const signedOutBecause = signal('');

/** The half of a session that pages have (docs/decisions/0091): of no use without the cookie, which no script can read. */
const storageKey = 'orch.console.session';
/** A bearer token that somebody pasted is in memory only. */
let token: string | undefined;

/** As whom the user acts, if he acts as somebody else. It is of this page, and gone when that is loaded again. */
export interface Impersonated {
  readonly username: string;
  readonly groups: readonly string[];
}

export const impersonated = signal<Impersonated | undefined>(undefined);

/** Who a request comes from, as a list of headers: a user may have several groups. */
export function callerHeaders(): Headers {
  return headersOf(impersonated.value);
}

function headersOf(other: Impersonated | undefined): Headers {
  const headers = new Headers();
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  if (!other) return headers;
  headers.set('Impersonate-User', other.username);
  for (const group of other.groups) headers.append('Impersonate-Group', group);
  return headers;
}

/**
 * Acts as somebody else from now on, or as oneself again.
 *
 * @returns whether the server lets the user do so
 */
export function actAs(other: Impersonated | undefined): Promise<boolean> {
  return identify(other);
}

/** Subprotocols of a WebSocket, which may carry the token: pages cannot set its headers. */
export function socketProtocols(): string[] {
  if (token === undefined) return [];
  const encoded = btoa(String.fromCharCode(...new TextEncoder().encode(token)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
  return ['console.orch', `base64url.bearer.authorization.${serverFacts().groupSuffix}.${encoded}`];
}

/** Tries what is at hand: a link in the address, the session of before, the browser's certificate. */
export async function resume(): Promise<void> {
  const link = /^#link=(.+)$/.exec(location.hash)?.[1];
  if (link !== undefined) {
    // At once, so that it stays in no history.
    history.replaceState(history.state, '', location.pathname + location.search);
    await signInByLink(link);
    return;
  }
  try {
    const idToken = await returnFromProvider();
    if (idToken !== undefined) {
      placeChanged();
      if (!(await signInByToken(idToken))) signedOutBecause.value = 'The server does not know the user that the provider signed in.';
      return;
    }
  } catch (error) {
    placeChanged();
    signedOutBecause.value = (error as Error).message;
    return;
  }
  const kept = localStorage.getItem(storageKey);
  if (kept !== null) {
    const {token: keptToken, expires} = JSON.parse(kept) as {token: string; expires: number};
    if (expires * 1000 > Date.now()) {
      token = keptToken;
      if (await identify()) return;
      token = undefined;
    }
    localStorage.removeItem(storageKey);
  }
  await identify();
}

async function signInByLink(link: string): Promise<void> {
  const response = await fetch('/console/sessions', {
    method: 'POST',
    credentials: 'same-origin',
    headers: {'Orch-Console-Link': link},
  });
  const answer = (await response.json()) as {token?: string; expires?: number; message?: string};
  if (response.status !== 201 || answer.token === undefined) {
    signedOutBecause.value = answer.message ?? `the server answered ${response.status}`;
    return;
  }
  token = answer.token;
  localStorage.setItem(storageKey, JSON.stringify({token, expires: answer.expires}));
  await identify();
}

/** @returns whether the server knows it */
export async function signInByToken(text: string): Promise<boolean> {
  token = text.trim();
  if (await identify()) return true;
  token = undefined;
  return false;
}

/** @returns whether the browser shows a certificate that the server knows */
export function signInByCertificate(): Promise<boolean> {
  token = undefined;
  return identify();
}

async function identify(other?: Impersonated): Promise<boolean> {
  const response = await fetch('/console/user', {credentials: 'same-origin', headers: headersOf(other)});
  if (!response.ok) return false;
  const found = (await response.json()) as User;
  // Who acts as a user without a name of its own is signed in all the same.
  if (other === undefined && found.groups.includes('system:unauthenticated')) return false;
  batch(() => {
    impersonated.value = other;
    user.value = found;
  });
  signedOutBecause.value = '';
  return true;
}

/** The server does not know this user any more. */
export function sessionEnded(why: string): void {
  if (user.value === undefined) return;
  token = undefined;
  impersonated.value = undefined;
  localStorage.removeItem(storageKey);
  signedOutBecause.value = why;
  user.value = undefined;
}

export async function signOut(): Promise<void> {
  const hadSession = localStorage.getItem(storageKey) !== null;
  sessionEnded('You have signed out.');
  if (hadSession) await fetch('/console/sessions', {method: 'DELETE', credentials: 'same-origin'}).catch(() => undefined);
}
