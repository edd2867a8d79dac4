import {createHash, randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {inject, injectable, Tokens, forbidden, unauthorized, type Clock, type ServerPaths, type UserInfo} from '../../../sdk/index.js';
import {sameSecret} from '../../../sdk/authentication/index.js';
import {longestSealed, seal, sealedPrefix, unseal} from './seal.js';
import {sessionKey} from './session-key.js';
import {UsedLinks} from './used-links.js';

/** For how long a link can be opened. */
export const linkSeconds = 120;
/** After that its user signs in again. */
export const sessionSeconds = 8 * 3600;
/** Sessions whose seal was looked at lately. */
const mostCached = 1000;
/** Of the secret half that is in the cookie. */
const cookieBytes = 32;

interface LinkContent {
  readonly user: UserInfo;
  /** Seconds since 1970. */
  readonly expires: number;
  /** Makes each link another one. */
  readonly id: string;
}

interface SessionContent {
  readonly user: UserInfo;
  readonly expires: number;
  /** The only origin whose pages may use it. */
  readonly origin: string;
  /** Hash of the half that the cookie has. */
  readonly cookie: string;
}

/** A session as its page and its browser get it: neither half is of use alone. */
export interface NewSession {
  /** The bearer token: for the page. */
  readonly token: string;
  /** For the cookie, which no script can read. */
  readonly cookie: string;
  readonly expires: number;
  readonly user: UserInfo;
}

/**
 * Links and sessions of users of the console (docs/decisions/0091). Nothing is kept of a session: what its two halves say is sealed, so that every process of the server knows it, also
 * after a restart.
 */
@injectable()
export class Sessions {
  readonly #clock: Clock;
  readonly #folder: string;
  readonly #used: UsedLinks;
  readonly #known = new Map<string, SessionContent>();
  #key: Buffer | undefined;

  constructor(@inject(Tokens.Clock) clock: Clock, @inject(Tokens.Paths) paths: ServerPaths) {
    this.#clock = clock;
    this.#folder = join(paths.dataDir, 'console');
    this.#used = new UsedLinks(join(this.#folder, 'used-links'), linkSeconds * 1000);
  }

  /** Reads the key. To be called before anything else. */
  async open(): Promise<void> {
    this.#key ??= await sessionKey(this.#folder);
  }

  /** What signs a browser in as this user, once. @throws 403 for a user with so many groups that no request could carry them */
  linkFor(user: UserInfo): {readonly link: string; readonly expires: number} {
    const content: LinkContent = {user, expires: this.#now() + linkSeconds, id: randomBytes(16).toString('base64url')};
    return {link: this.#seal('link', content, user), expires: content.expires};
  }

  /**
   * The session that a link stands for.
   *
   * @param origin of the page that opened it
   * @throws 401 for a link that is none, has expired or was used before
   */
  async exchange(link: string, origin: string): Promise<NewSession> {
    const content = unseal('link', link, this.#key!) as LinkContent | undefined;
    if (!content) throw unauthorized('this is no link of this server');
    if (content.expires <= this.#now()) throw unauthorized('the link has expired: ask for another with "orch console"');
    if (!(await this.#used.take(link))) throw unauthorized('the link was used before: ask for another with "orch console"');
    const cookie = randomBytes(cookieBytes).toString('base64url');
    const session: SessionContent = {user: content.user, expires: this.#now() + sessionSeconds, origin, cookie: hashOf(cookie)};
    return {token: this.#seal('session', session, content.user), cookie, expires: session.expires, user: content.user};
  }

  /** Whether a bearer token says that it is one of these sessions. */
  static isSession(token: string): boolean {
    return token.startsWith(sealedPrefix('session'));
  }

  /**
   * The user of a session.
   *
   * @param origin of the page that sends it, by the name under which it reached the server
   * @throws 401 if it is none, has expired, or is not used by the page and the browser that it was given to
   */
  userOf(token: string, cookie: string | undefined, origin: string | undefined): UserInfo {
    const session = this.#session(token);
    if (!session) throw refused('its seal is not that of this server');
    if (session.expires <= this.#now()) throw refused('it has expired');
    if (session.origin !== origin) throw refused('it is for pages of another origin');
    if (cookie === undefined || !sameSecret(hashOf(cookie), session.cookie)) throw refused('its cookie is missing or another');
    return session.user;
  }

  #session(token: string): SessionContent | undefined {
    const known = this.#known.get(token);
    if (known) return known;
    const session = unseal('session', token, this.#key!) as SessionContent | undefined;
    if (!session) return undefined;
    if (this.#known.size >= mostCached) this.#known.clear();
    this.#known.set(token, session);
    return session;
  }

  #seal(kind: 'link' | 'session', content: object, {username}: UserInfo): string {
    const text = seal(kind, content, this.#key!);
    // A session says a little more than its link.
    if (text.length > longestSealed - 512)
      throw forbidden({group: '', resource: ''}, `the user ${JSON.stringify(username)} has more groups than a session can carry`);
    return text;
  }

  #now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The client only learns that it is not authenticated; the reason is logged. */
function refused(problem: string): Error {
  return unauthorized(undefined, {cause: new Error(`a session of the console is refused: ${problem}`)});
}
