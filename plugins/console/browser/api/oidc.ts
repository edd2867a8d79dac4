/** What a sign-in that has left for the provider has to remember until it comes back: in this tab, and only once. No token. */
interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The address that is shown afterwards. */
  readonly place: string;
}

interface WhereTo {
  readonly authorization: string;
  readonly clientId: string;
  readonly redirectPath: string;
  readonly answersInFragment: boolean;
  readonly scope: string;
}

const storageKey = 'orch.console.oidc';
const verifierBytes = 32;

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(verifierBytes)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Leaves for the provider's page. @throws Error if the provider is away */
export async function leaveForProvider(): Promise<void> {
  const response = await fetch('/console/oidc', {credentials: 'same-origin', cache: 'no-store'});
  const answer = (await response.json()) as WhereTo & {message?: string};
  if (!response.ok) throw new Error(answer.message ?? `the server answered ${response.status}`);
  const target = new URL(answer.authorization);
  if (target.protocol !== 'https:') throw new Error('The provider has no safe address.');
  const begun: Begun = {state: randomText(), nonce: randomText(), verifier: randomText(), place: location.pathname + location.search};
  sessionStorage.setItem(storageKey, JSON.stringify(begun));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier));
  const query = {
    response_type: 'code',
    client_id: answer.clientId,
    redirect_uri: location.origin + answer.redirectPath,
    scope: answer.scope,
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(answer.answersInFragment ? {response_mode: 'fragment'} : {}),
  };
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  location.assign(target);
}

/**
 * Takes what the provider sent back with the browser, if it did: the address has it no more afterwards.
 *
 * @returns the ID token; undefined if nobody came back from a provider
 * @throws Error that says why nobody is signed in
 */
export async function returnFromProvider(): Promise<string | undefined> {
  if (location.pathname !== '/console/signed-in') return undefined;
  const answer = new URLSearchParams(location.hash.length > 1 ? location.hash.slice(1) : location.search);
  const kept = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  const begun = kept === null ? undefined : (JSON.parse(kept) as Begun);
  // At once, so that it stays in no history.
  history.replaceState(history.state, '', begun?.place.startsWith('/console/') === true ? begun.place : '/console/');
  if (!begun || answer.get('state') !== begun.state) throw new Error('This is no answer to a sign-in that began in this tab.');
  const code = answer.get('code');
  if (code === null) throw new Error(`The provider did not sign you in: ${answer.get('error') ?? 'it sent no code'}`);
  const response = await fetch('/console/oidc', {
    method: 'POST',
    credentials: 'same-origin',
    headers: {'Orch-Console-Code': code, 'Orch-Console-Verifier': begun.verifier},
  });
  const {token, message} = (await response.json()) as {token?: string; message?: string};
  if (!response.ok || token === undefined) throw new Error(message ?? `the server answered ${response.status}`);
  if (nonceOf(token) !== begun.nonce) throw new Error('The token of the provider is not for this sign-in.');
  return token;
}

function nonceOf(token: string): unknown {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(payload)) as {nonce?: unknown}).nonce;
  } catch {
    return undefined;
  }
}
