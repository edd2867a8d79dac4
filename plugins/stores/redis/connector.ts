import {readFile} from 'node:fs/promises';
import {isIP} from 'node:net';
import type {ConnectionOptions} from 'node:tls';
import {loadIoredisDriver} from './drivers/ioredis-driver.js';
import {loadNodeRedisDriver} from './drivers/node-redis-driver.js';
import type {RedisDriver} from './drivers/redis-driver.js';
import {askedNode, isRedirection, type ReplyError} from './redis-errors.js';
import type {RedisSettings} from './redis-settings.js';
import {addressText, type Address} from './redis-url.js';
import {motionMillis, Session} from './session.js';
import {clusterTopology} from './topology/cluster-topology.js';
import {sentinelTopology} from './topology/sentinel-topology.js';
import type {Ask, Topology} from './topology/topology.js';

/** How long a server may take to accept a connection. */
const connectMillis = 5000;

/** Interval at which the topology is checked: a replaced primary is used for at most this long. */
const lookMillis = 1000;
/** How long a slot counts as migrating after the last sign of it: a few attempts to connect. */
const signMillis = 2000;

/** Opens authenticated connections, and ends them when their server no longer owns the key. */
export class Connector {
  readonly topology: Topology;
  readonly #open = new Map<Session, {readonly key: string; readonly address: Address}>();
  /** Migrating slots, by a key of each: from which node to which. */
  readonly #moves = new Map<string, {readonly from: Address; readonly to: Address}>();
  /** When a slot was first and last seen migrating, by a key of it. */
  readonly #motions = new Map<string, {readonly since: number; readonly last: number}>();
  /** Connections to servers that are asked where the data is. */
  readonly #asked = new Map<string, Promise<Session>>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  readonly #driver: RedisDriver;
  readonly #settings: RedisSettings;
  readonly #password: string | undefined;
  readonly #tls: ConnectionOptions | undefined;

