import type {Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import type {UserName} from '../client/users.js';

/** Just below the largest body that the server takes. */
export const largeBody = 2_900_000;

/** An attack that sends one body a few times. */
export interface BodyAttack extends Pick<Attack, 'name' | 'outcomes' | 'prepare' | 'seconds' | 'leavesMegabytes'> {
  /** POST by default. */
  readonly method?: string;
  readonly path: (attacker: Attacker) => string;
  readonly type?: string;
  readonly headers?: readonly string[];
  readonly body: (attacker: Attacker) => string | Buffer;
  readonly user?: UserName;
  /** How often; 4 times by default. */
  readonly times?: number;
  /** How many at once; 2 by default. */
  readonly atATime?: number;
}

export function bodyAttack({name, outcomes, prepare, seconds, leavesMegabytes, ...send}: BodyAttack): Attack {
  const {method = 'POST', path, type, headers, body, user, times = 4, atATime = 2} = send;
  // Made before time begins to count, and kept no longer than the attack goes on.
  const bodies = new WeakMap<Attacker, string | Buffer>();
  return {
    name,
    outcomes,
    async prepare(attacker) {
      await prepare?.(attacker);
      bodies.set(attacker, body(attacker));
    },
    ...(seconds === undefined ? {} : {seconds}),
    ...(leavesMegabytes === undefined ? {} : {leavesMegabytes}),
    async run(attacker) {
      const options = {body: bodies.get(attacker)!, ...(type ? {type} : {}), ...(headers ? {headers} : {}), ...(user ? {user} : {})};
      await attacker.repeat(times, atATime, () => attacker.call(method, path(attacker), options));
    },
  };
}

/** So many copies of a text that together they are as long as a body may be, or `bytes`. */
export function fill(part: string, bytes = largeBody): string {
  return part.repeat(Math.floor(bytes / part.length));
}

/** Texts made by their number, joined, until they are as long as a body may be, or `bytes`. */
export function fillWith(part: (number: number) => string, separator = ',', bytes = largeBody): string {
  const parts: string[] = [];
  for (let length = 0, number = 0; length < bytes; number++) {
    const text = part(number);
    parts.push(text);
    length += text.length + separator.length;
  }
  return parts.slice(0, -1).join(separator);
}
