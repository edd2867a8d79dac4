/** One thing that is wrong in a configuration, and where. */
export interface ConfigurationFault {
  /** As in `resources[0].providers`; empty for the whole. */
  readonly path: string;
  readonly text: string;
}

/** Reads a configuration and collects its faults, which contain types and places, never values. */
export class ConfigurationReader {
  readonly faults: ConfigurationFault[] = [];

  fault(path: string, text: string): void {
    this.faults.push({path, text});
  }

  /** An object with no other members than these; otherwise undefined, and a fault. */
  object(value: unknown, path: string, members: readonly string[]): Record<string, unknown> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.fault(path, members.length === 0 ? 'must be {}' : `must be an object with ${members.join(', ')}`);
      return undefined;
    }
    for (const name of Object.keys(value)) {
      if (!members.includes(name)) this.fault(path === '' ? name : `${path}.${name}`, 'is not known');
    }
    return value as Record<string, unknown>;
  }

  /** A list with at least one item; otherwise empty, and a fault. */
  list(value: unknown, path: string): readonly unknown[] {
    if (Array.isArray(value) && value.length > 0) return value as unknown[];
    this.fault(path, 'must be a list with at least one item');
    return [];
  }

  /** A string that is not empty; otherwise undefined, and a fault. */
  text(value: unknown, path: string): string | undefined {
    if (typeof value === 'string' && value !== '') return value;
    this.fault(path, 'must be a non-empty string');
    return undefined;
  }
}
