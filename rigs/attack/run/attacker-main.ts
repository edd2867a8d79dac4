// The attacker, in a process of its own: its memory and its CPU must not be mistaken for the server's.
import {attacks} from '../attacks.js';
import {Attacker, type AttackerOptions} from '../client/attacker.js';
import type {TallyReport} from '../client/tally.js';

/** What the parent says: prepare an attack, or carry it out. */
export type AttackerOrder =
  | {readonly kind: 'prepare'; readonly name: string; readonly options: AttackerOptions}
  | {readonly kind: 'attack'};

export interface AttackerReply {
  readonly error?: string;
  readonly report?: TallyReport;
}

let current: {attack: (typeof attacks)[number]; attacker: Attacker} | undefined;

async function obey(order: AttackerOrder): Promise<AttackerReply> {
  if (order.kind === 'prepare') {
    const attack = attacks.find(({name}) => name === order.name);
    if (!attack) throw new Error(`no attack is named ${order.name}`);
    current = {attack, attacker: new Attacker(order.options)};
    await attack.prepare?.(current.attacker);
    return {};
  }
  if (!current) throw new Error('nothing is prepared');
  const {attack, attacker} = current;
  attacker.begin();
  try {
    await attack.run(attacker);
    return {report: attacker.tally.report()};
  } finally {
    attacker.end();
  }
}

process.on('message', (order: AttackerOrder) => {
  obey(order).then(
    (reply) => process.send!(reply),
    (error: unknown) => process.send!({error: error instanceof Error ? error.message : String(error)} satisfies AttackerReply),
  );
});
process.on('disconnect', () => process.exit());
