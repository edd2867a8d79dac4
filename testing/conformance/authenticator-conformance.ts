import type {AuthenticatedUser, AuthenticationRequest, Authenticator} from '../../sdk/contracts/authenticator.js';
import {StatusError} from '../../sdk/errors/status-error.js';
import {checks as t} from './checks.js';
import type {ConformanceTest} from './conformance-test.js';
import {hostileTexts} from './inputs.js';

/** What a client sends to show who it is. */
export interface SentCredentials extends Partial<Pick<AuthenticationRequest, 'audiences' | 'clientCertificate' | 'remoteAddress'>> {
  /** By lower-case names. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export interface AuthenticationCases<C = unknown> {
  /** Makes the authenticator, once a test; started if it has a `start`. It gets what the runner gives to a test. */
  readonly create: (context: C) => Authenticator | Promise<Authenticator>;
  /** At least one caller whom it knows. */
  readonly known: readonly {readonly credentials: SentCredentials; readonly username: string; readonly groups?: readonly string[]}[];
  /** Credentials of its kind that are nobody's. */
  readonly refused: readonly SentCredentials[];
}

/** The suite that every `Authenticator` passes. */
export function authenticatorConformance<C = unknown>({create, known, refused}: AuthenticationCases<C>): ConformanceTest<C>[] {
  const test = (title: string, body: (authenticator: Authenticator) => Promise<void>): ConformanceTest<C> => ({
    title,
    alone: false,
    timeoutMillis: 30_000,
    run: async (context) => body(await create(context)),
  });
  return [
    test('callers with valid credentials are known', async (authenticator) => {
      t.true(known.length > 0, 'the suite needs a caller who is known');
      for (const {credentials, username, groups} of known) {
        const user = await authenticator.authenticate(requestOf(credentials));
        t.is(user?.username, username);
        t.true(Array.isArray(user?.groups) && user.groups.every((group) => typeof group === 'string'), 'groups are a list of texts');
        if (groups) t.deepEqual([...user!.groups], [...groups]);
      }
    }),
    test('a request without credentials is left to other authenticators', async (authenticator) => {
      t.is(await authenticator.authenticate(requestOf({})), undefined);
    }),
    test('credentials that are nobody’s are refused with 401', async (authenticator) => {
      for (const credentials of refused) {
        const error = await t.throwsAsync(async () => authenticator.authenticate(requestOf(credentials)), undefined, shown(credentials));
        t.true(StatusError.is(error) && error.code === 401, `${shown(credentials)}: it should throw unauthorized(), not ${String(error)}`);
      }
    }),
    test('credentials that are nearly right are not taken for those of a caller who is known', async (authenticator) => {
      for (const {credentials, username} of known) {
        for (const changed of nearly(credentials)) t.false((await outcome(authenticator, changed))?.username === username, shown(changed));
      }
    }),
    test('whatever a client sends is answered: a caller, undefined or 401, in time', async (authenticator) => {
      const names = new Set([
        'authorization',
        ...[...known.map((each) => each.credentials), ...refused].flatMap(({headers = {}}) => Object.keys(headers)),
      ]);
      for (const name of names) {
        for (const text of hostileTexts) {
          const started = performance.now();
          await outcome(authenticator, {headers: {[name]: text}});
          await outcome(authenticator, {headers: {[name]: [text, text]}});
          t.true(performance.now() - started < 2000, `${name} with ${text.length} characters takes too long`);
        }
      }
    }),
    test('many callers at once are not mixed up', async (authenticator) => {
      const all = Array.from({length: 64}, (_, index) => known[index % known.length]!);
      const users = await Promise.all(all.map(async ({credentials}) => authenticator.authenticate(requestOf(credentials))));
      t.deepEqual(
        users.map((user) => user?.username),
        all.map(({username}) => username),
      );
    }),
  ];
}

/** The caller, or undefined for one who is not known. @throws what is neither an answer nor 401 */
async function outcome(authenticator: Authenticator, credentials: SentCredentials): Promise<AuthenticatedUser | undefined> {
  try {
    const user = await authenticator.authenticate(requestOf(credentials));
    t.true(user === undefined || (typeof user.username === 'string' && user.username !== ''), `${shown(credentials)}: a caller has a name`);
    return user;
  } catch (error) {
    if (StatusError.is(error) && error.code === 401) return undefined;
    throw error;
  }
}

/** Each header with its last character changed, and with one more. */
function nearly(credentials: SentCredentials): SentCredentials[] {
  return Object.entries(credentials.headers ?? {}).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : value.join('');
    const end = text.at(-1) === 'x' ? 'y' : 'x';
    return [text.slice(0, -1) + end, `${text}x`, ''].map((changed) => ({
      ...credentials,
      headers: {...credentials.headers, [name]: changed},
    }));
  });
}

function shown({headers = {}}: SentCredentials): string {
  return `headers ${JSON.stringify(headers).slice(0, 200)}`;
}

function requestOf({
  headers = {},
  audiences = [],
  clientCertificate = () => undefined,
  remoteAddress = '192.0.2.1',
}: SentCredentials): AuthenticationRequest {
  const sent = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? [value] : value] as const);
  const values = new Map(sent);
  return {
    header: (name) => values.get(name) ?? [],
    headers: () => sent.flatMap(([name, all]) => all.map((value) => [name, value] as const)),
    audiences,
    clientCertificate,
    path: '/',
    remoteAddress,
  };
}
