import type {Logger} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';
import type {RedisSettings} from './redis-settings.js';
import {ReplyError} from './redis-errors.js';
import type {Session} from './session.js';

/**
 * One sentence about what an acknowledged write survives, given Redis' current settings. Logs a warning if Redis may
 * evict records.
 */
export async function describeDurability(session: Session, server: string, settings: RedisSettings, logger: Logger): Promise<string> {
  const info = infoFields(await permitted(session, ['INFO']));
  const config = await configFields(session);
  const policy = config.get('maxmemory-policy') ?? info.get('maxmemory_policy') ?? 'noeviction';
  if (policy.startsWith('allkeys')) {
    logger.warn({policy}, `Redis at ${server} removes records when it runs out of memory: set maxmemory-policy to noeviction`);
  }
  const name = info.has('valkey_version')
    ? `Valkey ${info.get('valkey_version')}`
    : `Redis ${info.get('redis_version') ?? 'of unknown version'}`;
  const replicas =
    settings.waitReplicas === 0
      ? ''
      : `; a write is answered once ${settings.waitReplicas} ${settings.waitReplicas === 1 ? 'replica has' : 'replicas have'} received it`;
  return `${name} at ${server}, ${persistence(config, info)}${replicas}`;
}

function persistence(config: ReadonlyMap<string, string>, info: ReadonlyMap<string, string>): string {
  const appendOnly =
    config.get('appendonly') ??
    new Map([
      ['0', 'no'],
      ['1', 'yes'],
    ]).get(info.get('aof_enabled') ?? '');
  if (appendOnly === undefined) return 'which does not say how it keeps its data';
  if (appendOnly !== 'yes') return 'no append-only file: answered writes since the last snapshot are lost if Redis fails';
  switch (config.get('appendfsync')) {
    case 'always':
      return 'append-only file synced before each answer: an answered write survives a failure of the machine';
    case 'everysec':
      return 'append-only file synced every second: an answered write may be lost if the machine fails within a second';
    case 'no':
      return 'append-only file synced by the operating system: an answered write may be lost if the machine fails within about half a minute';
    default:
      return 'append-only file (how often it is synced cannot be read): an answered write may be lost if the machine fails';
  }
}

/** Empty where the settings may not be read, as with hosted services. */
async function configFields(session: Session): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  for (const name of ['appendonly', 'appendfsync', 'maxmemory-policy']) {
    const reply = (await permitted(session, ['CONFIG', 'GET', name])) as Buffer[] | null;
    if (reply?.[1] !== undefined) fields.set(name, reply[1].toString());
  }
  return fields;
}

/** The answer, or null when the command is refused: how safe the data is can then only be told in part. */
async function permitted(session: Session, command: readonly string[]): Promise<Reply> {
  try {
    return await session.send(command);
  } catch (error) {
    if (error instanceof ReplyError) return null;
    throw error;
  }
}

function infoFields(reply: Reply): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of String(reply ?? '').split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}