  private constructor(driver: RedisDriver, settings: RedisSettings, password: string | undefined, tls: ConnectionOptions | undefined) {
    this.#driver = driver;
    this.#settings = settings;
    this.#password = password;
    this.#tls = tls;
    const ask: Ask = async (address, command) => (await this.#sessionFor(address)).send(command);
    this.topology =
      settings.topology === 'cluster'
        ? clusterTopology(settings.addresses, ask)
        : settings.topology === 'sentinel'
          ? sentinelTopology(settings.addresses, settings.primaryName ?? '', ask)
          : singleTopology(settings.addresses[0]!);
  }

  /** Loads the client library that was chosen, and only that one, and the files that the settings name. */
  static async create(settings: RedisSettings): Promise<Connector> {
    const driver = await (settings.driver === 'redis' ? loadNodeRedisDriver() : loadIoredisDriver());
    const password = settings.passwordFile === undefined ? settings.password : (await readFile(settings.passwordFile, 'utf8')).trim();
    const file = (path: string | undefined) => (path === undefined ? undefined : readFile(path));
    const {tls} = settings;
    const tlsOptions = tls && {ca: await file(tls.caFile), cert: await file(tls.certFile), key: await file(tls.keyFile)};
    return new Connector(driver, settings, password, tlsOptions);
  }

  /**
   * Connects to the server that holds a key. Rejects with `ConnectionLost` or `ReplyError`.
   *
   * @param silenceMillis how long Redis may owe an answer before the connection counts as dead
   */
  async open(key: string, silenceMillis: number): Promise<Session> {
    const owner = await this.topology.addressOf(key);
    const address = this.#moveFrom(owner, key) ?? owner;
    const session = await this.#connect(address, silenceMillis).catch((error: unknown) => {
      this.#moves.delete(key);
      throw error;
    });
    session.asks = address !== owner;
    session.onMotion = (error) => this.#moved(session, key, owner, error);
    try {
      const {database} = this.#settings;
      await this.#authenticate(session);
      await Promise.all([
        session.send(['CLIENT', 'SETNAME', 'orch']),
        database === 0 ? undefined : session.send(['SELECT', String(database)]),
      ]);
    } catch (error) {
      session.end('the login failed');
      throw error;
    }
    this.#watch(session, key, address);
    return session;
  }

  /** Closes the connections for finding servers. Sessions are closed by their owners. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const asked of this.#asked.values()) (await asked.catch(() => undefined))?.end('no longer needed');
  }

  /** The node to which a slot is migrating while the other one owns it. */
  #moveFrom(owner: Address, key: string): Address | undefined {
    const move = this.#moves.get(key);
    if (move !== undefined && addressText(move.from) === addressText(owner)) return move.to;
    this.#moves.delete(key);
    return undefined;
  }

  /** Whether the slot of the key is migrating between nodes: that is worth waiting for, and ends. */
  isInMotion(key: string): boolean {
    const motion = this.#motions.get(key);
    const now = performance.now();
    return motion !== undefined && now - motion.last < signMillis && now - motion.since < motionMillis;
  }

  #moved(session: Session, key: string, owner: Address, error: ReplyError): void {
    const now = performance.now();
    const known = this.#motions.get(key);
    this.#motions.set(key, {since: known !== undefined && now - known.last < signMillis ? known.since : now, last: now});
    if (!isRedirection(error)) return;
    const to = askedNode(error, owner);
    // The target of a migration that redirects to another node will not get the slot.
    if (to === undefined) this.#moves.delete(key);
    else this.#moves.set(key, {from: owner, to});
    // A connection that waits for the log notices it only here.
    for (const [other, {key: watched}] of this.#open) {
      if (other.isTail && other !== session && watched === key) other.end('the keys are being moved to another node of the cluster');
    }
  }

  #watch(session: Session, key: string, address: Address): void {
    if (this.topology.look === undefined) return;
    this.#open.set(session, {key, address});
    void session.ended.then(() => this.#open.delete(session));
    this.#timer ??= this.#lookLater();
  }

  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => {
      void this.#look().finally(() => (this.#timer = this.#open.size === 0 || this.#closed ? undefined : this.#lookLater()));
    }, lookMillis).unref();
  }

  async #look(): Promise<void> {
    const addressOf = await this.topology.look!();
    for (const [session, {key, address}] of this.#open) {
      const now = addressOf?.(key);
      // During a migration the source owns the slot until all keys have arrived.
      const isAhead = now !== undefined && session.asks && this.#moveFrom(now, key) !== undefined;
      if (now !== undefined && !isAhead && addressText(now) !== addressText(address)) {
        session.end(`the data is at ${addressText(now)} now, and no longer at ${addressText(address)}`);
      }
    }
  }

  /** A connection that is kept, to ask over again. */
  async #sessionFor(address: Address): Promise<Session> {
    const name = addressText(address);
    const known = this.#asked.get(name);
    if (known !== undefined) {
      const session = await known.catch(() => undefined);
      if (session?.alive) return session;
    }
    if (this.#asked.get(name) === known) this.#asked.set(name, this.#connectToAsk(address));
    return this.#asked.get(name)!;
  }

  async #connectToAsk(address: Address): Promise<Session> {
    const session = await this.#connect(address, this.#settings.commandMillis / 2);
    // A sentinel has its own users; the credentials of the URL are for the data nodes.
    if (this.#settings.topology !== 'sentinel') await this.#authenticate(session);
    if (this.#closed) session.end('no longer needed');
    return session;
  }

  async #connect(address: Address, silenceMillis: number): Promise<Session> {
    const tls = this.#tls && {...this.#tls, ...(isIP(address.host) === 0 ? {servername: address.host} : {})};
    return new Session(await this.#driver.connect({...address, tls}, connectMillis), silenceMillis);
  }

  async #authenticate(session: Session): Promise<void> {
    const {username} = this.#settings;
    if (this.#password === undefined) return;
    await session.send(username === undefined ? ['AUTH', this.#password] : ['AUTH', username, this.#password]);
  }
}

/** One server with a fixed address. */
function singleTopology(address: Address): Topology {
  return {description: addressText(address), addressOf: () => Promise.resolve(address)};
}
