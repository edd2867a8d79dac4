import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {projectRoot} from './project-root.js';

/** A field of a message; `scripts/schemas/facts/README.md` says what the members mean. */
export interface TableField {
  readonly name?: string | null;
  readonly inline?: string;
  readonly go?: string;
  readonly num?: number;
  readonly pb?: string;
  readonly card?: 'repeated' | 'map';
  readonly mapKey?: string;
  readonly enum?: string;
  readonly since?: string;
}

export interface TableMessage {
  readonly since?: string;
  readonly kind?: boolean;
  readonly alias?: string;
  /** False for a message without a binary form. */
  readonly pb?: boolean;
  readonly fields: readonly TableField[];
}

/** The messages of one API group version, or of a library. */
export interface Table {
  /** How other tables name it: `core.v1`, `rbac.v1`, `resource`. */
  readonly key: string;
  /** In the Kubernetes form; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly messages: Readonly<Record<string, TableMessage>>;
  readonly enums: Readonly<Record<string, {readonly values?: readonly string[]}>>;
  /** Names of other types; one with a dot is a message of another table. */
  readonly scalars: Readonly<Record<string, string>>;
}

/** A message with the table that its own references are read against. */
export interface FoundMessage {
  readonly table: Table;
  readonly name: string;
  readonly message: TableMessage;
}

/** The tables from which the schemas of the built-in types are made, as the served release has them: the first that they describe. */
export class BuiltInTables {
  readonly all: readonly Table[];
  readonly #byKey: ReadonlyMap<string, Table>;

  constructor() {
    const folder = join(projectRoot(), 'scripts/schemas/facts');
    this.all = readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => {
        const table = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Table, 'key'>;
        const group = table.group === 'core' ? '' : table.group;
        const isLibrary = table.group === '(library)';
        const messages = Object.fromEntries(
          Object.entries(table.messages)
            .filter(([, {since}]) => since === undefined)
            .map(([name, message]) => [name, {...message, fields: message.fields.filter(({since}) => since === undefined)}]),
        );
        return {
          ...table,
          messages,
          group,
          key: isLibrary ? table.version : `${group === '' ? 'core' : group.split('.')[0]}.${table.version}`,
        };
      });
    this.#byKey = new Map(this.all.map((table) => [table.key, table]));
  }

  /** The message that a field of `table` calls `name`; undefined for a scalar. */
  find(table: Table, name: string): FoundMessage | undefined {
    const at = name.lastIndexOf('.');
    const target = at < 0 ? table : this.#byKey.get(name.slice(0, at));
    const plain = name.slice(at + 1);
    const message = target?.messages[plain];
    if (message) return {table: target!, name: plain, message};
    const other = target?.scalars[plain];
    return other?.includes('.') && !other.includes('[') ? this.find(target!, other) : undefined;
  }

  /** All values of the closed list that a field is of. */
  closedValues(table: Table, name: string | undefined): readonly string[] | undefined {
    if (name === undefined) return undefined;
    const at = name.lastIndexOf('.');
    const values = (at < 0 ? table : this.#byKey.get(name.slice(0, at)))?.enums[name.slice(at + 1)]?.values;
    return values?.filter((value) => value !== '');
  }

  /** Every kind of object. */
  *kinds(): IterableIterator<FoundMessage> {
    for (const table of this.all)
      for (const [name, message] of Object.entries(table.messages))
        if (message.kind || message.fields.some(({inline}) => inline?.endsWith('TypeMeta'))) yield {table, name, message};
  }
}
