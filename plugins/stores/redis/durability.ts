import type {RedisSettings} from './redis-settings.js';
import {RefusedServer} from './redis-errors.js';
import type {ServerFacts} from './server-facts.js';

/** One sentence about what an acknowledged write survives, given Redis' current settings. */
export function describeDurability(facts: ServerFacts, server: string, settings: RedisSettings): string {
  const count = settings.waitReplicas;
  const replicas =
    count === 0
      ? ''
      : `; a write is answered once ${count} ${count === 1 ? 'replica has' : 'replicas have'} ${facts.confirmsSync ? 'synced' : 'received'} it`;
  return `${facts.name} at ${server}, ${confirmsEach(facts, settings) ? 'append-only file: a write is answered once it is synced' : persistence(facts)}${replicas}`;
}

/** Whether each write waits until Redis confirms that its file is synced, because Redis itself answers earlier. */
export function confirmsEach(facts: ServerFacts, {requireDurability}: RedisSettings): boolean {
  return requireDurability === 'always' && facts.appendOnly === true && facts.appendSync !== 'always' && facts.confirmsSync;
}

/**
 * Refuses a Redis that may lose what the settings say it must not lose.
 *
 * @throws RefusedServer with the reason
 */
export function requireDurability(facts: ServerFacts, settings: RedisSettings): void {
  const {evictionPolicy: policy, appendOnly, appendSync} = facts;
  if (policy !== 'noeviction') {
    throw new RefusedServer(`it removes data when its memory is full (maxmemory-policy is ${policy}): set maxmemory-policy to noeviction`);
  }
  const demanded = settings.requireDurability;
  if (demanded === 'none') return;
  const wanted = `--redis-require-durability=${demanded}`;
  if (appendOnly === undefined) throw new RefusedServer(`it does not tell how it keeps its data, and ${wanted} is set`);
  if (!appendOnly) throw new RefusedServer(`it has no append-only file, and ${wanted} is set: set appendonly to yes`);
  if (appendSync === 'always' || confirmsEach(facts, settings)) return;
  if (demanded === 'always') {
    throw new RefusedServer(
      `it syncs its append-only file later (appendfsync is ${appendSync ?? 'not told'}), and ${wanted} is set: set appendfsync to always`,
    );
  }
  if (appendSync !== 'everysec') {
    throw new RefusedServer(
      `it may sync its append-only file later than every second (appendfsync is ${appendSync ?? 'not told'}), and ${wanted} is set`,
    );
  }
}

/** Whether Redis has every answered write after a restart. */
export function keepsEverything({appendOnly, appendSync}: ServerFacts): boolean {
  return appendOnly === true && appendSync === 'always';
}

function persistence({appendOnly, appendSync}: ServerFacts): string {
  if (appendOnly === undefined) return 'which does not say how it keeps its data';
  if (!appendOnly) return 'no append-only file: answered writes since the last snapshot are lost if Redis fails';
  switch (appendSync) {
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
