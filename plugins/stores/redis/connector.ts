import {readFile} from 'node:fs/promises';
import {isIP} from 'node:net';
import type {ConnectionOptions} from 'node:tls';
import {loadIoredisDriver} from './drivers/ioredis-driver.js';
import {loadNodeRedisDriver} from './drivers/node-redis-driver.js';
import type {RedisDriver} from './drivers/redis-driver.js';
import type {RedisSettings} from './redis-settings.js';
import type {Address} from './redis-url.js';
import {Session} from './session.js';
import {clusterTopology} from './topology/cluster-topology.js';
import {sentinelTopology} from './topology/sentinel-topology.js';
import {singleTopology} from './topology/single-topology.js';
import type {Ask, Topology} from './topology/topology.js';

/** How long a server may take to accept a connection. */
const connectMillis = 5000;

/** Opens connections that are logged in and ready for use. */
export class Connector {
  readonly topology: Topology;

  readonly #driver: RedisDriver;
  readonly #settings: RedisSettings;
  readonly #password: string | undefined;
  readonly #tls: ConnectionOptions | undefined;

  private constructor(driver: RedisDriver, settings: RedisSettings, password: string | undefined, tls: ConnectionOptions | undefined) {
    this.#driver = driver;
    this.#settings = settings;
    this.#password = password;
    this.#tls = tls;
    const ask: Ask = async (address, command) => {
      const session = await this.#connect(address, settings.commandMillis / 2);
      try {
        // A sentinel has users of its own; the credentials of the URL are those of the data.
        if (settings.topology !== 'sentinel') await this.#authenticate(session);
        return await session.send(command);
      } finally {
        session.end('no longer needed');
      }
    };
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
    const session = await this.#connect(await this.topology.addressOf(key), silenceMillis);
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
